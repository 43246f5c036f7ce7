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
import { cookiesIn, credentialsIn, NOT_CREDENTIALS } from './credentials.ts'
import type { DocumentSecrets } from './document.ts'
import type { DocumentCache } from './document-cache.ts'
import { type HiddenSpan, REDACTED, replaceSpans } from './hidden-span.ts'
import type { InnocentJson } from './innocent-json.ts'
import { spansOfJsonIn } from './json-text.ts'
import { mapValue, type ValueMap, withOwnKeys } from './map-value.ts'
import type { RequestRedaction } from './redactor.ts'
import { Secrets } from './secrets.ts'
import type { NameTest } from './sensitive-names.ts'
import { spansOfUrl, spansOfUrlsIn } from './urls.ts'

export type RedactionRules = {
  readonly isHeaderAllowed: NameTest
  readonly isSensitive: NameTest
  readonly documents: DocumentCache
  readonly innocent: InnocentJson
}

export class Redaction implements RequestRedaction {
  readonly #rules: RedactionRules
  readonly #secrets = new Secrets()
  /** Other names of sensitive fields, of any document of the request. */
  readonly #aliases = new Set<string>()
  /** Of the client's operation, whose text may be cut off in what is shown. */
  #variables: ReadonlySet<string> = new Set()
  /** Whether the names in a text are innocent. */
  readonly #texts = new Map<RecordedJson, boolean>()
  #learning = true
  /** All short texts of the trace, as far as they are shown: they are searched at once, and one by one if need be. */
  #heard = ''
  #anyHeard = true

  constructor(rules: RedactionRules) {
    this.#rules = rules
  }

  learn(trace: Trace): void {
    this.#learning = true
    this.#heard = ''
    // An answer is gone through with the aliases of all documents.
    this.#document(trace.request.body.query ?? '')
    this.#variables = this.#facts(trace.request.body.query).variables
    this.#eachDocument(trace.fetches)
    this.#trace(trace)
  }

  hide(trace: Trace): Trace {
    this.#learning = false
    this.#anyHeard = this.#secrets.find(this.#heard).length > 0
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
    if (piece instanceof RecordedJson && this.#isShownAsItIs(piece, this.#factsOf(piece))) return piece
    return this.#requestValue(valueOf(piece))
  }

  /** `query` is a document there, and `variables` are what it is given. */
  #requestValue(body: unknown): unknown {
    const query = queryOf(body)
    if (query === null) return this.#data(body)
    const { variables } = this.#facts(query)
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
    return mapValue(valueOf(piece), this.#values)
  }

  /** There is nothing in it to be hidden, or to be learned, so it need not be read. */
  #isShownAsItIs(piece: RecordedJson, document: DocumentSecrets | null): boolean {
    if (document === null || document.spans.length > 0 || document.variables.size > 0) return false
    const { text } = piece
    let innocent = this.#texts.get(piece)
    if (innocent === undefined) this.#texts.set(piece, (innocent = this.#rules.innocent.test(text)))
    if (!innocent || this.#mayNameAlias(text)) return false
    return this.#learning || !this.#secrets.mayBeIn(text)
  }

  #mayNameAlias(text: string): boolean {
    if (this.#aliases.size === 0) return false
    return text.includes('\\') || [...this.#aliases].some((alias) => text.includes(`"${alias}"`))
  }

  readonly #values: ValueMap = {
    scalar: (value) => {
      if (typeof value === 'string') return this.#text(value)
      const written = this.#learning ? null : numberText(value)
      return written !== null && this.#secrets.has(written) ? REDACTED : value
    },
    key: (key) => this.#known(key),
    member: (key, value) =>
      this.#rules.isSensitive(key) || this.#aliases.has(key) ? this.#hidden(value) : undefined,
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
    const shown = Object.entries(headers).map(
      ([name, value]): readonly [string, string | readonly string[]] => [
        this.#known(name),
        this.#rules.isHeaderAllowed(name) ? this.#allowedHeader(value) : this.#hiddenHeader(name, value),
      ],
    )
    return this.#learning ? headers : Object.fromEntries(withOwnKeys(shown))
  }

  #allowedHeader(value: string | readonly string[]): string | readonly string[] {
    return typeof value === 'string' ? this.#text(value) : value.map((each) => this.#text(each))
  }

  #hiddenHeader(name: string, value: string | readonly string[]): string {
    const key = name.toLowerCase()
    if (this.#learning && !NOT_CREDENTIALS.has(key)) {
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
    const { spans } = this.#facts(text)
    return this.#spans(text, [
      ...spans,
      ...spansOfUrlsIn(text, isSensitive),
      ...spansOfJsonIn(text, isSensitive),
    ])
  }

  #eachDocument(node: TraceNode | Trace['fetches']): void {
    if (node.kind !== 'Single') {
      for (const child of node.children) this.#eachDocument(child)
      return
    }
    const { input } = node.fetch.trace
    if (input === undefined || 'truncated' in input) return
    if (input.body instanceof RecordedJson && this.#factsOf(input.body) !== null) return
    const query = queryOf(valueOf(input.body))
    if (query !== null) this.#facts(query)
  }

  #facts(query: string | null): DocumentSecrets {
    return this.#noted(this.#rules.documents.of(query ?? ''))
  }

  /** null: it is unlike the requests of the router. */
  #factsOf(request: RecordedJson): DocumentSecrets | null {
    const facts = this.#rules.documents.ofRequest(request.text)
    return facts === null ? null : this.#noted(facts)
  }

  #noted(facts: DocumentSecrets): DocumentSecrets {
    for (const alias of facts.aliases) this.#aliases.add(alias)
    return facts
  }

  #spans(text: string, spans: readonly HiddenSpan[]): string {
    if (!this.#learning)
      return replaceSpans(text, this.#anyHeard ? [...spans, ...this.#secrets.find(text)] : spans)
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

function queryOf(body: unknown): string | null {
  if (!isObject(body)) return null
  return typeof body['query'] === 'string' ? body['query'] : null
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** As JSON writes it; null: it is no number. */
function numberText(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : null
}
