/**
 * Declarations of log events. An event says everything about itself where it is declared: its lines are
 * written through the declaration, and so is its row of docs/log-events.md.
 */
export type EventLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug'

export type EventFacts<
  Field extends string = string,
  RareField extends string = string,
  Level extends EventLevel = EventLevel,
> = {
  /** The level of the lines, or the usual one and the one of lines that are graver. */
  readonly level: Level | readonly [usual: Level, grave: Level]
  /** The fields that each line has. */
  readonly fields?: readonly Field[]
  /** The fields that only some lines have. A field whose value is undefined is left out. */
  readonly rareFields?: readonly RareField[]
  /** The services that write the event; if absent, the one that declares it, or all of a shared package. */
  readonly services?: string
  /**
   * The meaning in docs/log-events.md, in Markdown. Without its backticks it is the message of lines that are
   * given no other.
   */
  readonly says: string
  /** The advice for operators in docs/log-events.md, in Markdown. Errors have one. */
  readonly advice?: string
}

/**
 * The fields of a line. What is spread into a line, such as a graph, may have more than these. No line has a
 * field `event`, which would replace the name; that this type names it lets the compiler also find fields
 * that an event without fields does not declare.
 */
type Fields<Field extends string, RareField extends string> = {
  readonly [Name in Field]: unknown
} & { readonly [Name in RareField]?: unknown } & { readonly event?: never }

/** The part of a logger that writes lines of these levels. */
type Writer<Level extends EventLevel> = {
  readonly [Name in Level]: (line: { readonly event: string }, message: string) => void
}

/** A link in Markdown, of which lines of the log keep the text. */
const LINK = /\[([^\]]*)\]\([^)]*\)/g

export class LogEvent<
  Field extends string = string,
  RareField extends string = string,
  Level extends EventLevel = EventLevel,
> {
  readonly name: string
  readonly facts: EventFacts
  readonly #usual: Level
  readonly #grave: Level
  readonly #message: string

  constructor(name: string, facts: EventFacts<Field, RareField, Level>) {
    const { level } = facts
    this.name = name
    this.facts = facts
    this.#usual = typeof level === 'string' ? level : level[0]
    this.#grave = typeof level === 'string' ? level : level[1]
    this.#message = facts.says.replaceAll('`', '').replaceAll(LINK, '$1')
  }

  write(logger: Writer<Level>, fields: Fields<Field, RareField>, message = this.#message): void {
    logger[this.#usual]({ event: this.name, ...fields }, message)
  }

  /** Writes a line of the graver one of two levels. */
  writeGrave(logger: Writer<Level>, fields: Fields<Field, RareField>, message = this.#message): void {
    logger[this.#grave]({ event: this.name, ...fields }, message)
  }
}

export function logEvent<
  const Level extends EventLevel,
  const Field extends string = never,
  const RareField extends string = never,
>(name: string, facts: EventFacts<Field, RareField, Level>): LogEvent<Field, RareField, Level> {
  return new LogEvent(name, facts)
}
