/**
 * Random changes of texts that have a grammar: documents, JSON, schemas, messages. A text is a list of parts,
 * and brackets among them say what belongs together, so that one set of changes serves all of them.
 */
import {
  type Arbitrary,
  array,
  bigInt,
  constant,
  constantFrom,
  integer,
  noBias,
  oneof,
  record,
  string,
  tuple,
} from 'fast-check'

/** The parts of a text. Parts that are one bracket each have their counterpart further on. */
export type Parts = readonly string[]

export type Surroundings = {
  /** The texts that are changed, and from which other texts get parts. */
  readonly seeds: readonly Parts[]
  /** Words that stand for others now and then. */
  readonly words: readonly string[]
  /** The part between the items of lists. Empty if parts are raw bytes. */
  readonly separator: string
  readonly maxLength: number
}

const PART = /"(?:[^"\\]|\\.)*"|[\w$@.+-]+|\s+|[^]/g

/** Cuts a document, JSON or a schema into its tokens. */
export function partsOf(text: string): Parts {
  return text.match(PART) ?? []
}

const KINDS = ['repeat', 'number', 'insert', 'remove', 'nest', 'splice', 'word', 'text', 'stuff'] as const

/** Changes of an item of a list, with its key if it has one. Others are of any part. */
const OF_ITEMS: ReadonlySet<string> = new Set(['repeat', 'number', 'insert', 'remove'])

type Change = {
  readonly kind: (typeof KINDS)[number]
  /** Numbers from 0 to 1 that choose the part to change, and the part to change it with. */
  readonly at: number
  readonly other: number
  readonly count: number
  readonly text: string
}

const UNITS = '\n|\r| |,|\t|#\n|\ufeff|"|\\|{|[|(|\u0000|#x\r\n|0|9|""'.split('|')

/** Uniform from 0 to 1; numbers of fast-check prefer the ends. */
const fraction = noBias(integer({ min: 0, max: 2 ** 31 - 1 })).map((number) => number / 2 ** 31)
const count = oneof(
  { arbitrary: integer({ min: 1, max: 4 }), weight: 4 },
  { arbitrary: integer({ min: 5, max: 100 }), weight: 4 },
  { arbitrary: integer({ min: 100, max: 3000 }), weight: 3 },
  { arbitrary: integer({ min: 3000, max: 100_000 }), weight: 1 },
)
const text = oneof(
  { arbitrary: string({ maxLength: 12, unit: 'grapheme' }), weight: 2 },
  { arbitrary: integer().map(String), weight: 1 },
  { arbitrary: bigInt().map(String), weight: 1 },
  {
    arbitrary: constantFrom('12345678901234567890', '1e400', '-0', '0.1', '1E-7', '9007199254740993'),
    weight: 1,
  },
  {
    arbitrary: tuple(
      constantFrom('a', '_', '\\', '"', '\n', '\u2028', '🂡', '\u0000', '--graphql', '9'),
      count,
    ).map(([unit, times]) => unit.repeat(times)),
    weight: 2,
  },
)
const changes: Arbitrary<readonly Change[]> = array(
  record({ kind: constantFrom(...KINDS), at: fraction, other: fraction, count, text }),
  { minLength: 1, maxLength: 6 },
)
/** Characters that a text may have afterwards. Many small texts are tried in the time of a large one. */
const room = oneof(
  { arbitrary: constant(1000), weight: 700 },
  { arbitrary: constant(10_000), weight: 250 },
  { arbitrary: constant(100_000), weight: 48 },
  { arbitrary: constant(5_000_000), weight: 2 },
)

/** Draws texts that come from one of the seeds by a few random changes. */
export function changedTexts(surroundings: Surroundings): Arbitrary<string> {
  const { seeds, maxLength } = surroundings
  return tuple(constantFrom(...seeds), changes, room).map(([seed, steps, most]) => {
    const longest = Math.max(most, lengthOf(seed))
    const parts = steps.reduce((now, step) => {
      const next = changed(now, step, longest - lengthOf(now), surroundings)
      return lengthOf(next) > longest ? now : next
    }, seed)
    return parts.join('').slice(0, maxLength)
  })
}

/** `left` is the number of characters by which the text may grow. */
function changed(parts: Parts, step: Change, left: number, { seeds, words, separator }: Surroundings): Parts {
  const { from, to } = spanAt(parts, step.at, OF_ITEMS.has(step.kind))
  const item = parts.slice(from, to)
  const times = Math.max(1, Math.min(step.count, Math.floor(left / (lengthOf(item) + 1))))
  const replacedBy = (items: Parts) => [...parts.slice(0, from), ...items, ...parts.slice(to)]
  const donor = () => similarSpan(seeds, item, step.other) ?? item
  switch (step.kind) {
    case 'repeat':
      return replacedBy(repeated([...item, separator], times).concat(item))
    case 'number': {
      const copies = Array.from({ length: times }, (_, number) => [...numbered(item, number), separator])
      return replacedBy(copies.flat().concat(item))
    }
    case 'nest':
      return replacedBy(nested(item, step.other, times))
    case 'splice':
      return replacedBy(donor())
    case 'insert':
      return replacedBy([...item, separator, ...donor()])
    case 'remove':
      if (parts[to] !== separator && parts[from - 1] === separator)
        return parts.toSpliced(from - 1, to - from + 1)
      return parts.toSpliced(from, to - from + (parts[to] === separator ? 1 : 0))
    case 'word':
      return replacedBy(withWord(item, pick(words, step.other) ?? '', step.other, separator === ''))
    case 'text':
      return replacedBy(withWord(item, step.text, step.other, separator === ''))
    case 'stuff':
      return replacedBy([...item, (pick(UNITS, step.other) ?? '\n').repeat(times)])
    default:
      return step.kind satisfies never
  }
}

function pick<Item>(items: readonly Item[], at: number): Item | undefined {
  return items[Math.floor(at * items.length)]
}

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' }
const isSpace = (part: string | undefined) => part !== undefined && part.trim() === ''

/** Finds a part with the value behind its colon and the brackets that follow: a field, a member, a group. */
function spanAt(parts: Parts, at: number, withKey: boolean): { readonly from: number; readonly to: number } {
  let from = Math.floor(at * parts.length)
  while (from < parts.length - 1 && (isSpace(parts[from]) || /^[,:)\]}]$/.test(parts[from] ?? ''))) from++
  if (withKey) from = keyBefore(parts, from)
  let to = groupEnd(parts, from)
  for (;;) {
    const next = isSpace(parts[to]) ? to + 1 : to
    const part = parts[next] ?? ''
    if (part === ':') to = groupEnd(parts, isSpace(parts[next + 1]) ? next + 2 : next + 1)
    else if (part in CLOSING) to = groupEnd(parts, next)
    else return { from, to }
  }
}

/** Returns the index of the key of a value, or the index itself. */
function keyBefore(parts: Parts, from: number): number {
  const before = isSpace(parts[from - 1]) ? from - 2 : from - 1
  return parts[before] === ':' && before > 0 ? before - 1 : from
}

const TRIES = 12

/** Finds something in another text that may stand where an item stands. */
function similarSpan(seeds: readonly Parts[], item: Parts, at: number): Parts | undefined {
  const kind = kindOf(item)
  for (let time = 1; time <= TRIES; time++) {
    const seed = pick(seeds, (at * time * 7919) % 1) ?? []
    const { from, to } = spanAt(seed, (at * time * 104_729) % 1, kind === 'member')
    const span = seed.slice(from, to)
    if (kindOf(span) === kind) return span
  }
  return undefined
}

function kindOf(item: Parts): string {
  const [first = '', second = '', third = ''] = item
  if (second === ':' || (isSpace(second) && third === ':')) return first.startsWith('"') ? 'member' : 'pair'
  return first in CLOSING || item.length === 1 ? first.charAt(0).replace(/\w/, 'a') : 'field'
}

/**
 * Puts a word in the place of one of an item's words, between quotation marks if it needs them and parts are
 * not raw bytes.
 */
function withWord(item: Parts, word: string, at: number, isRaw: boolean): Parts {
  const places = item.flatMap((part, index) => (isRaw || /^["\w]/.test(part) ? [index] : []))
  const place = pick(places, at)
  if (place === undefined) return item
  const isBare = isRaw || /^[A-Za-z_]/.test(item[place] ?? '') || /^-?\d+(?:\.\d+)?$/.test(word)
  return item.with(place, isBare ? word : JSON.stringify(word))
}

/** Returns the index behind a part, or behind the bracket that closes it. */
function groupEnd(parts: Parts, from: number): number {
  const open = parts[from] ?? ''
  const close = CLOSING[open]
  if (close === undefined) return Math.min(from + 1, parts.length)
  let depth = 0
  for (let index = from; index < parts.length; index++) {
    if (parts[index] === open) depth++
    else if (parts[index] === close && --depth === 0) return index + 1
  }
  return from + 1
}

/** Repeats everything around a group inside of an item, with brackets of the same kind. */
function nested(item: Parts, at: number, times: number): Parts {
  const outer = item.findIndex((part) => part in CLOSING)
  const inner = item.flatMap((part, index) => (index > outer && part === item[outer] ? [index] : []))
  const from = inner[Math.floor(at * inner.length)]
  if (from === undefined) return item
  const [to, end] = [groupEnd(item, from), groupEnd(item, outer)]
  const [head, tail] = [item.slice(outer, from), item.slice(to, end)]
  const core = [...repeated(head, times), ...item.slice(from, to), ...repeated(tail, times)]
  return [...item.slice(0, outer), ...core, ...item.slice(end)]
}

/** A copy that does not collide with others: its first number is another, or its key or alias is. */
function numbered(item: Parts, number: number): Parts {
  const [first = '', ...rest] = item
  const digits = item.findIndex((part) => /\d/.test(part))
  if (digits !== -1) return item.with(digits, (item[digits] ?? '').replace(/\d+/, String(number)))
  if (first.startsWith('"')) return [`"k${number}"`, ...rest]
  return /^[A-Za-z_]/.test(first) ? [`a${number}`, ':', ...item] : item
}

function repeated(parts: Parts, times: number): string[] {
  return Array.from({ length: times }, () => parts).flat()
}

function lengthOf(parts: Parts): number {
  return parts.reduce((sum, part) => sum + part.length, 0)
}
