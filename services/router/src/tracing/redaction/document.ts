/**
 * What must not be shown of the text of a GraphQL document: literals at arguments, fields of input objects and variables
 * with sensitive names. Also which variables are given to those, and which aliases fields with such names have.
 *
 * Works on tokens (https://spec.graphql.org/draft/#sec-Language.Lexical-Tokens), not on a syntax tree: a trace also comes
 * with requests whose document is none, and then what is no token passes for one.
 */
import { parseValue } from 'graphql'
import type { Meter, Sliced } from '../sliced.ts'
import { type HiddenSpan, REDACTED } from './hidden-span.ts'
import type { NameTest } from './sensitive-names.ts'

export type DocumentSecrets = {
  readonly spans: readonly HiddenSpan[]
  /** What the hidden literals mean; null: one of them is too long to be read. */
  readonly secrets: readonly string[] | null
  /** Variables given to something sensitive. */
  readonly variables: ReadonlySet<string>
  /** Other names that fields with sensitive names have in the answer. */
  readonly aliases: ReadonlySet<string>
}

export function* secretsOfDocument(
  text: string,
  isSensitive: NameTest,
  meter: Meter,
): Sliced<DocumentSecrets> {
  const reader = new DocumentReader(isSensitive)
  const ahead: Token[] = []
  for (let at = 0; at < text.length || ahead.length > 0; ) {
    while (at < text.length && ahead.length < 3) {
      const end = IGNORED.test(text, at)
      if (end > at) at = end
      else {
        const token = tokenAt(text, at)
        ahead.push(token)
        at = token.end
      }
      if (meter.take(16)) yield
    }
    ahead.splice(0, reader.step(ahead))
  }
  return reader
}

type Token = {
  readonly kind: 'name' | 'literal' | 'sign'
  readonly start: number
  readonly end: number
  readonly text: string
}

class Sticky {
  readonly #form: RegExp

  constructor(form: RegExp) {
    this.#form = form
  }

  /** Where what stands there ends; `at`: nothing of the kind does. */
  test(text: string, at: number): number {
    this.#form.lastIndex = at
    return this.#form.test(text) ? this.#form.lastIndex : at
  }
}

const IGNORED = new Sticky(/[\s,\uFEFF]+|#[^\n\r]*/y)
const NAME = new Sticky(/[_A-Za-z][_0-9A-Za-z]*/y)
const SIGN = new Sticky(/\.\.\.|[!$&()[\]{}:=@|]/y)
/** A number, or what no document has: taken together up to the next thing that could end a value. */
const OTHER = new Sticky(/-?[0-9][0-9A-Za-z_.+-]*|[^\s,()[\]{}:#]+/y)

function tokenAt(text: string, start: number): Token {
  const made = (kind: Token['kind'], end: number): Token => ({
    kind,
    start,
    end,
    text: text.slice(start, end),
  })
  if (text[start] === '"') return made('literal', endOfString(text, start))
  const name = NAME.test(text, start)
  if (name > start) return made('name', name)
  const sign = SIGN.test(text, start)
  if (sign > start) return made('sign', sign)
  return made('literal', Math.max(start + 1, OTHER.test(text, start)))
}

/** One that is not closed ends with its line, a block with the text. */
function endOfString(text: string, start: number): number {
  if (text.startsWith('"""', start)) {
    let close = text.indexOf('"""', start + 3)
    while (close !== -1 && text[close - 1] === '\\') close = text.indexOf('"""', close + 3)
    return close === -1 ? text.length : close + 3
  }
  for (let at = start + 1; at < text.length; ) {
    STRING_SIGN.lastIndex = at
    const { index, 0: sign } = STRING_SIGN.exec(text) ?? { index: text.length, 0: '' }
    if (sign !== '\\') return sign === '"' ? index + 1 : index
    at = index + 2
  }
  return text.length
}

const STRING_SIGN = /["\\\n\r]/g

/** The library reads a literal in one go. */
const LONGEST_LITERAL = 1 << 16

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '{': '}', '[': ']' }

type Brackets = {
  readonly closing: string
  /** Inside parentheses: what stands after a colon is a value, not a field. */
  readonly values: boolean
  readonly hidden: boolean
}

class DocumentReader implements DocumentSecrets {
  readonly spans: HiddenSpan[] = []
  secrets: string[] | null = []
  readonly variables = new Set<string>()
  readonly aliases = new Set<string>()
  readonly #isSensitive: NameTest
  readonly #open: Brackets[] = []
  /** The next value belongs to a sensitive name. */
  #pending = false
  /** The variable whose definition is being read has a sensitive name. */
  #defining = false

  constructor(isSensitive: NameTest) {
    this.#isSensitive = isSensitive
  }

  /** Reads the first of some tokens, which are all that there are or three at least, and gives how many were read. */
  step([token, second, third]: readonly Token[]): number {
    if (token === undefined) return 1
    const isPending = this.#pending
    this.#pending = false
    if (token.kind === 'sign') return this.#sign(token.text, isPending, second, third)
    if (token.kind === 'name' && second?.text === ':') return this.#beforeColon(token.text, third)
    if (token.kind === 'literal' || this.#inValues) this.#literal(token, isPending)
    return 1
  }

  #sign(sign: string, isPending: boolean, second?: Token, third?: Token): number {
    const closing = CLOSING[sign]
    if (closing !== undefined) {
      const values = sign === '(' || this.#inValues
      this.#open.push({ closing, values, hidden: sign !== '(' && (isPending || this.#inHidden) })
    } else if (this.#open.at(-1)?.closing === sign) this.#open.pop()
    this.#pending = sign === '$' ? isPending : sign === '=' && this.#defining
    if (sign !== '$' || second?.kind !== 'name') return 1
    this.#pending = false
    if (third?.text === ':') {
      this.#defining = this.#isSensitive(second.text)
      return 3
    }
    if (isPending || this.#inHidden) this.variables.add(second.text)
    return 2
  }

  #beforeColon(name: string, next: Token | undefined): number {
    if (this.#inValues || next?.kind !== 'name') {
      this.#pending = this.#isSensitive(name)
      return 2
    }
    if (this.#isSensitive(next.text)) this.aliases.add(name)
    return 3
  }

  #literal({ start, end, text }: Token, isPending: boolean): void {
    if ((!isPending && !this.#inHidden) || text === 'null') return
    this.spans.push({ start, end, shown: `"${REDACTED}"` })
    if (text.length > LONGEST_LITERAL) this.secrets = null
    this.secrets?.push(text.startsWith('"') ? meaningOf(text) : text)
  }

  get #inValues(): boolean {
    return this.#open.at(-1)?.values ?? false
  }

  get #inHidden(): boolean {
    return this.#open.at(-1)?.hidden ?? false
  }
}

/** Also of one that is not closed: what it means is what a client has elsewhere. */
function meaningOf(literal: string): string {
  for (const closing of ['', '"', '"""']) {
    try {
      const node = parseValue(`${literal}${closing}`, { noLocation: true })
      if (node.kind === 'StringValue') return node.value
    } catch {
      // Perhaps closed otherwise.
    }
  }
  // With an escape that there is not: taken as it is written.
  return literal.replace(/^"+|"+$/g, '')
}
