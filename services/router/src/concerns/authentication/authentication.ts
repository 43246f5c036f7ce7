/**
 * Finds out who a client is: takes the token of a request, verifies it, and remembers good ones.
 *
 * The contents of a token are used to choose the provider that has to have signed it, and for nothing else
 * until its signature was verified. A request without a token, or with one that is known, is identified at
 * once.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { type AddressGuard, createAddressGuard } from '../../addresses/address-guard.ts'
import type { ClientLookup } from '../../fairness/client.ts'
import type { AuthenticationConfig, ProviderConfig } from './settings.ts'
import { HttpError } from '../../errors/http-error.ts'
import type { Identity } from '../../identity/identity.ts'
import type { AuthenticationEvents, AuthenticationOutcome, ProviderEvents } from './events.ts'
import { GoodTokens } from './good-tokens.ts'
import { ProviderKeys } from './provider-keys.ts'
import { MAX_TOKEN, readToken, type ReadToken } from './read-token.ts'
import { authenticationRequired, authenticationUnavailable, tokenInvalid, tooManyTokens } from './refusals.ts'
import { type FoundToken, TokenSources } from './token-sources.ts'
import { type TokenRules, verifyToken } from './verify-token.ts'
import { type Verification, VerificationLine } from './verification-line.ts'

/** The identity of a client, and the provider that has signed its token. */
export type VerifiedIdentity = Identity & {
  /** The name of the provider in the settings. */
  readonly provider: string
}

/** The largest number of requests that wait for keys because theirs is not known. */
const MAX_WAITING_FOR_KEYS = 256

/** One provider with its keys, its rules and its events. */
type Provider = Pick<ProviderConfig, 'name' | 'issuers' | 'algorithms' | 'headers' | 'cookies'> & {
  readonly keys: ProviderKeys
  readonly rules: TokenRules
  readonly events: ProviderEvents
}

/** The identity that a verified token stands for, and how long it counts. */
type GoodIdentity = {
  readonly identity: VerifiedIdentity
  readonly provider: Provider
  /** The epoch of the keys of its provider. */
  readonly epoch: number
  /** The time until which the identity counts, in Unix milliseconds. */
  readonly until: number
}

type Pending = { readonly provider: Provider; readonly verification: Verification<GoodIdentity> }

export type AuthenticationOptions = {
  readonly config: AuthenticationConfig
  readonly events: AuthenticationEvents
  /** Returns the time in Unix milliseconds. */
  readonly now?: () => number
}

/** Identifies the clients of a router. Disposing it stops reading keys. */
export class Authentication implements Disposable {
  readonly #required: boolean
  readonly #refreshInterval: number
  readonly #now: () => number
  readonly #providers: readonly Provider[]
  readonly #sources: TokenSources<Provider>
  readonly #good: GoodTokens<GoodIdentity>
  readonly #line = new VerificationLine<GoodIdentity>()
  /** Tokens that are being verified. */
  readonly #pending = new Map<string, Pending>()
  /** Counts requests whose provider is not known. */
  readonly #nobody: ProviderEvents
  #waitingForKeys = 0
  #identities = 0

  constructor({ config, events, now = Date.now }: AuthenticationOptions) {
    const reading = { config, guard: guardOf(config) }
    this.#required = config.require
    this.#refreshInterval = config.refreshInterval
    this.#now = now
    this.#providers = config.providers.map((provider) => {
      const providerEvents = events.of(provider.name)
      return {
        ...provider,
        events: providerEvents,
        keys: new ProviderKeys(provider, reading, providerEvents, now),
        rules: { ...provider, clockTolerance: config.clockTolerance },
      }
    })
    this.#sources = new TokenSources(this.#providers)
    this.#good = new GoodTokens(config.cacheSize)
    this.#nobody = events.of('')
  }

  /** Reads all keys. Resolves when each set was read, or could not be. Never rejects. */
  async refresh(): Promise<void> {
    await Promise.all(this.#providers.map(({ keys }) => keys.refresh()))
  }

  /**
   * Returns the identity of the client. Null if the request has no token and needs none. Throws, or rejects
   * with, HttpError.
   */
  identify(
    headers: IncomingHttpHeaders,
    lookUpClient: ClientLookup,
  ): VerifiedIdentity | null | Promise<VerifiedIdentity> {
    const found = this.#sources.find(headers)
    if (found === null) return this.#withoutToken()
    const known = this.#known(found)
    if (known !== null) {
      known.provider.events.authenticated('known')
      return known.identity
    }
    return this.#unknown(found, lookUpClient)
  }

  #withoutToken(): null {
    this.#nobody.authenticated(this.#required ? 'missing' : 'none')
    if (this.#required) throw authenticationRequired()
    return null
  }

  /**
   * Returns a remembered identity. It counts only as long as the same provider would verify the token by the
   * same keys.
   */
  #known({ text, from }: FoundToken<Provider>): GoodIdentity | null {
    const good = text.length > MAX_TOKEN ? null : this.#good.find(text)
    if (good === null || good.until <= this.#now()) return null
    const { provider, epoch, identity } = good
    const isSame = epoch === provider.keys.epoch && from.providerOf(identity.claims['iss']) === provider
    return isSame ? good : null
  }

  async #unknown(
    { text, from }: FoundToken<Provider>,
    lookUpClient: ClientLookup,
  ): Promise<VerifiedIdentity> {
    let events = this.#nobody
    try {
      const token = readToken(text)
      const provider = from.providerOf(token.iss)
      if (provider === null) throw tokenInvalid('issuer')
      events = provider.events
      this.#checkReadable(token, provider)
      if (!provider.keys.set.mayHave(token.kid)) await this.#lookForKey(provider, token.kid)
      const { identity } = await this.#verified(text, provider, lookUpClient)
      events.authenticated('verified')
      return identity
    } catch (error) {
      events.authenticated(outcomeOf(error))
      throw error
    }
  }

  /**
   * Refuses tokens that are invalid whatever their signature is, so that a client who sends garbage costs no
   * more than that.
   */
  #checkReadable({ alg, exp }: ReadToken, { algorithms, rules }: Provider): void {
    if (!algorithms.some((algorithm) => algorithm === alg)) throw tokenInvalid('algorithm')
    if (exp !== undefined && exp * 1000 + rules.clockTolerance <= this.#now()) throw tokenInvalid('expired')
  }

  /** Looks for newer keys because of a token. Throws HttpError if this key is not among them. */
  async #lookForKey({ keys }: Provider, kid: string | undefined): Promise<void> {
    if (this.#waitingForKeys >= MAX_WAITING_FOR_KEYS) throw tooManyTokens()
    this.#waitingForKeys++
    try {
      await keys.lookForNewer()
    } finally {
      this.#waitingForKeys--
    }
    if (keys.set.mayHave(kid)) return
    throw keys.isComplete ? tokenInvalid('key') : authenticationUnavailable()
  }

  /** Verifies a token, once for all requests that send it at the same time. */
  #verified(text: string, provider: Provider, lookUpClient: ClientLookup): Promise<GoodIdentity> {
    const pending = this.#pending.get(text)
    if (pending?.provider === provider) {
      this.#line.join(lookUpClient(), pending.verification)
      return pending.verification.promise
    }
    const verification = this.#line.begin(lookUpClient(), () => this.#verify(text, provider))
    if (pending !== undefined) return verification.promise
    this.#pending.set(text, { provider, verification })
    const over = (): void => void this.#pending.delete(text)
    verification.promise.then(over, over)
    return verification.promise
  }

  async #verify(text: string, provider: Provider): Promise<GoodIdentity> {
    const { keys, rules, name } = provider
    const { epoch } = keys
    const now = this.#now()
    const { claims, expires } = await verifyToken(text, keys.set, rules, now)
    const key = (++this.#identities).toString(36)
    const good = {
      identity: { claims, key, provider: name },
      provider,
      epoch,
      until: Math.min(expires, now + this.#refreshInterval),
    }
    this.#good.add(text, good, claims)
    return good
  }

  [Symbol.dispose](): void {
    for (const { keys } of this.#providers) keys[Symbol.dispose]()
  }
}

function guardOf({ allowedNetworks }: AuthenticationConfig): AddressGuard {
  const remedy = (named: string): string =>
    `If keys of tokens may be there, name the network in the settings of the router, as in "authentication: { jwt: { allowed_networks: [${named}] } }".`
  return createAddressGuard({ allowedNetworks, allowedHosts: null, remedy })
}

function outcomeOf(error: unknown): AuthenticationOutcome {
  if (!(error instanceof HttpError)) return 'invalid'
  if (error.code === 'OVERLOADED') return 'overloaded'
  return error.code === 'AUTHENTICATION_UNAVAILABLE' ? 'unavailable' : 'invalid'
}
