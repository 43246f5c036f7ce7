/**
 * Takes out of a trace what not everyone who may see the trace may see; docs/trace-redaction.md says what
 * that is.
 *
 * Each leaf of a trace is gone through twice by the same steps: to learn its secrets, changing nothing, and
 * to hide them. All have to be learned before any is hidden, since the first text may hold what only the last
 * header says to be a secret.
 */
import type { TraceHeaders } from '@switchyard/request-trace'
import { type JsonMaking, RecordedJson } from './recorded-json.ts'
import type { RecordedTrace } from './recorded-trace.ts'
import { credentialsIn, secretsOfHeader } from './credentials.ts'
import { type DocumentSecrets, secretsOfDocument } from './document.ts'
import { hiddenInJson, type JsonPlace, type JsonRules } from './json-members.ts'
import type { Meter, Sliced } from './meter.ts'
import { documentIn, hasFewBrackets, hasSecretParts, isHarmless } from './glances.ts'
import { lowerCase, type RedactionRules } from './redaction-rules.ts'
import { Secrets, SHORTEST_SECRET } from './secrets.ts'
import { type HiddenSpan, LEFT_OUT, REDACTED, replaceSpans } from './spans.ts'
import { type Leaf, leavesOf, withLeaves } from './trace-leaves.ts'
import { spansOfUrl, spansOfUrlsIn } from './urls.ts'

const TOO_MANY_SECRETS =
  'There are more secrets in this request than are looked for: all its texts were left out.'
/** Texts are looked at for names in pieces of this length, and longer names are never sensitive. */
const PIECE = 1 << 16
const LONGEST_NAME = 256
const NONE: ReadonlySet<string> = new Set()
const HARMLESS: DocumentSecrets = { spans: [], secrets: [], variables: NONE, aliases: NONE }

type PlaceTest = (place: JsonPlace) => boolean

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
  #variables = NONE

  constructor(rules: RedactionRules, making: JsonMaking) {
    this.#rules = rules
    this.#making = making
    this.#meter = making.meter
    this.#secrets = new Secrets(making.meter)
    this.#inTexts = {
      isHidden: ({ name }) => rules.names.isSensitive(name),
      onHidden: (scalar) => this.#learnAll(credentialsIn(scalar)),
      shown: (text) => this.#shown(text),
      isNumberShown: null,
    }
  }

  /**
   * Takes notice of the secrets in a trace from which parts are left out before it is shown: they may be in
   * other parts.
   */
  *learn(trace: RecordedTrace): Sliced<void> {
    if (!this.#rules.hidesAnything || this.#secrets.tooMany) return
    this.#learning = true
    this.#variables = NONE
    const leaves = leavesOf(trace)
    const known = this.#aliases.size
    // An answer is gone through with the aliases of all documents.
    for (const { kind, value } of leaves)
      if (kind === 'document') this.#variables = (yield* this.#documentOf(value)).variables
      else if (kind === 'request') yield* this.#documentOfRequest(value)
    if (this.#aliases.size > known) this.#innocent.clear()
    for (const leaf of leaves) if (leaf.kind !== 'given') yield* this.#cleaned(leaf)
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
    const cleaned: unknown[] = []
    for (const leaf of leavesOf(trace)) cleaned.push(yield* this.#cleaned(leaf))
    const shown = withLeaves(trace, cleaned)
    if (!this.#secrets.tooMany) return shown
    return { ...shown, warnings: [...(shown.warnings ?? []), this.#warning] }
  }

  *#cleaned({ kind, value }: Leaf): Sliced<unknown> {
    switch (kind) {
      case 'text':
        return yield* this.#text(value)
      case 'label':
        return this.#rules.names.isSensitive('label') ? REDACTED : yield* this.#text(value)
      case 'url':
        return yield* this.#url(value)
      case 'document':
        return yield* this.#document(value)
      case 'headers':
        return yield* this.#headers(value)
      case 'variables':
        return yield* this.#variablesOf(value)
      case 'request':
        return yield* this.#request(value)
      case 'answer':
      case 'given':
        return yield* this.#data(value)
      default:
        return kind satisfies never
    }
  }

  *#variablesOf(json: RecordedJson): Sliced<RecordedJson> {
    const isVariable: PlaceTest = ({ name, depth }) => depth === 1 && this.#variables.has(name)
    return yield* this.#data(json, this.#variables.size > 0 ? isVariable : null)
  }

  *#request(json: RecordedJson): Sliced<RecordedJson> {
    const document = yield* this.#documentOfRequest(json)
    const { spans, variables } = document ?? HARMLESS
    const isVariable: PlaceTest = ({ name, outermost, depth }) =>
      depth === 2 && outermost === 'variables' && variables.has(name)
    return yield* this.#data(json, spans.length + variables.size > 0 ? isVariable : null, document !== null)
  }

  /** `mayHide`: beside what has a sensitive name. `isRequest`: it is a request with a document. */
  *#data(recorded: RecordedJson, mayHide: PlaceTest | null = null, isRequest = false): Sliced<RecordedJson> {
    const json = recorded.text ?? (yield* recorded.write(this.#making))
    if (mayHide === null && (yield* this.#isShownAsItIs(recorded, json))) return recorded
    const { isSensitive } = this.#rules.names
    const spans = yield* hiddenInJson(
      json,
      {
        isHidden: (place) =>
          isSensitive(place.name) || this.#aliases.has(place.name) || mayHide?.(place) === true,
        onHidden: this.#inTexts.onHidden,
        shown: (text, place) => {
          if (place === null) return this.#shown(text)
          const isDocument = isRequest && place.depth === 1 && place.name === 'query'
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
      if (!isHarmless(piece, this.#rules) || aliases.some((alias) => piece.includes(alias))) return false
      if (this.#meter.take(piece.length)) yield
    }
    return true
  }

  *#headers(headers: TraceHeaders): Sliced<TraceHeaders> {
    // Without a prototype: a header may be called `__proto__`.
    const shown: Record<string, string | readonly string[]> = Object.create(null)
    const names = Object.keys(headers)
    const areNamesPlain = this.#isPlain(names.join(SEPARATOR))
    for (const name of names) {
      const value = headers[name] ?? ''
      const key = areNamesPlain ? name : yield* this.#shown(name)
      let own = key
      for (let count = 2; own in shown; count++) own = `${key} (${count})`
      shown[own] = yield* this.#header(name, value)
      if (this.#meter.take(name.length + value.length)) yield
    }
    return shown
  }

  *#header(name: string, value: string | readonly string[]): Sliced<string | readonly string[]> {
    const isAllowed = this.#rules.isHeaderAllowed(name)
    if (isAllowed && typeof value === 'string') return yield* this.#text(value)
    const shown: string[] = []
    for (const line of [value].flat())
      if (isAllowed) shown.push(yield* this.#text(line))
      else if (this.#learning)
        yield* this.#learnAll(secretsOfHeader(lowerCase(name), line, this.#rules.askedBy))
    return isAllowed ? shown : REDACTED
  }

  *#text(text: string, spans: readonly HiddenSpan[] = []): Sliced<string> {
    if (!this.#rules.hidesAnything || (spans.length === 0 && this.#isPlain(text))) return text
    let found = spans
    if (text.includes('://'))
      found = found.concat(
        yield* spansOfUrlsIn(text, this.#rules.names.isSensitive, this.#onSecret, this.#meter),
      )
    if (text.includes('"') && text.includes(':'))
      found = found.concat(yield* hiddenInJson(text, this.#inTexts, this.#meter))
    return yield* this.#shown(text, found)
  }

  /** Whether a text is shown as it is and teaches nothing, as far as a glance tells. */
  #isPlain(text: string): boolean {
    return !text.includes('://') && !text.includes('"') && this.#isUnchanged(text)
  }

  #isUnchanged(text: string): boolean {
    return this.#learning || (!this.#secrets.tooMany && this.#secrets.areAbsentFrom(text))
  }

  *#url(url: string): Sliced<string> {
    if (!this.#rules.hidesAnything || (!hasSecretParts(url) && this.#isUnchanged(url))) return url
    return yield* this.#shown(url, yield* spansOfUrl(url, this.#onSecret, this.#meter))
  }

  *#document(text: string): Sliced<string> {
    const { spans, secrets } = yield* this.#documentOf(text)
    if (this.#learning && secrets === null) this.giveUp(TOO_MANY_SECRETS)
    secrets?.forEach(this.#onSecret)
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

  /** Finds the secrets of the document in a request body; null if there is no document that it can read. */
  *#documentOfRequest(body: RecordedJson): Sliced<DocumentSecrets | null> {
    const document = documentIn(body.text ?? (yield* body.write(this.#making)))
    return document === null ? null : yield* this.#documentOf(document)
  }

  readonly #onSecret = (secret: string): void => {
    if (this.#learning) this.#secrets.add(secret)
  };

  *#learnAll(texts: readonly string[]): Sliced<void> {
    if (!this.#learning) return
    for (const text of texts) {
      this.#onSecret(text)
      if (text.includes('://'))
        yield* spansOfUrlsIn(text, this.#rules.names.isSensitive, this.#onSecret, this.#meter)
      if (this.#meter.take(text.length + 32)) yield
    }
  }

  /** Shows a text without some parts of it, and without the secrets that are known. */
  *#shown(text: string, spans: readonly HiddenSpan[] = []): Sliced<string> {
    if (this.#learning || (spans.length === 0 && this.#isUnchanged(text))) return text
    if (this.#secrets.tooMany && text.length >= SHORTEST_SECRET && text !== REDACTED) return LEFT_OUT
    const found = text === REDACTED ? [] : yield* this.#secrets.find(text)
    return yield* replaceSpans(text, spans.concat(found), this.#meter)
  }
}

/** Between texts that are looked at together: no secret goes on from one to the next. */
const SEPARATOR = '\n'
