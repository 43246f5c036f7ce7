/**
 * Presents small traces in which nothing is hidden but values of headers, as in most traces: in one pass,
 * which makes no copy of the trace.
 *
 * `Redaction` decides piece by piece, in slices, and knows what to hide of each. Here a glance at each piece
 * rules out all of its reasons to hide something where it stands: sensitive names, URLs, and escapes, behind
 * which either may be. What headers teach is then looked for in the whole of the written trace. Whatever a
 * glance does not rule out is left to `Redaction`, which begins anew.
 */
import type { TraceFetch, TraceHeaders, TraceLoad, TraceNode } from '@switchyard/request-trace'
import { secretsOfHeader } from './credentials.ts'
import type { Secrets } from './secrets.ts'
import { REDACTED } from './spans.ts'
import { RecordedJson } from '../recorded-json.ts'
import type { RecordedTrace } from '../recorded-trace.ts'
import { hasFewBrackets, HAS_SECRET_PARTS, lowerCase, type RedactionRules } from './redact-trace.ts'
import { writeTrace } from '../write-trace.ts'

/** Characters of a trace that is written in one go. */
const LONGEST = 1 << 16
/** Cost of looking at a piece of a trace besides its characters, as a number of characters. */
const PIECE = 16
/** A request as the router writes it, with no escapes but those of lines and quotes in its document. */
const REQUEST = /^\{"query":"[^"\\]*(?:\\[n"][^"\\]*)*"[^\\]*$/

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
  const { rules, secrets } = glance
  if (!new Look(glance).findsNothing(recorded) || secrets.anyNumber) return null
  const text = writeTrace(shown, (headers) => shownHeaders(headers, rules))
  // A text that holds a secret as JSON writes it has backslashes, each of which is written as two.
  if (text.length > LONGEST || text.includes('\\\\') || !secrets.areAbsentFrom(text)) return null
  return text
}

class Look {
  readonly #rules: RedactionRules
  readonly #secrets: Secrets
  /** Characters that may still be looked at. */
  #left = LONGEST
  /**
   * The value of each hidden header that was looked at last, by name: most subgraphs are sent the same one.
   */
  readonly #hidden = new Map<string, string>()

  constructor({ rules, secrets }: Glance) {
    this.#rules = rules
    this.#secrets = secrets
  }

  findsNothing({ request, composition, fetches, asked_by: asked, warnings = [] }: RecordedTrace): boolean {
    const { query, operationName, variables } = request.body
    return (
      isPlain(composition.feature_flag ?? '') &&
      isPlain(operationName ?? '') &&
      warnings.every(isPlain) &&
      textsOf(asked).every(isPlain) &&
      !HAS_SECRET_PARTS.test(request.url) &&
      this.#isPlainText(query ?? '') &&
      this.#inHeaders(request.headers) &&
      (variables === null || this.#isPlainData(variables)) &&
      fetches.children.every((node) => this.#inNode(node))
    )
  }

  #inNode(node: TraceNode): boolean {
    return node.kind === 'Single'
      ? this.#inFetch(node.fetch)
      : node.children.every((child) => this.#inNode(child))
  }

  #inFetch({ path, source_id, source_name, defer_label: label = '', trace }: TraceFetch): boolean {
    const { raw_input_data: raw, input, output, error, failed_attempts: attempts = [] } = trace
    return (
      isPlain(path) &&
      isPlain(source_id) &&
      isPlain(source_name) &&
      this.#isPlainText(label) &&
      (error === undefined || this.#isPlainText(error.message)) &&
      attempts.every(
        ({ url = '', message = '' }) => !HAS_SECRET_PARTS.test(url) && this.#isPlainText(message),
      ) &&
      (raw === undefined || this.#isPlainData(raw)) &&
      (input === undefined || this.#inInput(input)) &&
      (output === undefined || this.#inOutput(output))
    )
  }

  #inInput(input: NonNullable<TraceLoad['input']>): boolean {
    if ('truncated' in input || HAS_SECRET_PARTS.test(input.url) || !this.#inHeaders(input.headers))
      return false
    const json = textOf(input.body)
    return json !== null && (!json.includes('\\') || REQUEST.test(json)) && this.#isPlainJson(json)
  }

  #inOutput(output: NonNullable<TraceLoad['output']>): boolean {
    return !('truncated' in output) && this.#inHeaders(output.headers) && this.#isPlainData(output.body)
  }

  #inHeaders(headers: TraceHeaders): boolean {
    const { isHeaderAllowed, askedBy } = this.#rules
    for (const name of Object.keys(headers)) {
      const value = headers[name] ?? ''
      if (typeof value !== 'string' || !this.#takes(name.length + value.length)) return false
      if (isHeaderAllowed(name)) {
        if (!isPlain(value)) return false
      } else if (this.#hidden.get(name) !== value) {
        this.#hidden.set(name, value)
        for (const secret of secretsOfHeader(lowerCase(name), value, askedBy)) {
          if (secret.includes('://')) return false
          this.#secrets.add(secret)
        }
      }
    }
    return true
  }

  #isPlainData(piece: unknown): boolean {
    const json = textOf(piece)
    return json !== null && !json.includes('\\') && this.#isPlainJson(json)
  }

  #isPlainJson(json: string): boolean {
    return hasFewBrackets(json) && this.#hasNoName(json)
  }

  /** Also of a text that quotes JSON or a document. */
  #isPlainText(text: string): boolean {
    return !text.includes('\\') && this.#hasNoName(text)
  }

  #hasNoName(text: string): boolean {
    return this.#takes(text.length) && !text.includes('://') && !this.#rules.names.mayBeIn(text)
  }

  #takes(characters: number): boolean {
    this.#left -= characters + PIECE
    return this.#left >= 0
  }
}

function textOf(piece: unknown): string | null {
  return piece instanceof RecordedJson ? piece.smallText() : null
}

/** Whether a text has neither a URL nor JSON in it. */
function textsOf(asked: RecordedTrace['asked_by']): readonly string[] {
  if (asked === undefined) return []
  const { client, token, document } = asked
  const texts = [client?.name, client?.version, token?.provider, token?.issuer, token?.subject, document]
  return texts.filter((text) => typeof text === 'string')
}

function isPlain(text: string): boolean {
  return !text.includes('://') && !text.includes('"')
}

const HIDDEN = JSON.stringify(REDACTED)
const TOKEN = /^[\w-]+$/

function shownHeaders(headers: TraceHeaders, { isHeaderAllowed }: RedactionRules): string {
  let members = ''
  for (const name of Object.keys(headers)) {
    const value = isHeaderAllowed(name) ? JSON.stringify(headers[name]) : HIDDEN
    members += `${members === '' ? '' : ','}${TOKEN.test(name) ? `"${name}"` : JSON.stringify(name)}:${value}`
  }
  return `{${members}}`
}
