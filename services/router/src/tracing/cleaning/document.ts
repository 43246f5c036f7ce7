/**
 * Finds the parts of a GraphQL document's text that must not be shown: literals at arguments, fields of input
 * objects and variables with sensitive names. Also finds which variables are given to those, and which
 * aliases fields with such names have.
 *
 * Works on tokens (https://spec.graphql.org/draft/#sec-Language.Lexical-Tokens), not on a syntax tree: a
 * trace also comes with requests whose document is invalid, and then text that is no token passes for a
 * literal.
 */
import { parseValue } from 'graphql'
import type { Meter, Sliced } from './meter.ts'
import type { NameTest } from './sensitive-names.ts'
import { type HiddenSpan, REDACTED } from './spans.ts'

export type DocumentSecrets = {
  readonly spans: readonly HiddenSpan[]
  /** The values of the hidden literals; null if one of them is too long to be read. */
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
  for (const token of text.matchAll(TOKEN)) {
    if (token.groups?.['ignored'] === undefined) ahead.push(tokenOf(token))
    if (ahead.length === 3) ahead.splice(0, reader.step(ahead))
    if (meter.take(16)) yield
  }
  while (ahead.length > 0) ahead.splice(0, reader.step(ahead))
  return reader
}

type Token = { readonly kind: 'name' | 'sign' | 'literal'; readonly start: number; readonly text: string }

/**
 * A string that is not closed ends with its line, a block with the text. What is no token goes on to what
 * ends a value.
 */
const TOKEN = new RegExp(
  [
    /(?<ignored>[\s,\uFEFF]+|#[^\n\r]*)/,
    /(?<name>[_A-Za-z][_0-9A-Za-z]*)/,
    /(?<sign>\.\.\.|[!$&()[\]{}:=@|])/,
    /"""[^"\\]*(?:(?:\\"""|\\|"(?!""))[^"\\]*)*(?:"""|$)/,
    /"[^"\\\n\r]*(?:\\(?:[^]|$)[^"\\\n\r]*)*"?/,
    /-?[0-9][0-9A-Za-z_.+-]*|[^\s,()[\]{}:#]+|[^]/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gy',
)

function tokenOf({ 0: text, index: start, groups }: RegExpExecArray): Token {
  if (groups?.['name'] !== undefined) return { kind: 'name', start, text }
  return { kind: groups?.['sign'] === undefined ? 'literal' : 'sign', start, text }
}

/** The library reads a literal in one go. */
const LONGEST_LITERAL = 1 << 16

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '{': '}', '[': ']' }

type Brackets = {
  readonly closing: string
  /** Inside parentheses: what stands after a colon is a value, not a field. */
  readonly values: boolean
  readonly hidden: boolean
}
const NO_BRACKETS: Brackets = { closing: '', values: false, hidden: false }

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

  /**
   * Reads the first of some tokens, which are all that there are or three at least, and gives how many were
   * read.
   */
  step([token, second, third]: readonly Token[]): number {
    if (token === undefined) return 1
    const isPending = this.#pending
    this.#pending = false
    if (token.kind === 'sign') return this.#sign(token.text, isPending, second, third)
    if (token.kind === 'name' && second?.text === ':') return this.#beforeColon(token.text, third)
    if (token.kind === 'literal' || this.#around.values) this.#literal(token, isPending)
    return 1
  }

  #sign(sign: string, isPending: boolean, second?: Token, third?: Token): number {
    const closing = CLOSING[sign]
    const { values, hidden } = this.#around
    if (closing !== undefined)
      this.#open.push({
        closing,
        values: values || sign === '(',
        hidden: sign !== '(' && (isPending || hidden),
      })
    else if (this.#around.closing === sign) this.#open.pop()
    this.#pending = sign === '=' && this.#defining
    if (sign !== '$' || second?.kind !== 'name') {
      this.#pending ||= sign === '$' && isPending
      return 1
    }
    if (third?.text === ':') {
      this.#defining = this.#isSensitive(second.text)
      return 3
    }
    if (isPending || hidden) this.variables.add(second.text)
    return 2
  }

  #beforeColon(name: string, next: Token | undefined): number {
    if (this.#around.values || next?.kind !== 'name') {
      this.#pending = this.#isSensitive(name)
      return 2
    }
    if (this.#isSensitive(next.text)) this.aliases.add(name)
    return 3
  }

  #literal({ start, text }: Token, isPending: boolean): void {
    if ((!isPending && !this.#around.hidden) || text === 'null') return
    this.spans.push({ start, end: start + text.length, shown: `"${REDACTED}"` })
    if (text.length > LONGEST_LITERAL) this.secrets = null
    this.secrets?.push(text.startsWith('"') ? meaningOf(text) : text)
  }

  get #around(): Brackets {
    return this.#open.at(-1) ?? NO_BRACKETS
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
