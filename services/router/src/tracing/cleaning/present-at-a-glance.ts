/**
 * Presents small traces in which nothing is hidden but values of headers, as in most traces.
 *
 * `Redaction` decides leaf by leaf, in slices, and knows what to hide of each. Here a glance at each leaf
 * rules out all of its reasons to hide something where it stands: sensitive names, URLs, and escapes, behind
 * which either may be. What headers teach is then looked for in the whole of the written trace. Whatever a
 * glance does not rule out is left to `Redaction`, which begins anew.
 */
import type { TraceHeaders } from '@switchyard/request-trace'
import type { RecordedJson } from './recorded-json.ts'
import type { RecordedTrace } from './recorded-trace.ts'
import { secretsOfHeader } from './credentials.ts'
import { hasFewBrackets, hasNoName, hasSecretParts, isHarmless } from './glances.ts'
import { lowerCase, type RedactionRules } from './redaction-rules.ts'
import type { Secrets } from './secrets.ts'
import { REDACTED } from './spans.ts'
import { type Leaf, writeLeaf, writeTrace } from './trace-leaves.ts'

/** Characters of a trace that is written in one go. */
const LONGEST = 1 << 16
/** Cost of looking at a leaf besides its characters, as a number of characters. */
const LEAF = 16
/** A request as the router writes it, with no escapes but those of lines and quotes in its document. */
const REQUEST = /^\{"query":"[^"\\]*(?:\\[n"][^"\\]*)*"[^\\]*$/

const HIDDEN = JSON.stringify(REDACTED)
const TOKEN = /^[\w-]+$/

/** The rules and the secrets by which a glance decides. */
export type Glance = {
  readonly rules: RedactionRules
  /** Secrets of the request. Those in hidden headers are added. */
  readonly secrets: Secrets
}

/**
 * Returns the redacted JSON of `shown`, or null if a glance cannot decide. `recorded` is the whole trace, of
 * which `shown` is a part.
 */
export function presentAtAGlance(
  recorded: RecordedTrace,
  shown: RecordedTrace,
  glance: Glance,
): string | null {
  const { secrets } = glance
  const all = jsonAtAGlance(recorded, glance)
  if (all === null || secrets.anyNumber) return null
  const text = shown === recorded ? all : jsonAtAGlance(shown, glance)
  // A text that holds a secret as JSON writes it has backslashes, each of which is written as two.
  if (text === null || text.length > LONGEST || text.includes('\\\\') || !secrets.areAbsentFrom(text))
    return null
  return text
}

function jsonAtAGlance(trace: RecordedTrace, glance: Glance): string | null {
  const look = new Look(glance)
  let isPlain = true
  const json = writeTrace(trace, (leaf) => {
    const shown = isPlain ? look.shown(leaf) : null
    isPlain = shown !== null
    return shown ?? ''
  })
  return isPlain ? json : null
}

class Look {
  readonly #rules: RedactionRules
  readonly #secrets: Secrets
  /** Characters that may still be looked at. */
  #left = LONGEST
  /** The value of each hidden header that was looked at last: most subgraphs are sent the same one. */
  readonly #hidden = new Map<string, string>()

  constructor({ rules, secrets }: Glance) {
    this.#rules = rules
    this.#secrets = secrets
  }

  /** Returns the JSON of a leaf, without hidden headers, which are learned; null if a glance cannot tell. */
  shown(leaf: Leaf): string | null {
    if (leaf.kind === 'headers') return this.#headers(leaf.value)
    return this.#isPlain(leaf) ? writeLeaf(leaf) : null
  }

  #isPlain({ kind, value }: Exclude<Leaf, { kind: 'headers' }>): boolean {
    switch (kind) {
      case 'text':
        return !value.includes('"') ? !value.includes('://') : this.#isHarmless(value)
      case 'label':
        return !this.#rules.names.isSensitive('label') && this.#isHarmless(value)
      case 'document':
        return this.#isHarmless(value)
      case 'url':
        return !hasSecretParts(value)
      case 'request':
        return this.#isRequestPlain(value)
      case 'variables':
      case 'answer':
      case 'given':
        return this.#isDataPlain(value)
      default:
        return kind satisfies never
    }
  }

  #isHarmless(text: string): boolean {
    return this.#takes(text.length) && isHarmless(text, this.#rules)
  }

  #isDataPlain(data: RecordedJson): boolean {
    const json = data.smallText()
    return json !== null && hasFewBrackets(json) && this.#isHarmless(json)
  }

  #isRequestPlain(data: RecordedJson): boolean {
    const json = data.smallText()
    if (json === null || (json.includes('\\') && !REQUEST.test(json))) return false
    return this.#takes(json.length) && hasFewBrackets(json) && hasNoName(json, this.#rules)
  }

  #headers(headers: TraceHeaders): string | null {
    let members = ''
    for (const name of Object.keys(headers)) {
      const value = headers[name] ?? ''
      if (typeof value !== 'string' || !this.#takes(name.length + value.length)) return null
      const isAllowed = this.#rules.isHeaderAllowed(name)
      const isPlain = isAllowed ? !value.includes('://') && !value.includes('"') : this.#learns(name, value)
      if (!isPlain) return null
      const key = TOKEN.test(name) ? `"${name}"` : JSON.stringify(name)
      members += `${members === '' ? '{' : ','}${key}:${isAllowed ? JSON.stringify(value) : HIDDEN}`
    }
    return members === '' ? '{}' : `${members}}`
  }

  /** Learns the secrets in the value of a header, unless there is a URL in it. */
  #learns(name: string, value: string): boolean {
    if (this.#hidden.get(name) === value) return true
    this.#hidden.set(name, value)
    for (const secret of secretsOfHeader(lowerCase(name), value, this.#rules.askedBy)) {
      if (secret.includes('://')) return false
      this.#secrets.add(secret)
    }
    return true
  }

  #takes(characters: number): boolean {
    this.#left -= characters + LEAF
    return this.#left >= 0
  }
}
