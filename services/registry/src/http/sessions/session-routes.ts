/** Routes by which pages in a browser begin, look at and end their sessions. */
import { BeginSession, problem, ProblemError, SessionView, SignInWays } from '@switchyard/contracts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { endsOf, type Session } from '../../sessions/session.ts'
import {
  type ApiOptions,
  identityOfKey,
  ProblemResponse,
  requireAnswers,
  requireJson,
  sessionOf,
} from '../api/api.ts'
import type { OpenSession } from '../api/session-gate.ts'

/** A body that an API key fits into. Everybody may send one. */
const BODY_LIMIT = 8192

export function installSessionRoutes(server: FastifyInstance, options: ApiOptions): void {
  const app = server.withTypeProvider<ZodTypeProvider>()
  const { sessions } = options
  const begun = new WeakMap<FastifyRequest, OpenSession>()
  app.addHook('onSend', async (request, reply) => {
    const cookie = sessions?.cookieFor(request)
    if (cookie !== undefined) reply.header('set-cookie', cookie)
  })

  app.get('/v1/sign-in', {
    schema: {
      summary: 'Tell the ways to begin a session',
      security: [],
      response: { 200: SignInWays, ...ProblemResponse },
    },
    handler: () => ({ link: false, apiKey: sessions !== null, openIdConnect: null }),
  })

  app.post('/v1/session', {
    bodyLimit: BODY_LIMIT,
    schema: {
      summary: 'Begin a session with an API key; its cookie is in the answer',
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
      if (!('apiKey' in body)) throw new ProblemError(unknownLink())
      const { identity, caller, name } = await identityOfKey(options, request, body.apiKey)
      const session = gateOf(options).begin(request, identity)
      return reply.status(201).send(sessionView({ session, caller, name }))
    },
  })

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
