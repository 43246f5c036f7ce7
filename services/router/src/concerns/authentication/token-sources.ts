/** Finds tokens in requests: where to look for them, and whose tokens may be there. */
import type { IncomingHttpHeaders } from 'node:http'
import { cookieValue } from '../../flags/cookie.ts'

/** The parts of a provider that are needed to find its tokens. */
export type FindableProvider = {
  /** Issuers whose tokens the provider signs. Empty if it may be any issuer. */
  readonly issuers: readonly string[]
  readonly headers: readonly { readonly key: string; readonly prefix: string }[]
  readonly cookies: readonly string[]
}

/** A token that is not verified, and the source that it was found in. */
export type FoundToken<Provider extends FindableProvider> = {
  readonly text: string
  readonly from: TokenSource<Provider>
}

/** A header or a cookie, and the providers whose tokens are taken from it. */
export class TokenSource<Provider extends FindableProvider> {
  readonly #read: (headers: IncomingHttpHeaders) => string | null
  readonly #providers = new Set<Provider>()
  readonly #byIssuer = new Map<string, Provider>()
  #ofAnyIssuer: Provider | null = null

  /** `read` returns the text of the token. Null if there is none. */
  constructor(read: (headers: IncomingHttpHeaders) => string | null) {
    this.#read = read
  }

  add(provider: Provider): void {
    this.#providers.add(provider)
    for (const issuer of provider.issuers) this.#byIssuer.set(issuer, provider)
    if (provider.issuers.length === 0) this.#ofAnyIssuer = provider
  }

  read(headers: IncomingHttpHeaders): string | null {
    return this.#read(headers)
  }

  has(provider: Provider): boolean {
    return this.#providers.has(provider)
  }

  /**
   * Returns the provider that has to have signed a token which claims to be from `issuer`. Null if tokens of
   * that issuer are not taken from here.
   */
  providerOf(issuer: unknown): Provider | null {
    const named = typeof issuer === 'string' ? this.#byIssuer.get(issuer) : undefined
    return named ?? this.#ofAnyIssuer
  }
}

/** All sources of a router. */
export class TokenSources<Provider extends FindableProvider> {
  /**
   * Sources in the order in which they are searched. Headers come first: code has put a token there, while a
   * browser adds cookies by itself.
   */
  readonly #sources: readonly TokenSource<Provider>[]

  constructor(providers: readonly Provider[]) {
    const headers = new Map<string, TokenSource<Provider>>()
    const cookies = new Map<string, TokenSource<Provider>>()
    for (const provider of providers) {
      for (const { key, prefix } of provider.headers) {
        const id = `${key} ${prefix.toLowerCase()}`
        sourceIn(headers, id, (request) => credentialsIn(request[key], prefix.toLowerCase())).add(provider)
      }
      for (const name of provider.cookies)
        sourceIn(cookies, name, ({ cookie }) => cookieValue(cookie, name)).add(provider)
    }
    this.#sources = [...headers.values(), ...cookies.values()]
  }

  /** Returns the first token of the request. Null if it has none. */
  find(headers: IncomingHttpHeaders): FoundToken<Provider> | null {
    for (const from of this.#sources) {
      const text = from.read(headers)
      if (text !== null) return { text, from }
    }
    return null
  }
}

function sourceIn<Provider extends FindableProvider>(
  sources: Map<string, TokenSource<Provider>>,
  id: string,
  read: (headers: IncomingHttpHeaders) => string | null,
): TokenSource<Provider> {
  const source = sources.get(id) ?? new TokenSource<Provider>(read)
  sources.set(id, source)
  return source
}

/**
 * Returns the credentials after the scheme (RFC 9110, section 11.4), whose name is the same in upper and
 * lower case. Null if the scheme is another one, or there is no header. `prefix` is in lower case.
 */
function credentialsIn(header: string | readonly string[] | undefined, prefix: string): string | null {
  if (header === undefined) return null
  const value = typeof header === 'string' ? header : header.join(', ')
  if (prefix === '') return value.trim()
  const { length } = prefix
  if (value.slice(0, length).toLowerCase() !== prefix) return null
  if (value.length === length) return ''
  return value[length] === ' ' ? value.slice(length + 1).trim() : null
}
