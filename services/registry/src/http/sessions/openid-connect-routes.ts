/** Routes to and from the identity provider, which people pass in their browsers. */
import { createHash } from 'node:crypto'
import { problem, ProblemError } from '@switchyard/contracts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { SignInRefusedError } from '../../openid-connect/open-id-connect.ts'
import { type ApiOptions, ProblemResponse } from '../api/api.ts'
import type { SessionGate } from '../api/session-gate.ts'

const MOST_CHARACTERS = 2000
/** Leaves this page without an entry in the history, to where its link leads. */
const SCRIPT = "location.replace(document.querySelector('a').href)"
const POLICY = `default-src 'none'; script-src 'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

const Page = { content: { 'text/html': { schema: z.string() } } }

export function installOpenIdConnectRoutes(server: FastifyInstance, { sessions }: ApiOptions): void {
  const app = server.withTypeProvider<ZodTypeProvider>()

  app.get('/v1/oidc/start', {
    exposeHeadRoute: false,
    schema: {
      summary: 'Go to the identity provider to sign in',
      security: [],
      querystring: z.strictObject({ return: z.string().max(MOST_CHARACTERS).default('/studio') }),
      response: { 302: z.null().describe('To the identity provider'), ...ProblemResponse },
    },
    handler: async (request, reply) => {
      const { gate, provider } = partsOf(sessions)
      const site = gate.siteOf(request)
      const from = request.headers['sec-fetch-site']
      if (from !== undefined && from !== 'same-origin' && from !== 'none') {
        throw new ProblemError(
          problem(
            'SESSION_FOREIGN_SITE',
            'A sign-in begins on a page of this registry: open Studio, and sign in there.',
          ),
        )
      }
      const { url, flow } = await provider.start(site.origin, returnPath(request.query.return, site.origin))
      gate.keepFlow(request, flow)
      return reply.status(302).header('location', url).send(null)
    },
  })

  // Without the type provider: the answer is a page.
  server.get('/v1/oidc/callback', {
    exposeHeadRoute: false,
    schema: {
      summary: 'Come back from the identity provider; the answer is a page that goes on to Studio',
      security: [],
      response: {
        200: { description: 'Signed in', ...Page },
        400: { description: 'Not signed in, with the reason', ...Page },
        ...ProblemResponse,
      },
    },
    handler: async (request, reply) => {
      const { gate, provider } = partsOf(sessions)
      const { origin } = gate.siteOf(request)
      const flow = gate.takeFlow(request)
      try {
        if (flow === null) throw new SignInRefusedError('This browser has begun no sign-in, or too long ago.')
        const identity = await provider.finish(flow, origin, new URL(request.url, origin))
        gate.beginAfterProvider(request, identity)
        return await sendPage(reply, 200, flow.returnTo, 'You are signed in. Go on to Studio')
      } catch (error) {
        if (!(error instanceof SignInRefusedError)) throw error
        gate.refused(request, error)
        return sendPage(reply, 400, '/studio', `${error.message} Go to Studio, and sign in again`)
      }
    },
  })
}

function partsOf(sessions: SessionGate | null) {
  const provider = sessions?.openIdConnect ?? null
  if (sessions !== null && provider !== null) return { gate: sessions, provider }
  throw new ProblemError(
    problem('NOT_FOUND', 'This registry has no identity provider. SWITCHYARD_OIDC_ISSUER names one.'),
  )
}

/** Returns the path within Studio. Throws a problem for everything else, so that no link leads elsewhere. */
function returnPath(text: string, origin: string): string {
  const url =
    /^\/[\x21-\x5b\x5d-\x7e]*$/.test(text) && URL.canParse(text, origin) ? new URL(text, origin) : null
  if (url?.origin === origin && /^\/studio(?:\/|$)/.test(url.pathname))
    return `${url.pathname}${url.search}${url.hash}`
  throw new ProblemError(
    problem('INVALID_REQUEST', 'The parameter "return" has to be a path of Studio: /studio/…'),
  )
}

/** A page, and no redirect: browsers send a strict cookie only from a page of this origin. */
function sendPage(reply: FastifyReply, status: 200 | 400, href: string, text: string): FastifyReply {
  const script = status === 200 ? `<script>${SCRIPT}</script>` : ''
  return reply
    .status(status)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', POLICY)
    .header('referrer-policy', 'no-referrer')
    .header('x-content-type-options', 'nosniff')
    .send(
      `<!doctype html><html lang="en"><title>Switchyard</title><p><a href="${escaped(href)}">${escaped(text)}</a></p>${script}</html>`,
    )
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
