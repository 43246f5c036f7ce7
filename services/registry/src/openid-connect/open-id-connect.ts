/**
 * Signs people in at an identity provider: the code flow of OpenID Connect, with PKCE, state and nonce.
 *
 * The roles of a person are read from a claim, at the sign-in and then every 15 minutes by the refresh token.
 * Without a refresh token the session ends when its roles are that old.
 */
import { problem, ProblemError } from '@switchyard/contracts'
import * as client from 'openid-client'
import { z } from 'zod'
import type { NamedCaller } from '../keys/access.ts'
import { EndedSessions } from '../sessions/ended-sessions.ts'
import { type OpenIdIdentity, rolesAreOld } from '../sessions/session.ts'
import type { OpenIdConnectSettings } from './settings.ts'

const FLOW_MS = 10 * 60_000
const DISCOVERED_FOR_MS = 60 * 60_000
const TIMEOUT_SECONDS = 10
/** Roles of this length altogether, and a refresh token of this length, fit into a cookie beside the rest. */
const MOST_ROLE_CHARACTERS = 800
const MOST_TOKEN_CHARACTERS = 1500
/** Refreshes that are remembered for requests which were sent with the cookie of before. */
const MOST_REFRESHES = 1000

/** The sign-in that a browser keeps, sealed, while its owner is at the provider. */
export const Flow = z.object({
  issuer: z.string(),
  origin: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  returnTo: z.string(),
  startedAt: z.number(),
})
export type Flow = z.infer<typeof Flow>

/** Why nobody was signed in, in a sentence for the person. */
export class SignInRefusedError extends Error {
  override readonly name = 'SignInRefusedError'
}

type Claims = Readonly<Record<string, unknown>>
type Discovered = { readonly at: number; readonly configuration: Promise<client.Configuration> }
type Refresh = { readonly from: number; readonly identity: Promise<OpenIdIdentity | null> }

export class OpenIdConnect {
  readonly #settings: OpenIdConnectSettings
  readonly #now: () => number
  readonly #usedFlows: EndedSessions
  /** The last refresh of each session, the oldest first. */
  readonly #refreshes = new Map<string, Refresh>()
  #discovered: Discovered | null = null

  /** `now` returns Unix milliseconds. */
  constructor(settings: OpenIdConnectSettings, now: () => number) {
    this.#settings = settings
    this.#now = now
    this.#usedFlows = new EndedSessions(now)
  }

  get name(): string {
    return this.#settings.name
  }

  /** Begins a sign-in: the address of the provider, and what the browser has to keep until it comes back. */
  async start(origin: string, returnTo: string): Promise<{ readonly url: string; readonly flow: Flow }> {
    const { issuer, scopes } = this.#settings
    const configuration = await this.#discover()
    const verifier = client.randomPKCECodeVerifier()
    const [state, nonce] = [client.randomState(), client.randomNonce()]
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri(origin),
      scope: scopes,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
      // Providers give a refresh token for `offline_access` only to somebody who was asked.
      ...(scopes.split(' ').includes('offline_access') ? { prompt: 'consent' } : {}),
    })
    return {
      url: url.href,
      flow: { issuer, origin, state, nonce, verifier, returnTo, startedAt: this.#now() },
    }
  }

  /** Ends a sign-in with what the provider sent. Throws SignInRefusedError if nobody is signed in by it. */
  async finish(flow: Flow, origin: string, callback: URL): Promise<OpenIdIdentity> {
    const { issuer, clientId } = this.#settings
    const isOurs = flow.issuer === issuer && flow.origin === origin
    if (!isOurs || this.#now() - flow.startedAt > FLOW_MS || this.#usedFlows.has(flow.state)) {
      throw new SignInRefusedError('The sign-in is too old, was finished already, or was begun elsewhere.')
    }
    this.#usedFlows.add(flow.state)
    const configuration = await this.#discover()
    const tokens = await client
      .authorizationCodeGrant(configuration, callback, {
        expectedState: flow.state,
        expectedNonce: flow.nonce,
        pkceCodeVerifier: flow.verifier,
        idTokenExpected: true,
      })
      .catch((error: unknown) => {
        throw new SignInRefusedError('The answer of the identity provider was not accepted.', {
          cause: error,
        })
      })
    const claims: Claims = tokens.claims() ?? {}
    if (claims['azp'] !== undefined && claims['azp'] !== clientId) {
      throw new SignInRefusedError('The identity provider answered for another program.')
    }
    const identity = await this.#identityOf(configuration, claims, tokens)
    if (identity !== null) return identity
    throw new SignInRefusedError(
      `Your account has none of the roles that may sign in. They are read from the claim "${this.#settings.rolesClaim}"; SWITCHYARD_OIDC_ROLES says which may do what.`,
    )
  }

  /**
   * Returns the owner of a session with roles that are at most 15 minutes old. Null if the session has ended.
   * Requests that are sent at the same time refresh once.
   */
  async current(session: string, who: OpenIdIdentity): Promise<OpenIdIdentity | null> {
    if (who.issuer !== this.#settings.issuer) return null
    if (!rolesAreOld(who, this.#now())) return who
    const known = this.#refreshes.get(session)
    if (known !== undefined && known.from >= who.rolesAt) return known.identity
    const identity = this.#refresh(who)
    this.#refreshes.delete(session)
    this.#refreshes.set(session, { from: who.rolesAt, identity })
    const [oldest] = this.#refreshes.keys()
    if (this.#refreshes.size > MOST_REFRESHES && oldest !== undefined) this.#refreshes.delete(oldest)
    identity.catch(() => this.#refreshes.delete(session))
    return identity
  }

  /** Returns what the person may do by the roles that were read last. */
  callerOf({ issuer, subject, name, roles }: OpenIdIdentity): NamedCaller | null {
    const scopes = [...new Set(roles.flatMap((role) => this.#settings.roles.get(role) ?? []))]
    return scopes.length === 0 ? null : { caller: { actor: `oidc:${issuer}#${subject}`, scopes }, name }
  }

  async #refresh(who: OpenIdIdentity): Promise<OpenIdIdentity | null> {
    const { refreshToken, subject } = who
    if (refreshToken === null) return null
    const configuration = await this.#discover()
    try {
      const tokens = await client.refreshTokenGrant(configuration, refreshToken)
      const claims: Claims = tokens.claims() ?? { sub: subject }
      if (claims['sub'] !== subject) return null
      return await this.#identityOf(configuration, claims, { refresh_token: refreshToken, ...tokens })
    } catch (error) {
      // The provider said no: the person, or this program, was shut out.
      if (error instanceof client.ResponseBodyError) return null
      throw unavailable(error)
    }
  }

  /** Null if the person has no role that may sign in. */
  async #identityOf(
    configuration: client.Configuration,
    claims: Claims,
    tokens: { readonly access_token: string; readonly refresh_token?: string },
  ): Promise<OpenIdIdentity | null> {
    const { issuer, rolesClaim } = this.#settings
    const subject = claims['sub']
    if (typeof subject !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(subject)) {
      throw new SignInRefusedError('The identity provider did not say who signed in.')
    }
    const all =
      claims[rolesClaim] === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
        ? { ...claims, ...(await userInfo(configuration, tokens.access_token, subject)) }
        : claims
    const roles = this.#rolesIn(all)
    if (roles.length === 0) return null
    const token = tokens.refresh_token
    return {
      kind: 'openid-connect',
      issuer,
      subject,
      name: nameIn(all) ?? subject,
      roles,
      rolesAt: this.#now(),
      refreshToken: token === undefined || token.length > MOST_TOKEN_CHARACTERS ? null : token,
    }
  }

  /** Only roles that give scopes are kept, and as many as fit. */
  #rolesIn(claims: Claims): string[] {
    const value = claims[this.#settings.rolesClaim]
    const values = new Set(Array.isArray(value) ? value : [value])
    const roles: string[] = []
    let characters = 0
    for (const role of this.#settings.roles.keys()) {
      characters += values.has(role) ? role.length + 3 : 0
      if (values.has(role) && characters <= MOST_ROLE_CHARACTERS) roles.push(role)
    }
    return roles
  }

  async #discover(): Promise<client.Configuration> {
    const { issuer, clientId } = this.#settings
    const now = this.#now()
    if (this.#discovered === null || now - this.#discovered.at > DISCOVERED_FOR_MS) {
      const url = new URL(issuer)
      const configuration = client.discovery(url, clientId, {}, this.#authentication(), {
        timeout: TIMEOUT_SECONDS,
        execute: [
          // Signatures of ID tokens are verified although they come over TLS.
          client.enableNonRepudiationChecks,
          ...(url.protocol === 'http:' ? [client.allowInsecureRequests] : []),
        ],
      })
      const discovered = { at: now, configuration }
      this.#discovered = discovered
      configuration.catch(() => {
        if (this.#discovered === discovered) this.#discovered = null
      })
    }
    return this.#discovered.configuration.catch((error: unknown) => {
      throw unavailable(error)
    })
  }

  #authentication(): client.ClientAuth {
    const { clientSecret } = this.#settings
    if (clientSecret === null) return client.None()
    return (server, metadata, body, headers) => {
      const supported = server.token_endpoint_auth_methods_supported
      const isBasic = supported === undefined || supported.includes('client_secret_basic')
      const authenticate = isBasic ? client.ClientSecretBasic : client.ClientSecretPost
      authenticate(clientSecret)(server, metadata, body, headers)
    }
  }
}

export function redirectUri(origin: string): string {
  return `${origin}/v1/oidc/callback`
}

async function userInfo(
  configuration: client.Configuration,
  token: string,
  subject: string,
): Promise<Claims> {
  return client.fetchUserInfo(configuration, token, subject)
}

function nameIn(claims: Claims): string | null {
  for (const claim of ['name', 'preferred_username', 'email']) {
    const value = claims[claim]
    if (typeof value === 'string' && value !== '') return value.slice(0, 100)
  }
  return null
}

function unavailable(cause: unknown): ProblemError {
  return new ProblemError(
    problem(
      'OPENID_CONNECT_UNAVAILABLE',
      'The identity provider cannot be reached, or answers with something else than OpenID Connect. Try again later; API keys work all the same.',
    ),
    cause,
  )
}
