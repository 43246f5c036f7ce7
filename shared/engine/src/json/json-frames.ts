/**
 * Lists and objects of JSON that have begun and go on in text that is not read yet, put together from what is
 * complete of them.
 */
import { isJsonObject, write } from './json-object.ts'
import type { WorkBudget } from '../work/budget.ts'
import { parseExactly } from './parse-exactly.ts'

/**
 * `numbers` of more than 65,536 characters, `names` of members of more than 16,383 bytes, objects of more
 * than 100,000 `members`, and lists of more than 5,000,000 `items` could not be read in slices, or not be
 * gone through in slices later.
 */
export type JsonLimit = 'depth' | 'items' | 'members' | 'names' | 'numbers'

/** The limits of a JSON text, and the way it is read. */
export type JsonLimits = {
  /** Takes a step for each item and each member, at any level; lists and objects without any may take two. */
  readonly budget: WorkBudget
  readonly maxDepth: number
  /** Makes the error that is thrown when one of the limits is reached. */
  readonly exceeded: (limit: JsonLimit) => Error
  /** Numbers that a double cannot hold become an `ExactNumber`. */
  readonly exactNumbers?: boolean
  /** 64 KiB unless told otherwise. */
  readonly window?: JsonWindow
}

/** The size of the pieces of a text that are parsed together. */
export type JsonWindow = {
  /** Most bytes of a window; also of the pieces of a long string, which is read by itself. */
  readonly bytes: number
  /** Commas and opening brackets outside of strings. */
  readonly values: number
}

/** The text is not UTF-8. */
export class NotUtf8Error extends Error {}

/** Most members of an object, whose names are listed in one go by everything that walks through them. */
const MAX_MEMBERS = 100_000
/** Most items of a list. A growing list is moved to a larger place from time to time, all of it in one go. */
const MAX_ITEMS = 5_000_000

const BLANK = /^[ \t\n\r]*$/
const FIRST_COMMA = /^[ \t\n\r]*,/

/** A list or an object that has begun, and whose rest is in a later window. */
type Frame = {
  readonly list: unknown[] | null
  readonly object: Record<string, unknown>
  size: number
  /** The kind of the last token that was taken in it. */
  last: 'nothing' | 'value' | 'comma'
}

/** Its methods throw a SyntaxError for what is no JSON, a `NotUtf8Error`, and what `exceeded` makes. */
export class JsonFrames {
  readonly #limits: Pick<JsonLimits, 'exactNumbers' | 'exceeded'>
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  /** One in the other; the first one holds the whole value as its only item. */
  readonly #frames: Frame[] = [{ list: [], object: {}, size: 0, last: 'nothing' }]

  constructor(limits: Pick<JsonLimits, 'exactNumbers' | 'exceeded'>) {
    this.#limits = limits
  }

  /** How many there are. */
  get depth(): number {
    return this.#frames.length - 1
  }

  /** Whether the innermost one is an object. */
  get isInObject(): boolean {
    return this.#frame().list === null
  }

  /** The value, once everything is read. */
  whole(): unknown {
    const [root] = this.#frames
    if (this.depth > 0 || root?.list?.length !== 1) throw wrong()
    return root.list[0]
  }

  /**
   * Begins a list or an object in the innermost one. `before` are the bytes from the last comma on; see
   * `put`.
   */
  enter(before: Uint8Array, isList: boolean): void {
    const lead = this.decode(before)
    const list = isList ? [] : null
    const frame: Frame = { list, object: {}, size: 0, last: 'nothing' }
    this.put(lead, list ?? frame.object)
    this.#frames.push(frame)
  }

  /** The innermost one ends. */
  leave(isList: boolean): void {
    const frame = this.#frames.pop()
    if (frame === undefined || this.#frames.length === 0 || frame.last === 'comma') throw wrong()
    if ((frame.list !== null) !== isList) throw wrong()
  }

  /**
   * Takes one value behind `lead`, which is nothing but white space in a list, and a name and a colon in an
   * object.
   */
  put(lead: string, value: unknown): void {
    const frame = this.#frame()
    const text = textAfterComma(frame, lead)
    if (text === null) throw wrong()
    if (frame.list !== null) {
      if (!BLANK.test(text)) throw wrong()
      this.#append(frame.list, [value])
    } else {
      const [name] = Object.keys(parsedObject(`{${text}""}`))
      if (name === undefined) throw wrong()
      this.#assign(frame, { [name]: value })
    }
    frame.last = 'value'
  }

  /** Items or members, and the comma behind them. */
  takeWithComma(bytes: Uint8Array): void {
    this.take(bytes)
    const frame = this.#frame()
    if (frame.last !== 'value' || this.#frames.length === 1) throw wrong()
    frame.last = 'comma'
  }

  /** Items or members of the innermost frame; all of them are complete. */
  take(bytes: Uint8Array): void {
    const frame = this.#frame()
    const given = this.decode(bytes)
    if (frame.last !== 'comma' && BLANK.test(given)) return
    const text = textAfterComma(frame, given)
    if (text === null || BLANK.test(text)) throw wrong()
    // A large text is not copied only to have brackets around it.
    if (this.depth === 0 && frame.list !== null) frame.list.push(this.#parse(text))
    else {
      const parsed = this.#parse(frame.list === null ? `{${text}}` : `[${text}]`)
      if (Array.isArray(parsed)) this.#append(frame.list ?? [], parsed)
      else if (isJsonObject(parsed)) this.#assign(frame, parsed)
    }
    frame.last = 'value'
  }

  #parse(json: string): unknown {
    const plain: unknown = JSON.parse(json)
    return this.#limits.exactNumbers === true ? parseExactly(json, plain) : plain
  }

  /** Returns the text of bytes that hold only whole characters. */
  decode(bytes: Uint8Array): string {
    return asUtf8(() => this.#decoder.decode(bytes))
  }

  #append(list: unknown[], items: readonly unknown[]): void {
    if (list.length + items.length > MAX_ITEMS) throw this.#limits.exceeded('items')
    for (const item of items) list.push(item)
  }

  #assign(frame: Frame, members: Readonly<Record<string, unknown>>): void {
    const names = Object.keys(members)
    frame.size += names.length
    if (frame.size > MAX_MEMBERS) throw this.#limits.exceeded('members')
    for (const name of names) write(frame.object, name, members[name])
  }

  #frame(): Frame {
    const frame = this.#frames.at(-1)
    if (frame === undefined) throw wrong()
    return frame
  }
}

/**
 * Returns the text behind the comma that must follow a value. Returns the whole text where no comma is
 * needed, and null if the comma is missing.
 */
function textAfterComma(frame: Frame, text: string): string | null {
  if (frame.last !== 'value') return text
  const [comma] = FIRST_COMMA.exec(text) ?? []
  return comma === undefined ? null : text.slice(comma.length)
}

function parsedObject(json: string): object {
  const parsed: unknown = JSON.parse(json)
  return isJsonObject(parsed) ? parsed : {}
}

/** Runs `decode`, and turns its TypeError into a `NotUtf8Error`. */
export function asUtf8<Result>(decode: () => Result): Result {
  try {
    return decode()
  } catch (error) {
    throw error instanceof TypeError ? new NotUtf8Error('The text is not UTF-8.') : error
  }
}

/** The error for a text that is no JSON. */
export function wrong(): SyntaxError {
  return new SyntaxError('This is no JSON.')
}
