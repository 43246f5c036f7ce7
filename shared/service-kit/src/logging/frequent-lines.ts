/**
 * Lines of level info that are logged so often that the general way would cost much of what they tell of:
 * nothing in them is redacted or serialised specially, and they are written together with others, within a
 * tenth of a second.
 */
import { type DestinationStream, type Logger, pino } from 'pino'
import { LineWriter } from './line-writer.ts'
import { logContext } from './log-context.ts'
import { printableJson } from '../text/printable.ts'

/**
 * The members of a line as JSON text, each after a comma, such as `,"status":200`. No name of a field that is
 * redacted is among them, no name is there twice, and no value is an object.
 */
export type LineMembers = string

/** Writes the same lines as `logger.info` does. */
export class FrequentLines {
  readonly #logger: Logger
  readonly #stream: DestinationStream
  /** The part that all lines of the logger have after their time: the process and its name. */
  readonly #bindings: string
  /** Unix milliseconds of the last line, and the text of it, which costs half as much as the line. */
  #now = 0
  #time = ''

  constructor(logger: Logger) {
    this.#logger = logger
    const stream: unknown = Reflect.get(logger, pino.symbols.streamSym)
    const bindings: unknown = Reflect.get(logger, pino.symbols.chindingsSym)
    if (!isStream(stream) || typeof bindings !== 'string') throw new Error('This is no logger of pino.')
    this.#stream = stream
    this.#bindings = bindings
  }

  get isEnabled(): boolean {
    return this.#logger.isLevelEnabled('info')
  }

  info(members: LineMembers, message: string): void {
    const context = logContext()
    const all = context === undefined ? members : inContext(context, members)
    const line = `{"level":"info","time":"${this.#timeNow()}"${this.#bindings}${all},"msg":${jsonString(message)}}\n`
    if (this.#stream instanceof LineWriter) this.#stream.writeSoon(line)
    else this.#stream.write(line)
  }

  #timeNow(): string {
    const now = Date.now()
    if (now !== this.#now) this.#time = new Date(now).toISOString()
    this.#now = now
    return this.#time
  }
}

/** Members of the line take the place of those of the same name in its context. */
function inContext(context: object, members: LineMembers): LineMembers {
  const own: object = JSON.parse(`{${members.slice(1)}}`)
  return `,${printableJson(JSON.stringify({ ...context, ...own })).slice(1, -1)}`
}

/** Printable ASCII without quotation marks and backslashes, which JSON writes as it is. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/

/** A text as JSON, which costs less than `JSON.stringify` where the text is as plain as most are. */
export function jsonString(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : printableJson(JSON.stringify(text))
}

function isStream(value: unknown): value is DestinationStream {
  return typeof value === 'object' && value !== null && 'write' in value && typeof value.write === 'function'
}
