/**
 * Lets requests in by the session of a browser.
 *
 * A browser sends a cookie whoever wrote the page that makes the request. So a session counts only if the
 * browser says that the request comes from a page of this origin, if it was sent to a listed host, and, for
 * writes, if the page knows a secret that only answers of this origin tell.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { CSRF_HEADER, problem, ProblemError } from '@switchyard/contracts'
import type { SystemState } from '@switchyard/domain'
import type { FastifyRequest } from 'fastify'
import type { Access, Caller, NamedCaller } from '../../keys/access.ts'
import type { FailedAuthentications } from '../../keys/failed-authentications.ts'
import { cookieOf, setCookie } from '../../sessions/cookies.ts'
import { EndedSessions } from '../../sessions/ended-sessions.ts'
import { Flow, type OpenIdConnect } from '../../openid-connect/open-id-connect.ts'
import {
  endsOf,
  type Identity,
  type KeyIdentity,
  newSession,
  type OpenIdIdentity,
  renewed,
  Session,
} from '../../sessions/session.ts'
import type { OneTimeLinks } from '../../sessions/one-time-links.ts'
import type { SessionKeys } from '../../sessions/session-keys.ts'
import { COOKIE, type SessionSite, siteOf } from '../../sessions/session-site.ts'
import type { ApiEvents } from './api-events.ts'
import { TooManyFailuresError } from './problem-replies.ts'

export type SessionGateOptions = {
  readonly keys: SessionKeys
  /** The origin at which browsers reach the registry, besides loopback names. */
  readonly studioUrl: string | null
  /** Null if there is no identity provider. */
  readonly openIdConnect: OpenIdConnect | null
  /** Null if one-time links begin no sessions here. */
  readonly links: OneTimeLinks | null
  readonly access: Access
  readonly failedAuthentications: FailedAuthentications
  readonly events: ApiEvents
  readonly system: () => SystemState
  /** The state with everything that other registries wrote. */
  readonly systemCaughtUp: () => Promise<SystemState>
  /** Unix milliseconds. */
  readonly now: () => number
}

/** A session that was accepted, with what its owner may do at this moment. */
export type OpenSession = { readonly session: Session; readonly caller: Caller; readonly name: string }

/** The time that a person has at the identity provider. */
const FLOW_MS = 10 * 60_000
const READS = ['GET', 'HEAD']

export class SessionGate {
  readonly #options: SessionGateOptions
  readonly #ended: EndedSessions
  /** The cookies that the answer of a request sets. */
  readonly #cookies = new WeakMap<FastifyRequest, string[]>()

  constructor(options: SessionGateOptions) {
    this.#options = options
    this.#ended = new EndedSessions(options.now)
  }

  get openIdConnect(): OpenIdConnect | null {
    return this.#options.openIdConnect
  }

  get links(): OneTimeLinks | null {
    return this.#options.links
  }

  /** Returns the origin at which whoever sent this request can open Studio. */
  originFor({ headers, socket }: FastifyRequest): string {
    const { studioUrl } = this.#options
    return siteOf(headers.host, studioUrl)?.origin ?? studioUrl ?? `http://localhost:${socket.localPort}`
  }

  /** Null if the request has no session at all. Throws a problem if it has one that does not count. */
  async identify(request: FastifyRequest): Promise<OpenSession | null> {
    const { host, cookie } = request.headers
    const listed = siteOf(host, this.#options.studioUrl)
    const sealed = listed === null ? null : cookieOf(cookie, listed.cookie)
    const isElsewhere = listed === null && cookie?.includes(COOKIE) === true
    if (sealed === null && !isElsewhere) return null
    const site = this.requireOwnPage(request)
    const session = this.#open(sealed ?? '')
    if (!READS.includes(request.method)) requireCsrf(request, session)
    const { who, ...open } = await this.#lookUp(request, session)
    const now = this.#options.now()
    const next = who === session.who ? renewed(session, now) : { ...session, who, usedAt: now }
    if (next !== null) this.#keep(request, site, next)
    return { ...open, session: next ?? session }
  }

  /** Begins a session; the answer of the request sets its cookie. */
  begin(request: FastifyRequest, who: Identity): Session {
    return this.#begin(request, this.requireOwnPage(request), who)
  }

  /** Begins the session of somebody whom the identity provider sent back, and forgets the sign-in. */
  beginAfterProvider(request: FastifyRequest, who: OpenIdIdentity): Session {
    return this.#begin(request, this.siteOf(request), who)
  }

  /** Lets the browser keep what it needs when the identity provider sends it back. */
  keepFlow(request: FastifyRequest, flow: Flow): void {
    const value = this.#options.keys.seal('openid-connect', flow)
    this.#flowCookie(request, value, FLOW_MS)
  }

  /** Returns the sign-in that this browser has begun, which the answer makes it forget. */
  takeFlow(request: FastifyRequest): Flow | null {
    const sealed = cookieOf(request.headers.cookie, flowCookieOf(this.siteOf(request)))
    if (sealed === null) return null
    this.#flowCookie(request, '', 0)
    const flow = Flow.safeParse(this.#options.keys.open('openid-connect', sealed))
    return flow.success ? flow.data : null
  }

  #flowCookie(request: FastifyRequest, value: string, maxAgeMs: number): void {
    const site = this.siteOf(request)
    // A strict cookie would not be sent when another site sends the browser back.
    const cookie = { name: flowCookieOf(site), value, sameSite: 'Lax', maxAgeMs } as const
    this.#addCookie(request, setCookie(site, cookie))
  }

  #begin(request: FastifyRequest, site: SessionSite, who: Identity): Session {
    const session = newSession(who, this.#options.now())
    this.#keep(request, site, session)
    return session
  }

  end(request: FastifyRequest, { id }: Session): void {
    const site = this.requireOwnPage(request)
    this.#ended.add(id)
    const gone = { name: site.cookie, value: '', sameSite: 'Strict', maxAgeMs: 0 } as const
    this.#addCookie(request, setCookie(site, gone))
  }

  /** Logs why the identity provider's answer signed nobody in. */
  refused({ ip }: FastifyRequest, error: Error): void {
    this.#options.events.signInRefused(ip, error)
  }

  /** The `Set-Cookie` headers of the answer. */
  cookiesFor(request: FastifyRequest): readonly string[] {
    return this.#cookies.get(request) ?? []
  }

  /** Throws unless a page of this origin sent the request, to an address at which sessions are accepted. */
  requireOwnPage(request: FastifyRequest): SessionSite {
    const site = this.siteOf(request)
    const { headers } = request
    const from = headers['sec-fetch-site']
    if (from === 'same-origin') return site
    throw new ProblemError(
      problem(
        'SESSION_FOREIGN_SITE',
        `A session is accepted only from pages of this registry: the header "Sec-Fetch-Site: same-origin" was expected, which browsers send by themselves, and ${from === undefined ? 'it is absent' : 'it has another value'}. Programs send "Authorization: Bearer <api key>". Nothing was changed.`,
      ),
    )
  }

  /** Throws unless sessions are accepted at the address that the request was sent to. */
  siteOf({ headers: { host = '' } }: FastifyRequest): SessionSite {
    const { studioUrl } = this.#options
    const site = siteOf(host, studioUrl)
    if (site !== null) return site
    throw new ProblemError(unknownHost(host, studioUrl))
  }

  #open(sealed: string): Session {
    const { keys, now } = this.#options
    const parsed = Session.safeParse(keys.open('session', sealed))
    if (!parsed.success) throw expired('its cookie was not made by this registry, or was changed')
    const session = parsed.data
    const { expiresAt, idleAt } = endsOf(session)
    if (this.#ended.has(session.id)) throw expired('it was ended by signing out')
    if (now() >= expiresAt) throw expired('it was begun 8 hours ago')
    if (now() >= idleAt) throw expired('it was not used for 30 minutes')
    return session
  }

  /** Finds out what the owner of the session may do now. A key that was deleted has no session. */
  async #lookUp(request: FastifyRequest, session: Session): Promise<NamedCaller & { who: Identity }> {
    const { signedInAt, who } = session
    if (who.kind === 'key') {
      const { caller, name } = await this.#lookUpKey(request, who)
      return { caller: { ...caller, signedInAt }, name, who }
    }
    const { openIdConnect } = this.#options
    const current = (await openIdConnect?.current(session.id, who)) ?? null
    const known = current === null ? null : (openIdConnect?.callerOf(current) ?? null)
    if (current === null || known === null) {
      throw expired('the identity provider does not confirm it any more, or gave no way to ask again')
    }
    return { caller: { ...known.caller, signedInAt }, name: known.name, who: current }
  }

  async #lookUpKey(request: FastifyRequest, who: KeyIdentity): Promise<NamedCaller> {
    const { access, failedAuthentications, system, systemCaughtUp } = this.#options
    let known = access.lookUp(who, system())
    if (known === null) {
      // Another registry may have created the key a moment ago.
      const waitMs = failedAuthentications.waitFor(request.ip)
      if (waitMs > 0) throw new TooManyFailuresError(waitMs)
      failedAuthentications.failed(request.ip)
      known = access.lookUp(who, await systemCaughtUp())
      if (known === null) throw expired('the API key that it was begun with was deleted or replaced')
      failedAuthentications.succeeded(request.ip)
    }
    return known
  }

  #keep(request: FastifyRequest, site: SessionSite, session: Session): void {
    const { keys, now } = this.#options
    const maxAgeMs = endsOf(session).expiresAt - now()
    const value = keys.seal('session', session)
    const cookie = { name: site.cookie, value, sameSite: 'Strict', maxAgeMs } as const
    this.#addCookie(request, setCookie(site, cookie))
  }

  #addCookie(request: FastifyRequest, cookie: string): void {
    this.#cookies.set(request, [...(this.#cookies.get(request) ?? []), cookie])
  }
}

function flowCookieOf({ cookie }: SessionSite): string {
  return `${cookie}_sign_in`
}

function requireCsrf({ headers }: FastifyRequest, { csrf }: Session): void {
  const sent = headers[CSRF_HEADER]
  const isRight = typeof sent === 'string' && timingSafeEqual(hashOf(sent), hashOf(csrf))
  if (isRight) return
  throw new ProblemError(
    problem(
      'CSRF_TOKEN_WRONG',
      `A write by a session carries the header "${CSRF_HEADER}" with the value that GET /v1/session tells as "csrf"; it is ${sent === undefined ? 'absent' : 'another one'}. Nothing was changed.`,
    ),
  )
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function expired(reason: string): ProblemError {
  return new ProblemError(problem('SESSION_EXPIRED', `The session has ended: ${reason}. Sign in again.`))
}

function unknownHost(host: string, studioUrl: string | null) {
  const listed = studioUrl === null ? 'SWITCHYARD_STUDIO_URL names none' : `it is ${studioUrl}`
  return problem(
    'SESSION_HOST_UNKNOWN',
    `Sessions are not accepted at the host "${host.slice(0, 100)}", only at the address of Studio (${listed}) and at http://localhost. Set SWITCHYARD_STUDIO_URL to the address that the browser shows, and let proxies pass on the Host header. Nothing was changed.`,
  )
}
