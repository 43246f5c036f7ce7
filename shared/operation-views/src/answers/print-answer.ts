/**
 * Prints an answer as JSON in lines, and says which lines each part added. It is bounded whatever the answer
 * is, since a browser that lays out a text of many megabytes answers to nothing else meanwhile.
 */
import type { Answer, Place } from './answer.ts'

export type PrintedAnswer = {
  readonly text: string
  /** Ranges of lines, from 1, in order; by the number of the part, from 0. */
  readonly lines: readonly (readonly { readonly from: number; readonly to: number }[])[]
  /** Whether something was left out. */
  readonly isCut: boolean
}

export type PrintLimits = {
  readonly characters: number
  readonly lines: number
  /** Characters of one text. */
  readonly text: number
  /** Objects and lists inside of each other. */
  readonly depth: number
}

const LIMITS: PrintLimits = { characters: 1_000_000, lines: 40_000, text: 10_000, depth: 100 }

/** Prints what clients see: errors, data, and extensions without the trace. */
export function printAnswer(
  { parts, data, errors, extensions }: Answer,
  limits: PrintLimits = LIMITS,
): PrintedAnswer {
  const printer = new Printer(limits, parts.length)
  const marks = marksOf(parts.map(({ added }) => added))
  const shown: Record<string, unknown> = {
    ...(errors.length > 0 ? { errors } : {}),
    ...(data === undefined ? {} : { data }),
    ...(Object.keys(extensions).length > 0 ? { extensions } : {}),
  }
  const root: Mark = { part: null, below: new Map([['data', marks]]) }
  printer.print(shown, root)
  return printer.printed()
}

/** Prints a value without marks, in the same form and with the same bounds. */
export function printValue(value: unknown, limits: PrintLimits = LIMITS): string {
  const printer = new Printer(limits, 0)
  printer.print(value, null)
  return printer.printed().text
}

/** Which part added what is here and below. */
type Mark = { part: number | null; readonly below: Map<string | number, Mark> }

function marksOf(parts: readonly (readonly Place[])[]): Mark {
  const root: Mark = { part: null, below: new Map() }
  for (const [part, places] of parts.entries()) {
    for (const place of places) {
      let mark = root
      for (const key of place) {
        let next = mark.below.get(key)
        if (next === undefined) mark.below.set(key, (next = { part: null, below: new Map() }))
        mark = next
      }
      mark.part ??= part
    }
  }
  return root
}

class Printer {
  readonly #limits: PrintLimits
  readonly #lines: string[] = []
  /** The part of each line, or null. */
  readonly #owners: (number | null)[] = []
  readonly #parts: number
  #left: number
  #isCut = false

  constructor(limits: PrintLimits, parts: number) {
    this.#limits = limits
    this.#left = limits.characters
    this.#parts = parts
  }

  print(value: unknown, mark: Mark | null): void {
    this.#value(value, { mark, owner: mark?.part ?? null, indent: 0, before: '', after: '' })
  }

  printed(): PrintedAnswer {
    const lines = Array.from({ length: this.#parts }, (): { from: number; to: number }[] => [])
    for (const [index, owner] of this.#owners.entries()) {
      const ranges = owner === null ? undefined : lines[owner]
      const last = ranges?.at(-1)
      if (last !== undefined && last.to === index) last.to = index + 1
      else ranges?.push({ from: index + 1, to: index + 1 })
    }
    return { text: this.#lines.join('\n'), lines, isCut: this.#isCut }
  }

  #value(value: unknown, at: At): void {
    if (typeof value !== 'object' || value === null)
      return this.#line(`${at.before}${this.#scalar(value)}${at.after}`, at)
    const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
    const keys = Array.isArray(value) ? value.keys() : Object.keys(value).values()
    const count = Array.isArray(value) ? value.length : Object.keys(value).length
    if (count === 0) return this.#line(`${at.before}${open}${close}${at.after}`, at)
    if (at.indent >= this.#limits.depth) {
      this.#isCut = true
      return this.#line(`${at.before}${open} … ${close}${at.after}`, at)
    }
    this.#line(`${at.before}${open}`, at)
    let place = 0
    for (const key of keys) {
      place += 1
      if (this.#isFull) {
        this.#cut(`… ${(count - place + 1).toLocaleString('en')} more`, at)
        break
      }
      const mark = at.mark?.below.get(key) ?? null
      this.#value(memberOf(value, key), {
        mark,
        owner: mark?.part ?? at.owner,
        indent: at.indent + 1,
        before: typeof key === 'number' ? '' : `${this.#scalar(key)}: `,
        after: place === count ? '' : ',',
      })
    }
    this.#line(`${close}${at.after}`, at)
  }

  get #isFull(): boolean {
    return this.#left <= 0 || this.#lines.length >= this.#limits.lines
  }

  #scalar(value: unknown): string {
    if (typeof value !== 'string' || value.length <= this.#limits.text) return JSON.stringify(value) ?? 'null'
    this.#isCut = true
    const more = (value.length - this.#limits.text).toLocaleString('en')
    return `${JSON.stringify(value.slice(0, this.#limits.text))} … ${more} more characters`
  }

  #cut(text: string, { owner, indent }: At): void {
    this.#isCut = true
    this.#push('  '.repeat(indent + 1) + text, owner)
  }

  #line(text: string, { owner, indent }: At): void {
    this.#push('  '.repeat(indent) + text, owner)
  }

  #push(text: string, owner: number | null): void {
    this.#left -= text.length
    this.#lines.push(text)
    this.#owners.push(owner)
  }
}

type At = {
  readonly mark: Mark | null
  readonly owner: number | null
  readonly indent: number
  /** The text before the value on its line, and behind it. */
  readonly before: string
  readonly after: string
}

function memberOf(value: object, key: string | number): unknown {
  return Object.getOwnPropertyDescriptor(value, key)?.value
}
