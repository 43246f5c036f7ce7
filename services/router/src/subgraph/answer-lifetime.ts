/**
 * How long the answer to an operation may be kept: the most restrictive of what the subgraphs say of theirs.
 *
 * A subgraph says it by `Cache-Control` and `Age` (RFC 9111). What it leaves unsaid, its schema may say by
 * `@cacheControl`; where both are silent, nobody may keep the answer.
 */
import { type CacheLimit, type FetchHints, strictest } from '@switchyard/engine'

/** As HTTP clients give them. */
type Fields = Readonly<Record<string, string | readonly string[] | undefined>>

const NEVER: CacheLimit = { maxAge: 0, isPrivate: false }
const UNLIMITED: CacheLimit = { maxAge: Number.POSITIVE_INFINITY, isPrivate: false }
/** RFC 9111 §1.2.2: what is larger is taken as this. */
const MOST_SECONDS = 2 ** 31
/** `name`, `name=token` or `name="text"`, up to the next comma. */
const DIRECTIVE = /[\s,]*([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?\s*(?=,|$)/y

/** Of the answer to one operation. */
export class AnswerLifetime {
  readonly #hints: readonly FetchHints[] | null
  #limit: CacheLimit | null = null

  /** `hints`: what the schema says of each fetch; null: nothing. */
  constructor(hints: readonly FetchHints[] | null) {
    this.#hints = hints
  }

  /** `fetch`: its number in the plan; `fields`: the headers of its answer. */
  answered(fetch: number, fields: Fields): void {
    if (this.#limit?.maxAge === 0) return
    const said = limitIn(fields)
    const hints = this.#hints?.[fetch]
    const limit =
      said === null ? (hints?.assumed ?? NEVER) : hints === undefined ? said : strictest(said, hints.said)
    this.#limit = strictest(this.#limit ?? UNLIMITED, limit)
  }

  /** null: it may not be kept. Otherwise whole seconds, at least one. */
  get limit(): CacheLimit | null {
    const { maxAge, isPrivate } = this.#limit ?? NEVER
    return maxAge < 1 || maxAge === Number.POSITIVE_INFINITY
      ? null
      : { maxAge: Math.floor(maxAge), isPrivate }
  }
}

/**
 * What an answer says of itself; null: nothing. What cannot be read, or varies by everything, is never kept.
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

/** By name in lower case; the first one counts. null: this is no such header. */
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

/** 0 for what is no number of seconds. */
function secondsOf(value: string): number {
  return /^\d+$/.test(value) ? Math.min(Number(value), MOST_SECONDS) : 0
}

/** Everything is too old whose age cannot be read. */
function ageOf(text: string): number {
  return /^\s*\d+\s*$/.test(text) ? Math.min(Number(text), MOST_SECONDS) : MOST_SECONDS
}

function textOf(field: string | readonly string[] | undefined): string | null {
  if (field === undefined) return null
  return typeof field === 'string' ? field : field.join(',')
}
