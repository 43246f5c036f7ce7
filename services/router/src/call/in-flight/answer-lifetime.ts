/**
 * Finds out how long the answer to an operation may be kept: as long as the most restrictive answer of a
 * subgraph allows.
 *
 * A subgraph says it by `Cache-Control` and `Age` (RFC 9111). If it does not, its schema may say it by
 * `@cacheControl`. If both are silent, nobody may keep the answer.
 */
import { type CacheLimit, type FetchHints, strictest } from '@switchyard/engine'

/** Header fields as HTTP clients give them. */
type Fields = Readonly<Record<string, string | readonly string[] | undefined>>

const NEVER: CacheLimit = { maxAge: 0, isPrivate: false }
const UNLIMITED: CacheLimit = { maxAge: Number.POSITIVE_INFINITY, isPrivate: false }
/** The largest number of seconds; a larger one is read as this (RFC 9111 §1.2.2). */
const MOST_SECONDS = 2 ** 31
/** One directive: `name`, `name=token` or `name="text"`, up to the next comma. */
const DIRECTIVE = /[\s,]*([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?\s*(?=,|$)/y

/** The lifetime of the answer to one operation. */
export class AnswerLifetime {
  readonly #hints: readonly FetchHints[] | null
  readonly #isPrivate: boolean
  #limit: CacheLimit | null = null

  /**
   * `hints` are the cache hints of the schema for each fetch. Null if the schema has none. `isPrivate`: the
   * answer is for one user, whatever subgraphs say.
   */
  constructor(hints: readonly FetchHints[] | null, isPrivate = false) {
    this.#hints = hints
    this.#isPrivate = isPrivate
  }

  /**
   * Takes the headers (`fields`) of the answer to a fetch into account. `fetch` is its number in the plan.
   */
  answered(fetch: number, fields: Fields): void {
    if (this.#limit?.maxAge === 0) return
    const said = limitIn(fields)
    const hints = this.#hints?.[fetch]
    const limit =
      said === null ? (hints?.assumed ?? NEVER) : hints === undefined ? said : strictest(said, hints.said)
    this.#limit = strictest(this.#limit ?? UNLIMITED, limit)
  }

  /** How long the answer may be kept, in whole seconds, at least one. Null if it may not be kept. */
  get limit(): CacheLimit | null {
    const { maxAge, isPrivate } = this.#limit ?? NEVER
    return maxAge < 1 || maxAge === Number.POSITIVE_INFINITY
      ? null
      : { maxAge: Math.floor(maxAge), isPrivate: isPrivate || this.#isPrivate }
  }
}

/**
 * Returns what an answer's headers say about how long it may be kept, or null if they do not say. An answer
 * may not be kept if the headers cannot be read, or if it varies by everything (`Vary: *`).
 */
export function limitIn(fields: Fields): CacheLimit | null {
  const text = textOf(fields['cache-control'])
  if (text === null) return null
  if (/(?:^|,)\s*\*\s*(?:,|$)/.test(textOf(fields['vary']) ?? '')) return NEVER
  const directives = directivesIn(text)
  if (directives === null || directives.has('no-store') || directives.has('no-cache')) return NEVER
  const ages = ['max-age', 's-maxage'].flatMap((name) => {
    const value = directives.get(name)
    return value === undefined ? [] : [secondsOf(value)]
  })
  const age = textOf(fields['age'])
  if (ages.length === 0) return NEVER
  const rest = Math.min(...ages) - (age === null ? 0 : ageOf(age))
  return { maxAge: Math.max(0, rest), isPrivate: directives.has('private') }
}

/**
 * Returns the directives of a `Cache-Control` header by their names in lower case. The first one of a name
 * counts. Returns null if `text` is not a valid header.
 */
function directivesIn(text: string): ReadonlyMap<string, string> | null {
  const directives = new Map<string, string>()
  for (let at = 0; at < text.length; ) {
    DIRECTIVE.lastIndex = at
    const found = DIRECTIVE.exec(text)
    if (found === null) return /^[\s,]*$/.test(text.slice(at)) ? directives : null
    const [, name = '', quoted, plain = ''] = found
    if (!directives.has(name.toLowerCase())) directives.set(name.toLowerCase(), quoted ?? plain)
    at = DIRECTIVE.lastIndex
  }
  return directives
}

/** Returns a number of seconds, or 0 if `value` is none. */
function secondsOf(value: string): number {
  return /^\d+$/.test(value) ? Math.min(Number(value), MOST_SECONDS) : 0
}

/** Returns the age in seconds. An age that cannot be read counts as too old. */
function ageOf(text: string): number {
  return /^\s*\d+\s*$/.test(text) ? Math.min(Number(text), MOST_SECONDS) : MOST_SECONDS
}

function textOf(field: string | readonly string[] | undefined): string | null {
  if (field === undefined) return null
  return typeof field === 'string' ? field : field.join(',')
}
