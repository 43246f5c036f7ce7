/**
 * Searches names and descriptions while somebody types. Names stand in one long text, one a line, those of
 * types first, then those of fields, input fields and enum values, then those of arguments: to look through
 * 400,000 of them takes a few milliseconds.
 */
import type { CompositionSearch } from '@switchyard/contracts/studio'

type Match = CompositionSearch['matches'][number]
/** A name that can be found. `owner` is the place of the type, or of an argument's field. */
export type SearchEntry = {
  readonly name: string
  readonly kind: Match['kind']
  readonly owner: number | null
  readonly description: string | null
}

/** Characters of a description that are looked through, and of an excerpt. */
const DESCRIPTION_CHARACTERS = 1000
const EXCERPT_CHARACTERS = 120
const KINDS = ['type', 'field', 'argument', 'input-field', 'enum-value'] as const
const NO_OWNER = 0xffffffff

/** Lines of text that are found by a part of them. Both forms of the text have the same places. */
class Lines {
  readonly #text: string
  readonly #lowered: string
  readonly #starts: Uint32Array

  constructor(lines: readonly string[]) {
    this.#starts = new Uint32Array(lines.length)
    let at = 1
    for (const [index, { length }] of lines.entries()) {
      this.#starts[index] = at
      at += length + 1
    }
    // A line begins and ends with a line break, by which whole lines and beginnings are found.
    this.#text = `\n${lines.join('\n')}\n`
    this.#lowered = this.#text.toLowerCase()
  }

  get count(): number {
    return this.#starts.length
  }

  line(index: number): string {
    const start = this.#starts[index] ?? 0
    return this.#text.slice(start, this.#text.indexOf('\n', start))
  }

  /** Whether a line holds a lower-case text: at its beginning, or anywhere. */
  begins(index: number, text: string): boolean {
    return this.#lowered.startsWith(text, this.#starts[index] ?? 0)
  }

  /** Numbers of the lines in which a lower-case text is found, each once, with its place in the line. */
  *find(text: string): Generator<{ readonly index: number; readonly at: number }> {
    let from = 0
    for (;;) {
      const found = this.#lowered.indexOf(text, from)
      if (found === -1) return
      const index = this.#lineAt(found + 1)
      const start = this.#starts[index] ?? 0
      yield { index, at: Math.max(0, found - start) }
      from = Math.max(found + 1, (this.#starts[index + 1] ?? this.#lowered.length) - 1)
    }
  }

  /** The last line that begins at a place or before it. */
  #lineAt(place: number): number {
    let low = 0
    let high = this.#starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if ((this.#starts[middle] ?? 0) <= place) low = middle
      else high = middle - 1
    }
    return low
  }
}

export class NameSearch {
  readonly #names: Lines
  readonly #descriptions: Lines
  readonly #described: Uint32Array
  readonly #kinds: Uint8Array
  readonly #owners: Uint32Array

  /** Entries in the order in which equally good matches are told. */
  constructor(entries: readonly SearchEntry[]) {
    this.#names = new Lines(entries.map(({ name }) => name))
    this.#kinds = Uint8Array.from(entries, ({ kind }) => KINDS.indexOf(kind))
    this.#owners = Uint32Array.from(entries, ({ owner }) => owner ?? NO_OWNER)
    const described = entries.flatMap(({ description }, index) =>
      description === null || description === '' ? [] : [{ index, text: inOneLine(description) }],
    )
    this.#descriptions = new Lines(described.map(({ text }) => text))
    this.#described = Uint32Array.from(described, ({ index }) => index)
  }

  /** The best matches first, and whether there are more than `limit`. */
  search(asked: string, limit: number): { readonly matches: readonly Match[]; readonly more: boolean } {
    const text = inOneLine(asked).trim().toLowerCase()
    const found = new Map<number, Match>()
    if (text === '') return { matches: [], more: false }
    for (const match of this.#matches(text)) {
      if (found.size > limit) break
      if (!found.has(match.entry)) found.set(match.entry, this.#matchOf(match.entry, match.excerpt))
    }
    const matches = [...found.values()]
    return { matches: matches.slice(0, limit), more: matches.length > limit }
  }

  /** Returns the coordinate of an entry: `Product`, `Product.price`, `Query.search(term:)`. */
  coordinateOf(entry: number): string {
    const name = this.#names.line(entry)
    const owner = this.#owners[entry] ?? NO_OWNER
    if (owner === NO_OWNER) return name
    const of = this.coordinateOf(owner)
    return KINDS[this.#kinds[entry] ?? 0] === 'argument' ? `${of}(${name}:)` : `${of}.${name}`
  }

  *#matches(text: string): Generator<{ readonly entry: number; readonly excerpt: string | null }> {
    const [member = '', owner = ''] = text.split(/[.(]/).reverse()
    if (owner !== '') yield* this.#members(owner, member.replace(/[:)\s]+$/, ''))
    for (const wanted of [`\n${text}\n`, `\n${text}`, text])
      for (const { index } of this.#names.find(wanted)) yield { entry: index, excerpt: null }
    if (this.#descriptions.count === 0) return
    for (const { index, at } of this.#descriptions.find(text)) {
      const excerpt = excerptOf(this.#descriptions.line(index), at)
      yield { entry: this.#described[index] ?? 0, excerpt }
    }
  }

  /** Members that begin with one text, of types and fields whose names begin with the other. */
  *#members(owner: string, member: string): Generator<{ readonly entry: number; readonly excerpt: null }> {
    for (let entry = 0; entry < this.#owners.length; entry += 1) {
      const of = this.#owners[entry] ?? NO_OWNER
      if (of === NO_OWNER || !this.#names.begins(of, owner)) continue
      if (this.#names.begins(entry, member)) yield { entry, excerpt: null }
    }
  }

  #matchOf(entry: number, excerpt: string | null): Match {
    let type = entry
    for (let of = this.#owners[entry]; of !== undefined && of !== NO_OWNER; of = this.#owners[of]) type = of
    return {
      coordinate: this.coordinateOf(entry),
      kind: KINDS[this.#kinds[entry] ?? 0] ?? 'type',
      type: this.#names.line(type),
      matched: excerpt === null ? 'name' : 'description',
      excerpt,
    }
  }
}

/** The only letter that is longer in lower case is replaced, so that places are equal in both forms. */
function inOneLine(text: string): string {
  return text.slice(0, DESCRIPTION_CHARACTERS).replaceAll(/\s+/g, ' ').replaceAll('İ', 'I')
}

function excerptOf(line: string, at: number): string {
  const start = Math.max(0, at - EXCERPT_CHARACTERS / 3)
  const end = start + EXCERPT_CHARACTERS
  return `${start === 0 ? '' : '…'}${line.slice(start, end)}${end >= line.length ? '' : '…'}`
}
