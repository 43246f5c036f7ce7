/**
 * Takes out of a trace what not everyone who may see the trace may see; docs/trace-redaction.md says what
 * that is.
 *
 * A trace is gone through twice by the same steps: to learn its secrets, changing nothing, and to hide them.
 * What the router itself says (kinds, codes, times) stays, so that the trace stays readable.
 */
import type {
  TraceAskedBy,
  TraceFailedAttempt,
  TraceFetch,
  TraceHeaders,
  TraceInput,
  TraceNode,
  TraceOutput,
} from '@switchyard/request-trace'
import { type AskedBy, credentialsIn, secretsOfHeader } from './credentials.ts'
import { type DocumentSecrets, secretsOfDocument } from './document.ts'
import { hiddenInJson, type JsonPlace, type JsonRules, MAX_DEPTH } from './json-members.ts'
import type { Meter, Sliced } from './meter.ts'
import { Secrets, SHORTEST_SECRET } from './secrets.ts'
import { type SensitiveNames, sensitiveNames } from './sensitive-names.ts'
import { type HiddenSpan, LEFT_OUT, REDACTED, replaceSpans } from './spans.ts'
import { spansOfUrl, spansOfUrlsIn } from './urls.ts'
import { FLAG_COOKIE, FLAG_HEADER } from '../../flags/requested-flag.ts'
import { GUARD_HEADERS } from '../../http/check-csrf.ts'
import { traceNames } from '../../headers/trace-names.ts'
import { type JsonMaking, RecordedJson } from '../recorded-json.ts'
import type { RecordedTrace } from '../recorded-trace.ts'

export type RedactionSettings = {
  /** `*`: all. */
  readonly allowedHeaders: readonly string[]
  readonly sensitiveNames: readonly string[]
  /** Part of the name of the header by which a trace is asked for. */
  readonly vendor: string
  /** Headers in which tokens of clients are, in lower case: they are hidden whatever is allowed. */
  readonly tokenHeaders?: ReadonlySet<string>
}

export type RedactionRules = {
  readonly isHeaderAllowed: (name: string) => boolean
  readonly names: SensitiveNames
  /**
   * Whether anything is hidden. If not, all headers are allowed and no name is sensitive, so that traces are
   * shown as they are.
   */
  readonly hidesAnything: boolean
  readonly askedBy: AskedBy
}

export function redactionRules({
  allowedHeaders,
  tokenHeaders = new Set(),
  ...settings
}: RedactionSettings): RedactionRules {
  const allowed = new Set(allowedHeaders.map((name) => name.toLowerCase()))
  const allHeaders = allowed.has('*')
  return {
    isHeaderAllowed: (name) =>
      (allHeaders || allowed.has(lowerCase(name))) &&
      (tokenHeaders.size === 0 || !tokenHeaders.has(lowerCase(name))),
    names: sensitiveNames(settings.sensitiveNames),
    hidesAnything: !allHeaders || tokenHeaders.size > 0 || settings.sensitiveNames.length > 0,
    askedBy: {
      headers: new Set(
        [traceNames(settings.vendor).headerKey, FLAG_HEADER, ...GUARD_HEADERS].map((name) =>
          name.toLowerCase(),
        ),
      ),
      cookies: new Set([FLAG_COOKIE]),
    },
  }
}

const TOO_MANY_SECRETS =
  'There are more secrets in this request than are looked for: all its texts were left out.'
/** Texts are looked at for names in pieces of this length, and longer names are never sensitive. */
const PIECE = 1 << 16
const LONGEST_NAME = 256

/** Redacts all traces of one request. */
export class Redaction {
  readonly #rules: RedactionRules
  readonly #meter: Meter
  readonly #making: JsonMaking
  /** Rules for texts that are no JSON but may quote some. */
  readonly #inTexts: JsonRules
  readonly #secrets: Secrets
  readonly #documents = new Map<string, DocumentSecrets>()
  /** Other names of sensitive fields, of any document. */
  readonly #aliases = new Set<string>()
  /** Whether nothing in a piece of data is hidden where it stands. */
  readonly #innocent = new Map<RecordedJson, boolean>()
  #learning = true
  #warning = TOO_MANY_SECRETS
  /** Given to something sensitive by the client's document, which may be cut off in what is shown. */
  #variables: ReadonlySet<string> = new Set()

  readonly #onSecret = (secret: string): void => {
    if (this.#learning) this.#secrets.add(secret)
  }

  constructor(rules: RedactionRules, making: JsonMaking) {
    this.#rules = rules
    this.#inTexts = {
      isHidden: ({ name }) => rules.names.isSensitive(name),
      onHidden: (scalar) => this.#learnWithUrls(credentialsIn(scalar)),
      shown: (text) => this.#known(text),
      isNumberShown: null,
    }
    this.#making = making
    this.#meter = making.meter
    this.#secrets = new Secrets(making.meter)
  }

  /**
   * Takes notice of the secrets in a trace from which parts are left out before it is shown: they may be in
   * other parts.
   */
  *learn(trace: RecordedTrace): Sliced<void> {
    if (!this.#rules.hidesAnything || this.#secrets.tooMany) return
    this.#learning = true
    const known = this.#aliases.size
    // An answer is gone through with the aliases of all documents.
    this.#variables = (yield* this.#documentOf(trace.request.body.query ?? '')).variables
    for (const node of trace.fetches.children) yield* this.#learnDocuments(node)
    if (this.#aliases.size > known) this.#innocent.clear()
    yield* this.#trace(trace)
  }

  /** Treats nothing as free of secrets from now on. `warning` is the reason, for readers of the trace. */
  giveUp(warning: string): void {
    this.#secrets.giveUp()
    this.#warning = warning
  }

  /**
   * Hides the secrets that were learned in a trace, which may be a part of the one that they were learned
   * from.
   */
  *hide(trace: RecordedTrace): Sliced<RecordedTrace> {
    this.#learning = false
    const shown = yield* this.#trace(trace)
    if (!this.#secrets.tooMany) return shown
    return { ...shown, warnings: [...(shown.warnings ?? []), this.#warning] }
  }

  *#trace(trace: RecordedTrace): Sliced<RecordedTrace> {
    const { request, composition, denied, asked_by: askedBy, warnings } = trace
    const { query, operationName, variables } = request.body
    const isVariable = ({ name, depth }: JsonPlace) => depth === 1 && this.#variables.has(name)
    const mayHide = this.#variables.size > 0 ? isVariable : null
    const children: TraceNode[] = []
    for (const node of trace.fetches.children) children.push(yield* this.#node(node))
    const shown = {
      ...trace,
      composition: { ...composition, feature_flag: yield* this.#textOrNull(composition.feature_flag) },
      fetches: { kind: 'Sequence' as const, children },
      ...(denied !== undefined && { denied: yield* this.#texts(denied) }),
      ...(askedBy !== undefined && { asked_by: yield* this.#askedBy(askedBy) }),
      request: {
        ...request,
        url: this.#isPlainUrl(request.url) ? request.url : yield* this.#url(request.url),
        headers: yield* this.#headers(request.headers),
        body: {
          query: query === null ? null : yield* this.#document(query),
          operationName: yield* this.#textOrNull(operationName),
          variables: variables === null ? null : yield* this.#data(variables, mayHide),
        },
      },
    }
    return warnings === undefined ? shown : { ...shown, warnings: yield* this.#texts(warnings) }
  }

  *#askedBy({ client, token, document }: TraceAskedBy): Sliced<TraceAskedBy> {
    return {
      ...(client !== undefined && {
        client: {
          name: yield* this.#text(client.name),
          version: yield* this.#textOrNull(client.version),
        },
      }),
      ...(token !== undefined && {
        token: {
          provider: token.provider,
          ...(token.issuer !== undefined && { issuer: yield* this.#text(token.issuer) }),
          ...(token.subject !== undefined && { subject: yield* this.#text(token.subject) }),
        },
      }),
      ...(document !== undefined && { document: yield* this.#text(document) }),
    }
  }

  *#node(node: TraceNode): Sliced<TraceNode> {
    if (node.kind === 'Single') return { kind: 'Single', fetch: yield* this.#fetch(node.fetch) }
    const children: TraceNode[] = []
    for (const child of node.children) children.push(yield* this.#node(child))
    return { kind: node.kind, children }
  }

  *#fetch(fetch: TraceFetch): Sliced<TraceFetch> {
    const { raw_input_data: raw, input, output, error, ...load } = fetch.trace
    const { failed_attempts: attempts } = load
    const { path, source_id, source_name, defer_label: label } = fetch
    const [shownPath = '', shownId = '', shownName = ''] = yield* this.#texts([path, source_id, source_name])
    return {
      ...fetch,
      path: shownPath,
      source_id: shownId,
      source_name: shownName,
      ...(label !== undefined && { defer_label: yield* this.#label(label) }),
      trace: {
        // Came with an answer, where all of it is learned.
        ...(raw !== undefined && { raw_input_data: this.#learning ? raw : yield* this.#data(raw) }),
        ...(input !== undefined && { input: 'truncated' in input ? input : yield* this.#input(input) }),
        ...(output !== undefined && { output: 'truncated' in output ? output : yield* this.#output(output) }),
        ...(error !== undefined && { error: { ...error, message: yield* this.#text(error.message) } }),
        ...load,
        ...(attempts !== undefined && { failed_attempts: yield* this.#attempts(attempts) }),
      },
    }
  }

  /** A label is the argument `label` of `@defer`, so it is hidden where that name is sensitive. */
  *#label(label: string): Sliced<string> {
    if (this.#rules.names.isSensitive('label')) return REDACTED
    return yield* this.#text(label)
  }

  *#attempts(attempts: readonly TraceFailedAttempt[]): Sliced<readonly TraceFailedAttempt[]> {
    const shown: TraceFailedAttempt[] = []
    for (const { url, message, ...rest } of attempts) {
      shown.push({
        ...(url !== undefined && { url: this.#isPlainUrl(url) ? url : yield* this.#url(url) }),
        ...(message !== undefined && { message: yield* this.#text(message) }),
        ...rest,
      })
    }
    return shown
  }

  *#input(input: TraceInput): Sliced<TraceInput> {
    const document = yield* this.#documentOfRequest(input.body)
    const { spans = [], variables = NONE } = document ?? {}
    const isVariable = ({ name, outermost, depth }: JsonPlace) =>
      depth === 2 && outermost === 'variables' && variables.has(name)
    const mayHide = spans.length + variables.size > 0 ? isVariable : null
    return {
      ...input,
      url: this.#isPlainUrl(input.url) ? input.url : yield* this.#url(input.url),
      headers: yield* this.#headers(input.headers),
      body: yield* this.#data(input.body, mayHide, document),
    }
  }

  *#output(output: TraceOutput): Sliced<TraceOutput> {
    return {
      ...output,
      headers: yield* this.#headers(output.headers),
      body: yield* this.#data(output.body),
    }
  }

  /** `mayHide`: beside what has a sensitive name. `document`: of data that is a request with one. */
  *#data(
    piece: unknown,
    mayHide: ((place: JsonPlace) => boolean) | null = null,
    document: DocumentSecrets | null = null,
  ): Sliced<RecordedJson> {
    const recorded = piece instanceof RecordedJson ? piece : RecordedJson.ofValue(piece)
    const json = recorded.text ?? (yield* recorded.write(this.#making))
    if (mayHide === null && (yield* this.#isShownAsItIs(recorded, json))) return recorded
    const { isSensitive } = this.#rules.names
    const spans = yield* hiddenInJson(
      json,
      {
        isHidden: (place) =>
          isSensitive(place.name) || this.#aliases.has(place.name) || mayHide?.(place) === true,
        onHidden: (scalar) => this.#learnWithUrls(credentialsIn(scalar)),
        shown: (text, place) => {
          if (place === null) return this.#known(text)
          const isDocument = document !== null && place.depth === 1 && place.name === 'query'
          return isDocument ? this.#document(text) : this.#text(text)
        },
        isNumberShown: (written) =>
          this.#learning || !this.#secrets.anyNumber || !this.#secrets.hasNumber(written),
      },
      this.#meter,
    )
    if (this.#learning) return recorded
    return RecordedJson.ofText(yield* replaceSpans(json, spans, this.#meter))
  }

  /** There is nothing in it to be hidden or learned, as far as a glance tells. */
  *#isShownAsItIs(recorded: RecordedJson, json: string): Sliced<boolean> {
    let innocent = this.#innocent.get(recorded)
    if (innocent === undefined) {
      innocent = yield* this.#isInnocent(json)
      this.#innocent.set(recorded, innocent)
    }
    if (!innocent || this.#secrets.tooMany) return false
    if (this.#learning) return true
    return !this.#secrets.anyNumber && (yield* this.#secrets.find(json)).length === 0
  }

  *#isInnocent(json: string): Sliced<boolean> {
    if (!hasFewBrackets(json)) return false
    const aliases = [...this.#aliases].map((alias) => `"${alias}"`)
    for (let at = 0; at < json.length; at += PIECE) {
      const piece = json.length <= PIECE ? json : json.slice(at, at + PIECE + LONGEST_NAME)
      if (piece.includes('\\') || piece.includes('://') || this.#rules.names.mayBeIn(piece)) return false
      if (aliases.some((alias) => piece.includes(alias))) return false
      if (this.#meter.take(piece.length)) yield
    }
    return true
  }

  *#headers(headers: TraceHeaders): Sliced<TraceHeaders> {
    if (this.#learning) {
      yield* this.#learnHeaders(headers)
      return headers
    }
    // Without a prototype: a header may be called `__proto__`.
    const shown: Record<string, string | readonly string[]> = Object.create(null)
    const names = Object.keys(headers)
    const areNamesPlain = this.#isPlain(names.join(SEPARATOR))
    for (const name of names) {
      const value = headers[name] ?? ''
      const key = areNamesPlain ? name : yield* this.#known(name)
      let own = key
      for (let count = 2; own in shown; count++) own = `${key} (${count})`
      if (!this.#rules.isHeaderAllowed(name)) shown[own] = REDACTED
      else if (typeof value !== 'string') shown[own] = yield* this.#texts(value)
      else shown[own] = this.#isPlain(value) ? value : yield* this.#text(value)
      if (this.#meter.take(name.length + value.length)) yield
    }
    return shown
  }

  *#learnHeaders(headers: TraceHeaders): Sliced<void> {
    const { isHeaderAllowed, askedBy } = this.#rules
    for (const name of Object.keys(headers)) {
      const value = headers[name] ?? ''
      const lines = typeof value === 'string' ? [value] : value
      if (isHeaderAllowed(name)) yield* this.#texts(lines)
      else
        for (const line of lines) {
          const secrets = secretsOfHeader(lowerCase(name), line, askedBy)
          if (secrets.some((secret) => secret.includes('://'))) yield* this.#learnWithUrls(secrets)
          else secrets.forEach(this.#onSecret)
          if (this.#meter.take(line.length)) yield
        }
    }
  }

  *#texts(texts: readonly string[]): Sliced<readonly string[]> {
    if (this.#isPlain(texts.length === 1 ? (texts[0] ?? '') : texts.join(SEPARATOR))) return texts
    const shown: string[] = []
    for (const text of texts) shown.push(this.#isPlain(text) ? text : yield* this.#text(text))
    return shown
  }

  /** Whether a text is shown as it is and teaches nothing, as far as a glance tells. */
  #isPlain(text: string): boolean {
    if (text.includes('://') || text.includes('"')) return false
    return this.#isUnchanged(text)
  }

  #isUnchanged(text: string): boolean {
    return this.#learning || (!this.#secrets.tooMany && this.#secrets.areAbsentFrom(text))
  }

  *#textOrNull(text: string | null): Sliced<string | null> {
    return text === null || this.#isPlain(text) ? text : yield* this.#text(text)
  }

  *#text(text: string, spans: readonly HiddenSpan[] = []): Sliced<string> {
    if (!this.#rules.hidesAnything) return text
    const { isSensitive } = this.#rules.names
    let found = spans
    if (text.includes('://'))
      found = found.concat(yield* spansOfUrlsIn(text, isSensitive, this.#onSecret, this.#meter))
    if (text.includes('"') && text.includes(':'))
      found = found.concat(yield* hiddenInJson(text, this.#inTexts, this.#meter))
    return yield* this.#shown(text, found)
  }

  #isPlainUrl(url: string): boolean {
    return !this.#rules.hidesAnything || (!HAS_SECRET_PARTS.test(url) && this.#isUnchanged(url))
  }

  *#url(url: string): Sliced<string> {
    return yield* this.#shown(url, yield* spansOfUrl(url, this.#onSecret, this.#meter))
  }

  *#document(text: string): Sliced<string> {
    const { spans, secrets } = yield* this.#documentOf(text)
    if (this.#learning && secrets === null) this.giveUp(TOO_MANY_SECRETS)
    if (this.#learning) for (const secret of secrets ?? []) this.#onSecret(secret)
    return yield* this.#text(text, spans)
  }

  *#documentOf(text: string): Sliced<DocumentSecrets> {
    if (text.length <= PIECE && !this.#rules.names.mayBeIn(text)) return HARMLESS
    let secrets = this.#documents.get(text)
    if (secrets === undefined) {
      secrets = yield* secretsOfDocument(text, this.#rules.names.isSensitive, this.#meter)
      this.#documents.set(text, secrets)
      for (const alias of secrets.aliases) this.#aliases.add(alias)
    }
    return secrets
  }

  *#learnDocuments(node: TraceNode): Sliced<void> {
    if (node.kind !== 'Single') for (const child of node.children) yield* this.#learnDocuments(child)
    else if (node.fetch.trace.input !== undefined && 'body' in node.fetch.trace.input)
      yield* this.#documentOfRequest(node.fetch.trace.input.body)
  }

  /**
   * Finds the secrets of the document in a request body. Null if the body is no request of GraphQL over HTTP
   * in the form that the router writes.
   */
  *#documentOfRequest(body: unknown): Sliced<DocumentSecrets | null> {
    if (!(body instanceof RecordedJson)) return null
    const json = body.text ?? (yield* body.write(this.#making))
    if (!json.startsWith(QUERY)) return null
    let close = json.indexOf('"', QUERY.length)
    while (close !== -1 && isEscaped(json, close)) close = json.indexOf('"', close + 1)
    return yield* this.#documentOf(String(JSON.parse(json.slice(QUERY.length - 1, close + 1))))
  }

  *#learnWithUrls(texts: readonly string[]): Sliced<void> {
    if (!this.#learning) return
    for (const text of texts) {
      this.#onSecret(text)
      if (text.includes('://'))
        yield* spansOfUrlsIn(text, this.#rules.names.isSensitive, this.#onSecret, this.#meter)
      if (this.#meter.take(text.length + 32)) yield
    }
  }

  *#known(text: string): Sliced<string> {
    return this.#isUnchanged(text) ? text : yield* this.#shown(text, [])
  }

  *#shown(text: string, spans: readonly HiddenSpan[]): Sliced<string> {
    if (this.#learning) return text
    if (this.#secrets.tooMany && text.length >= SHORTEST_SECRET && text !== REDACTED) return LEFT_OUT
    const found = text === REDACTED ? [] : yield* this.#secrets.find(text)
    return yield* replaceSpans(text, spans.concat(found), this.#meter)
  }
}

const NONE: ReadonlySet<string> = new Set()
/** Between texts that are looked at together: no secret goes on from one to the next. */
const SEPARATOR = '\n'
const HARMLESS: DocumentSecrets = { spans: [], secrets: [], variables: NONE, aliases: NONE }
const UPPER_CASE = /[A-Z]/
/** A user and a password, or a query string. */
export const HAS_SECRET_PARTS = /[@?]/
/** The beginning of requests that the router writes. */
const QUERY = '{"query":"'

/** As nearly all names of headers are already. */
export function lowerCase(name: string): string {
  return UPPER_CASE.test(name) ? name.toLowerCase() : name
}

function isEscaped(json: string, quote: number): boolean {
  let first = quote
  while (json[first - 1] === '\\') first--
  return (quote - first) % 2 === 1
}

/** So few that lists and objects do not nest too deeply. */
export function hasFewBrackets(json: string): boolean {
  let left = MAX_DEPTH
  for (const bracket of ['{', '['])
    for (let at = json.indexOf(bracket); at !== -1; at = json.indexOf(bracket, at + 1))
      if (left-- === 0) return false
  return true
}
