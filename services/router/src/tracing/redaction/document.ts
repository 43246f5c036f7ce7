/**
 * What must not be shown of the text of a GraphQL document: literals at arguments, fields of input objects and variables
 * with sensitive names. Also which variables are given to those, and which aliases fields with such names have.
 *
 * Works on tokens, not on a syntax tree: a trace also comes with requests whose document is not one.
 */
import { parseValue } from 'graphql'
import { type HiddenSpan, REDACTED } from './hidden-span.ts'
import { type Token, tokensOf } from './document-tokens.ts'
import type { NameTest } from './sensitive-names.ts'

export type DocumentSecrets = {
  readonly spans: readonly HiddenSpan[]
  /** Variables given to something sensitive. */
  readonly variables: ReadonlySet<string>
  /** Other names that fields with sensitive names have in the answer. */
  readonly aliases: ReadonlySet<string>
}

type Brackets = {
  readonly closing: string
  /** Inside parentheses: what stands after a colon is a value, not a field. */
  readonly values: boolean
  readonly hidden: boolean
}

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '{': '}', '[': ']' }

export function secretsOfDocument(text: string, isSensitive: NameTest): DocumentSecrets {
  const reader = new DocumentReader(text, isSensitive)
  return reader.read()
}

class DocumentReader {
  readonly #text: string
  readonly #isSensitive: NameTest
  readonly #tokens: readonly Token[]
  readonly #open: Brackets[] = []
  readonly #spans: HiddenSpan[] = []
  readonly #variables = new Set<string>()
  readonly #aliases = new Set<string>()
  /** The next value belongs to a sensitive name. */
  #pending = false
  /** The variable whose definition is being read has a sensitive name. */
  #defining = false

  constructor(text: string, isSensitive: NameTest) {
    this.#text = text
    this.#isSensitive = isSensitive
    this.#tokens = tokensOf(text)
  }

  read(): DocumentSecrets {
    let at = 0
    while (at < this.#tokens.length) at += this.#step(at)
    return { spans: this.#spans, variables: this.#variables, aliases: this.#aliases }
  }

  /** How many tokens were read. */
  #step(at: number): number {
    const token = this.#tokens[at]
    if (token === undefined) return 1
    switch (token.kind) {
      case 'sign':
        return this.#sign(this.#text.slice(token.start, token.end), at)
      case 'name':
        if (this.#textAt(at + 1) === ':') return this.#beforeColon(token, at)
        if (this.#inValues) this.#literal(token)
        this.#pending = false
        return 1
      case 'string':
      case 'number':
      case 'unknown':
        this.#literal(token)
        this.#pending = false
        return 1
      default:
        return token.kind satisfies never
    }
  }

  #sign(sign: string, at: number): number {
    const closing = CLOSING[sign]
    if (closing !== undefined) {
      const values = sign === '(' || this.#inValues
      this.#open.push({ closing, values, hidden: sign !== '(' && (this.#pending || this.#inHidden) })
    } else if (this.#open.at(-1)?.closing === sign) this.#open.pop()
    if (sign === '$') return this.#variable(at)
    this.#pending = sign === '=' && this.#defining
    return 1
  }

  #variable(at: number): number {
    const token = this.#tokens[at + 1]
    if (token?.kind !== 'name') return 1
    const name = this.#text.slice(token.start, token.end)
    if (this.#textAt(at + 2) === ':') {
      this.#defining = this.#isSensitive(name)
      this.#pending = false
      return 3
    }
    if (this.#pending || this.#inHidden) this.#variables.add(name)
    this.#pending = false
    return 2
  }

  #beforeColon(token: Token, at: number): number {
    const name = this.#text.slice(token.start, token.end)
    const next = this.#tokens[at + 2]
    if (!this.#inValues && next?.kind === 'name') {
      if (this.#isSensitive(this.#text.slice(next.start, next.end))) this.#aliases.add(name)
      this.#pending = false
      return 3
    }
    this.#pending = this.#isSensitive(name)
    return 2
  }

  #literal({ kind, start, end }: Token): void {
    if (!this.#pending && !this.#inHidden) return
    const written = this.#text.slice(start, end)
    if (written === 'null') return
    const secrets = kind === 'string' ? [valueOf(written)] : [written]
    this.#spans.push({ start, end, shown: `"${REDACTED}"`, secrets })
  }

  get #inValues(): boolean {
    return this.#open.at(-1)?.values ?? false
  }

  get #inHidden(): boolean {
    return this.#open.at(-1)?.hidden ?? false
  }

  #textAt(at: number): string {
    const token = this.#tokens[at]
    return token === undefined ? '' : this.#text.slice(token.start, token.end)
  }
}

/** Also of one that is not closed: what it means is what a client has elsewhere. */
function valueOf(literal: string): string {
  for (const closing of ['', '"', '"""']) {
    const value = stringValueOf(`${literal}${closing}`)
    if (value !== null) return value
  }
  // With an escape that there is not: taken as it is written.
  return literal.replace(/^"+|"+$/g, '')
}

function stringValueOf(literal: string): string | null {
  try {
    const node = parseValue(literal, { noLocation: true })
    return node.kind === 'StringValue' ? node.value : null
  } catch {
    return null
  }
}
