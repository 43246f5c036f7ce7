/** One trace is gone through twice by the same steps: to learn its secrets, changing nothing, and to hide them. */
import type {
  Trace,
  TraceFetch,
  TraceHeaders,
  TraceInput,
  TraceNode,
  TraceOutput,
} from '@switchyard/request-trace'
import { RecordedJson, valueOf } from '../recorded-json.ts'
import { cookiesIn, credentialsIn, mayHoldCredentials } from './credentials.ts'
import type { DocumentSecrets } from './document.ts'
import type { DocumentCache } from './document-cache.ts'
import { type HiddenSpan, REDACTED, replaceSpans } from './hidden-span.ts'
import type { Glance, JsonGlance } from './json-glance.ts'
import { spansOfJsonIn } from './json-text.ts'
import { mapValue, type ValueMap, withOwnKeys } from './map-value.ts'
import { queryOf, RequestDocuments } from './request-documents.ts'
import type { RequestRedaction } from './redactor.ts'
import { Secrets } from './secrets.ts'
import type { NameTest } from './sensitive-names.ts'
import { spansOfUrl, spansOfUrlsIn } from './urls.ts'

export type RedactionRules = {
  readonly isHeaderAllowed: NameTest
  readonly isSensitive: NameTest
  /** By which a trace is asked for, in lower case. */
  readonly traceHeader: string
  readonly documents: DocumentCache
  readonly glance: JsonGlance
}

export class Redaction implements RequestRedaction {
  readonly #rules: RedactionRules
  readonly #secrets = new Secrets()
  readonly #documents: RequestDocuments
  /** Of the client's operation, whose text may be cut off in what is shown. */
  #variables: ReadonlySet<string> = new Set()
  readonly #glances = new Map<RecordedJson, Glance>()
  #learning = true
  /** All short texts of the trace, as far as they are shown: they are searched at once, and one by one if need be. */
  #heard = ''
  /** Whether texts are searched one by one. */
  #searches = true

  constructor(rules: RedactionRules) {
    this.#rules = rules
    this.#documents = new RequestDocuments(rules.documents)
  }

  learn(trace: Trace): void {
    this.#learning = true
    this.#heard = ''
    // An answer is gone through with the aliases of all documents.
    this.#document(trace.request.body.query ?? '')
    this.#variables = this.#documents.of(trace.request.body.query ?? '').variables
    this.#documents.learn(trace.fetches)
    this.#trace(trace)
  }

  hide(trace: Trace): Trace {
    this.#learning = false
    this.#searches = this.#secrets.find(this.#heard).length > 0
    return this.#trace(trace)
  }

  #trace(trace: Trace): Trace {
    const { request, composition, warnings } = trace
    const { query, operationName, variables } = request.body
    const shown: Trace = {
      ...trace,
      composition: { ...composition, feature_flag: this.#textOrNull(composition.feature_flag) },
      fetches: { kind: 'Sequence', children: trace.fetches.children.map((node) => this.#node(node)) },
      request: {
        ...request,
        url: this.#url(request.url),
        headers: this.#headers(request.headers),
        body: {
          query: query === null ? null : this.#document(query),
          operationName: this.#textOrNull(operationName),
          variables: variables === null ? null : this.#members(variables, this.#variables),
        },
      },
    }
    return warnings === undefined ? shown : { ...shown, warnings: warnings.map((each) => this.#text(each)) }
  }

  #node(node: TraceNode): TraceNode {
    if (node.kind === 'Single') return { kind: 'Single', fetch: this.#fetch(node.fetch) }
    return { kind: node.kind, children: node.children.map((child) => this.#node(child)) }
  }

  #fetch(fetch: TraceFetch): TraceFetch {
    const { trace } = fetch
    return {
      ...fetch,
      path: this.#text(fetch.path),
      source_id: this.#text(fetch.source_id),
      source_name: this.#text(fetch.source_name),
      trace: {
        ...trace,
        ...('raw_input_data' in trace && { raw_input_data: this.#data(trace.raw_input_data) }),
        ...(trace.input !== undefined && {
          input: 'truncated' in trace.input ? trace.input : this.#input(trace.input),
        }),
        ...(trace.output !== undefined && {
          output: 'truncated' in trace.output ? trace.output : this.#output(trace.output),
        }),
        ...(trace.error !== undefined && {
          error: { code: trace.error.code, message: this.#text(trace.error.message) },
        }),
      },
    }
  }

  #input(input: TraceInput): TraceInput {
    return {
      method: input.method,
      url: this.#url(input.url),
      headers: this.#headers(input.headers),
      body: this.#requestBody(input.body),
    }
  }

  #output(output: TraceOutput): TraceOutput {
    return { ...output, headers: this.#headers(output.headers), body: this.#data(output.body) }
  }

  #requestBody(piece: unknown): unknown {
    if (piece instanceof RecordedJson && this.#isShownAsItIs(piece, this.#documents.ofRequest(piece)))
      return piece
    return this.#searching(() => this.#requestValue(valueOf(piece)))
  }

  /** `query` is a document there, and `variables` are what it is given. */
  #requestValue(body: unknown): unknown {
    const query = queryOf(body)
    if (query === null) return this.#data(body)
    const { variables } = this.#documents.of(query)
    return mapValue(body, {
      ...this.#values,
      member: (key, value) => {
        if (value === query && key === 'query') return this.#document(query)
        if (key === 'variables' && isObject(value)) return this.#members(value, variables)
        return this.#values.member(key, value)
      },
    })
  }

  /** Of the members of the object itself, also those with the names given are hidden. */
  #members(object: Readonly<Record<string, unknown>>, hidden: ReadonlySet<string>): Record<string, unknown> {
    const members = Object.entries(object).map(([name, value]): readonly [string, unknown] => {
      const shown = hidden.has(name) ? this.#hidden(value) : this.#values.member(name, value)
      return [this.#known(name), shown ?? mapValue(value, this.#values)]
    })
    return Object.fromEntries(withOwnKeys(members))
  }

  #data(piece: unknown): unknown {
    if (piece instanceof RecordedJson && this.#isShownAsItIs(piece, NOTHING_SECRET)) return piece
    return this.#searching(() => mapValue(valueOf(piece), this.#values))
  }

  /** A piece that was not read to learn was not heard, either. */
  #searching<Shown>(show: () => Shown): Shown {
    const before = this.#searches
    this.#searches = true
    const shown = show()
    this.#searches = before
    return shown
  }

  /** There is nothing in it to be hidden, or to be learned, so it need not be read. */
  #isShownAsItIs(piece: RecordedJson, document: DocumentSecrets | null): boolean {
    if (document === null || document.spans.length > 0 || document.variables.size > 0) return false
    const { text } = piece
    let glance = this.#glances.get(piece)
    if (glance === undefined) this.#glances.set(piece, (glance = this.#rules.glance.at(text)))
    if (!glance.innocent || this.#documents.mayNameAlias(text)) return false
    return this.#learning || !this.#secrets.mayBeIn(text, glance.runs)
  }

  readonly #values: ValueMap = {
    scalar: (value) => {
      if (typeof value === 'string') return this.#text(value)
      const written = this.#learning ? null : numberText(value)
      return written !== null && this.#secrets.has(written) ? REDACTED : value
    },
    key: (key) => this.#known(key),
    member: (key, value) =>
      this.#rules.isSensitive(key) || this.#documents.isAlias(key) ? this.#hidden(value) : undefined,
  }

  /** null stays: it says that there is no value. */
  #hidden(value: unknown): unknown {
    if (value === null || value === undefined) return value
    if (!this.#learning) return REDACTED
    mapValue(value, {
      scalar: (each) => {
        if (typeof each === 'string') this.#learnParts(each, credentialsIn(each))
        else this.#secrets.add(numberText(each) ?? '')
        return each
      },
      key: (key) => key,
      member: () => undefined,
    })
    return value
  }

  #headers(headers: TraceHeaders): TraceHeaders {
    const shown: [string, string | readonly string[]][] = []
    for (const name in headers) {
      const value = headers[name] ?? ''
      const allowed = this.#rules.isHeaderAllowed(name)
      const redacted = allowed ? this.#allowedHeader(value) : this.#hiddenHeader(name, value)
      const key = this.#known(name)
      if (!this.#learning) shown.push([key, redacted])
    }
    if (this.#learning) return headers
    return Object.fromEntries(this.#searches ? withOwnKeys(shown) : shown)
  }

  #allowedHeader(value: string | readonly string[]): string | readonly string[] {
    return typeof value === 'string' ? this.#text(value) : value.map((each) => this.#text(each))
  }

  #hiddenHeader(name: string, value: string | readonly string[]): string {
    const key = name.toLowerCase()
    if (this.#learning && mayHoldCredentials(key, this.#rules.traceHeader)) {
      for (const line of typeof value === 'string' ? [value] : value) {
        const parts = key === 'cookie' || key === 'set-cookie' ? cookiesIn(key, line) : credentialsIn(line)
        this.#learnParts(line, parts)
      }
    }
    return REDACTED
  }

  /** All of a hidden text, and what of it is used by itself. */
  #learnParts(text: string, parts: readonly string[]): void {
    const inUrls = spansOfUrlsIn(text, this.#rules.isSensitive).flatMap(({ secrets }) => secrets)
    for (const secret of [text, ...parts, ...inUrls]) this.#secrets.add(secret)
  }

  #url(url: string): string {
    return this.#spans(url, spansOfUrl(url))
  }

  #text(text: string): string {
    const { isSensitive } = this.#rules
    return this.#spans(text, [...spansOfUrlsIn(text, isSensitive), ...spansOfJsonIn(text, isSensitive)])
  }

  #textOrNull(text: string | null): string | null {
    return text === null ? null : this.#text(text)
  }

  #document(text: string): string {
    const { isSensitive } = this.#rules
    const { spans } = this.#documents.of(text)
    return this.#spans(text, [
      ...spans,
      ...spansOfUrlsIn(text, isSensitive),
      ...spansOfJsonIn(text, isSensitive),
    ])
  }

  #spans(text: string, spans: readonly HiddenSpan[]): string {
    if (!this.#learning)
      return replaceSpans(text, this.#searches ? [...spans, ...this.#secrets.find(text)] : spans)
    for (const { secrets } of spans) for (const secret of secrets) this.#secrets.add(secret)
    // A quote is in nothing that could be decoded.
    this.#heard += `"${replaceSpans(text, spans)}`
    return text
  }

  #known(text: string): string {
    return this.#spans(text, [])
  }
}

const NOTHING_SECRET: DocumentSecrets = { spans: [], variables: new Set(), aliases: new Set() }

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** As JSON writes it; null: it is no number. */
function numberText(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : null
}
