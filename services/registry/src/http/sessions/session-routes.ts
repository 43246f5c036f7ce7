/** Routes by which pages in a browser begin, look at and end their sessions. */
import {
  BeginSession,
  problem,
  ProblemError,
  SessionLink,
  SessionView,
  SignInWays,
} from '@switchyard/contracts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { endsOf, type Session } from '../../sessions/session.ts'
import {
  type ApiOptions,
  bearerIn,
  identityOfKey,
  ProblemResponse,
  requireAnswers,
  requireJson,
  routeOf,
  sessionOf,
} from '../api/api.ts'
import { TooManyFailuresError } from '../api/problem-replies.ts'
import type { OpenSession } from '../api/session-gate.ts'

/** A body that an API key fits into. Everybody may send one. */
const BODY_LIMIT = 8192

export function installSessionRoutes(server: FastifyInstance, options: ApiOptions): void {
  const app = server.withTypeProvider<ZodTypeProvider>()
  const { sessions } = options
  installLinks(server, options)
  installOpenSession(server, options)
  app.addHook('onSend', async (request, reply) => {
    for (const cookie of sessions?.cookiesFor(request) ?? []) reply.header('set-cookie', cookie)
  })

  app.get('/v1/sign-in', {
    schema: {
      summary: 'Tell the ways to begin a session',
      security: [],
      response: { 200: SignInWays, ...ProblemResponse },
    },
    handler: () => {
      const name = sessions?.openIdConnect?.name
      return {
        link: (sessions?.links ?? null) !== null,
        apiKey: sessions !== null,
        openIdConnect: name === undefined ? null : { name, start: '/v1/oidc/start' },
      }
    },
  })

  app.post('/v1/session', {
    bodyLimit: BODY_LIMIT,
    schema: {
      summary: 'Begin a session with an API key or a one-time link; its cookie is in the answer',
      security: [],
      body: BeginSession,
      response: { 201: SessionView, ...ProblemResponse },
    },
    onRequest: async (request) => {
      requireAnswers(options)
      gateOf(options).requireOwnPage(request)
      requireJson(request)
    },
    handler: async (request, reply) => {
      const { body } = request
      const known =
        'apiKey' in body
          ? await identityOfKey(options, request, body.apiKey)
          : await identityOfLink(options, request, body.link)
      const session = gateOf(options).begin(request, known.identity)
      return reply.status(201).send(sessionView({ ...known, session }))
    },
  })
}

function installLinks(server: FastifyInstance, options: ApiOptions): void {
  const app = server.withTypeProvider<ZodTypeProvider>()
  const keys = new WeakMap<FastifyRequest, KnownKey>()

  app.post('/v1/session/links', {
    bodyLimit: BODY_LIMIT,
    schema: {
      summary: 'Make a link that begins one session, with the rights of the API key',
      body: z.strictObject({}),
      response: { 201: SessionLink, ...ProblemResponse },
    },
    onRequest: async (request) => {
      requireAnswers(options)
      keys.set(request, await identityOfKey(options, request, keyIn(request)))
      requireJson(request)
    },
    handler: async (request, reply) => {
      const gate = gateOf(options)
      const known = keys.get(request)
      if (known === undefined) throw new Error('a request arrived without its API key')
      if (gate.links === null) throw new ProblemError(linksOff(gate.originFor(request)))
      const { secret, expiresAt } = gate.links.make(known.identity)
      return reply.status(201).send({ url: `${gate.originFor(request)}/studio#t=${secret}`, expiresAt })
    },
  })
}

/** Installs the routes that somebody who is signed in uses. */
function installOpenSession(server: FastifyInstance, options: ApiOptions): void {
  const app = server.withTypeProvider<ZodTypeProvider>()
  const begun = new WeakMap<FastifyRequest, OpenSession>()

  app.get('/v1/session', {
    schema: {
      summary: 'Tell who is signed in, and until when',
      response: { 200: SessionView, ...ProblemResponse },
    },
    onRequest: async (request) => void begun.set(request, await sessionOf(options, request)),
    handler: (request) => sessionView(opened(begun, request)),
  })

  app.delete('/v1/session', {
    schema: {
      summary: 'End the session',
      response: { 204: z.null().describe('It has ended'), ...ProblemResponse },
    },
    onRequest: async (request) => {
      begun.set(request, await sessionOf(options, request))
      requireJson(request)
    },
    handler: async (request, reply) => {
      gateOf(options).end(request, opened(begun, request).session)
      return reply.status(204).send(null)
    },
  })
}

type KnownKey = Awaited<ReturnType<typeof identityOfKey>>

/** The API key of a request. A session makes no links: each would last longer than the session itself. */
function keyIn({ headers }: FastifyRequest): string {
  const key = bearerIn(headers.authorization)
  if (key !== null) return key
  throw new ProblemError(
    problem('UNAUTHENTICATED', 'Links are made for API keys. Send "Authorization: Bearer <api key>".'),
  )
}

/** Exchanges a link. A wrong one counts as a wrong API key. */
async function identityOfLink(options: ApiOptions, request: FastifyRequest, link: string): Promise<KnownKey> {
  const { access, failedAuthentications, fold, events } = options
  const waitMs = failedAuthentications.waitFor(request.ip)
  const identity = gateOf(options).links?.use(link) ?? null
  const known = identity === null ? null : access.lookUp(identity, fold.system)
  if (identity !== null && known !== null) return { ...known, identity }
  if (waitMs > 0) throw new TooManyFailuresError(waitMs)
  failedAuthentications.failed(request.ip)
  events.authenticationFailed(
    request.ip,
    request.method,
    routeOf(request),
    failedAuthentications.waitFor(request.ip),
  )
  throw new ProblemError(unknownLink())
}

function linksOff(origin: string) {
  return problem(
    'LINKS_OFF',
    `One-time links are made by "switchyard up" only: several registries could not see to it that a link is used once. Open ${origin}/studio and sign in there.`,
  )
}

function gateOf({ sessions }: ApiOptions) {
  if (sessions !== null) return sessions
  throw new ProblemError(
    problem(
      'SESSIONS_OFF',
      'This registry has no sessions, since it has no key for them. Set SWITCHYARD_SESSION_KEY, the same for all registries.',
    ),
  )
}

function opened(begun: WeakMap<FastifyRequest, OpenSession>, request: FastifyRequest): OpenSession {
  const open = begun.get(request)
  if (open === undefined) throw new Error('a request arrived without its session')
  return open
}

function sessionView({ session, caller, name }: OpenSession): SessionView {
  const { csrf, signedInAt }: Session = session
  return { actor: caller.actor, name, scopes: [...caller.scopes], csrf, signedInAt, ...endsOf(session) }
}

function unknownLink() {
  return problem(
    'LINK_UNKNOWN',
    'The link was used already, is older than 5 minutes, or was not made by this registry. "switchyard studio" prints another.',
  )
}
