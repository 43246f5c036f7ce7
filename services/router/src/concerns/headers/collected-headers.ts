/**
 * Headers of subgraphs' answers on their way to the client, for one execution.
 *
 * The result depends on the answers and on the plan, never on which answer came first: fetches are told apart
 * by their numbers in the plan. Each header has a limit of its own, and keeps no more than that while answers
 * arrive.
 */
import type { ResponseStrategy } from './response-settings.ts'
import { SET_COOKIE } from './answerable.ts'
import type { HeaderList } from '../../headers/header-list.ts'
import { ownText } from '../../memory/own-text.ts'
import type { CompiledResponseRules, TakenHeader } from './response-rules.ts'

/** Why a value of a subgraph did not reach the client. */
export type DropReason = 'too_large' | 'too_late' | 'invalid'

/** The largest number of values of one header of an answer. */
export const MAX_VALUES = 50
/** The largest number of characters of all values of one header of an answer. */
export const MAX_CHARACTERS = 8192
/** Visible ASCII, space and tab: what both HTTP clients read alike, and every client understands. */
const SENDABLE = /^[\t\x20-\x7e]+$/

/** Header fields as HTTP clients give them. */
type Fields = Readonly<Record<string, string | readonly string[] | undefined>>

/** Collects headers of answers until the headers of the response to the client are written. */
export class CollectedHeaders {
  readonly #byName = new Map<string, CollectedHeader>()
  readonly #onDropped: (reason: DropReason) => void
  #isWritten = false

  constructor(onDropped: (reason: DropReason) => void) {
    this.#onDropped = onDropped
  }

  /** Takes the headers that the rules want from the answer to a fetch. `fetch` is its number in the plan. */
  take(fetch: number, { headers }: CompiledResponseRules, fields: Fields): void {
    for (const header of headers) this.#takeOne(fetch, header, fields[header.from])
  }

  /** Returns names and values alternately, each name once. Headers that arrive later are dropped. */
  write(): HeaderList {
    this.#isWritten = true
    const list: (string | string[])[] = []
    for (const header of this.#byName.values()) {
      const values = header.values()
      if (values.length > 0) list.push(header.name, header.isCookie ? values : values.join(', '))
    }
    return list
  }

  #takeOne(fetch: number, header: TakenHeader, field: string | readonly string[] | undefined): void {
    const sent = field === undefined ? [] : typeof field === 'string' ? [field] : field
    if (this.#isWritten) {
      if (sent.length > 0) this.#onDropped('too_late')
      return
    }
    const values = this.#sendable(sent)
    let known = this.#byName.get(header.key)
    if (known === undefined) this.#byName.set(header.key, (known = new CollectedHeader(header)))
    if (values.length > 0) {
      if (!known.add(fetch, values)) this.#onDropped('too_large')
    } else if (header.fallback !== null) known.fallBack(fetch, header.fallback)
  }

  /** Returns the values that may be sent to clients. Empty ones say nothing and are left out. */
  #sendable(sent: readonly string[]): readonly string[] {
    return sent.filter((value) => {
      if (value === '') return false
      const problem = !SENDABLE.test(value) ? 'invalid' : value.length > MAX_CHARACTERS ? 'too_large' : null
      if (problem !== null) this.#onDropped(problem)
      return problem === null
    })
  }
}

/** The values that one fetch gave. */
type Given = { readonly fetch: number; readonly values: readonly string[] }

/** One header of the response to the client. */
class CollectedHeader {
  readonly name: string
  readonly isCookie: boolean
  readonly #strategy: ResponseStrategy
  /** Values in the order of the plan. There is at most one entry unless the rule appends values. */
  #given: Given[] = []
  /**
   * The number of the first fetch in the plan whose values have no room. Values of later fetches have none
   * either.
   */
  #end = Number.POSITIVE_INFINITY
  #fallback: Given | null = null

  constructor({ name, key, strategy }: TakenHeader) {
    this.name = name
    this.isCookie = key === SET_COOKIE
    this.#strategy = strategy
  }

  /** Adds the values of a fetch. Returns false if some of them did not fit. */
  add(fetch: number, values: readonly string[]): boolean {
    const room = new Room()
    const fitting = values.filter((value) => room.take(value)).map(ownText)
    const given = { fetch, values: fitting }
    const [known] = this.#given
    const isWhole = room.isEnough
    switch (this.#strategy) {
      case 'first':
        if (known === undefined || fetch < known.fetch) this.#given = [given]
        return isWhole
      case 'last':
        if (known === undefined || fetch > known.fetch) this.#given = [given]
        return isWhole
      case 'append':
        return this.#append(given) && isWhole
      default:
        return this.#strategy satisfies never
    }
  }

  fallBack(fetch: number, value: string): void {
    if (this.#fallback === null || fetch < this.#fallback.fetch) this.#fallback = { fetch, values: [value] }
  }

  values(): string[] {
    if (this.#given.length === 0) return [...(this.#fallback?.values ?? [])]
    return this.#given.flatMap(({ values }) => values)
  }

  /**
   * Drops whole fetches from the end of the plan when a limit is reached. That end never moves back, so the
   * same fetches are kept in whatever order their answers come. Of equal values the first one is kept.
   */
  #append(given: Given): boolean {
    if (given.fetch >= this.#end) return false
    const index = this.#given.findIndex(({ fetch }) => fetch > given.fetch)
    const all = this.#given.toSpliced(index < 0 ? this.#given.length : index, 0, given)
    const room = new Room()
    const kept: Given[] = []
    for (const { fetch, values } of all) {
      const others = values.filter((value) => room.take(value))
      if (!room.isEnough) {
        this.#end = fetch
        break
      }
      if (others.length > 0) kept.push({ fetch, values: others })
    }
    this.#given = kept
    return room.isEnough
  }
}

/** Counts the different values of one header up to its limits. */
class Room {
  readonly #taken = new Set<string>()
  #characters = 0
  #isEnough = true

  /** True if all values have fitted so far. */
  get isEnough(): boolean {
    return this.#isEnough
  }

  /**
   * Takes a value. Returns false if the value is known already, or if there is no room for it. If there is
   * none, further values are refused as well.
   */
  take(value: string): boolean {
    if (!this.#isEnough || this.#taken.has(value)) return false
    this.#taken.add(value)
    this.#characters += value.length
    this.#isEnough = this.#taken.size <= MAX_VALUES && this.#characters <= MAX_CHARACTERS
    return this.#isEnough
  }
}
