/**
 * Studio: the page at `/studio`, and what it loads below `/studio/assets`. Everybody may load it, since it
 * holds nothing of anybody: what it shows it asks for at `/v1`, in the session of whoever opened it.
 *
 * All paths below `/studio` answer with the same page, which reads from its address what it is to show.
 */
import { createReadStream } from 'node:fs'
import { type BuiltPage, type PageFile, sentFile } from '@switchyard/built-page'
import { problem, ProblemError } from '@switchyard/contracts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PublicUrls } from '../../reading/public-urls.ts'

/**
 * The page runs only what is served here, asks this registry and the routers of graphs, and is shown in no
 * page of others. Nothing of it is written into its HTML, so that markup in a name or an error could run
 * nothing.
 */
function policyFor(routers: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    ["connect-src 'self'", ...routers].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** A new build is found at the next visit: its files have new names. */
const PAGE_HEADERS = {
  'cache-control': 'no-cache',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}
const ASSET_HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'cross-origin-resource-policy': 'same-origin',
}
const NOT_BUILT =
  'Studio has not been built. "make studio" builds it, and the registry finds it at its next start; the packages and images of Switchyard have it.'

/** The graph that a page is about, by its address. */
const GRAPH_PAGE = /^ns\/([^/]+)\/graphs\/([^/]+)\//

/** Installs the routes. The page is null if it has not been built. */
export function installStudioRoutes(
  app: FastifyInstance,
  page: BuiltPage | null,
  publicUrls: PublicUrls,
): void {
  const hidden = { schema: { hide: true } }
  const sendPage = (path: string, request: FastifyRequest, reply: FastifyReply) => {
    if (page === null) throw new ProblemError(problem('NOT_FOUND', NOT_BUILT))
    const [, namespace, graph] = GRAPH_PAGE.exec(path) ?? []
    const shown = namespace === undefined || graph === undefined ? null : { namespace, graph }
    const policy = policyFor(publicUrls.origins(shown))
    return sendFile(page.html, { ...PAGE_HEADERS, 'content-security-policy': policy }, request, reply)
  }
  app.get('/studio', hidden, async (request, reply) => sendPage('', request, reply))
  app.get<{ Params: { '*': string } }>('/studio/*', hidden, async (request, reply) => {
    const [, asset] = /^assets\/(.*)$/s.exec(request.params['*']) ?? []
    if (asset === undefined || page === null) return sendPage(request.params['*'], request, reply)
    const file = page.assets.get(asset)
    if (file !== undefined) return sendFile(file, ASSET_HEADERS, request, reply)
    throw new ProblemError(
      problem(
        'NOT_FOUND',
        'This build of Studio has no such file. Load the page again to get the newest one.',
      ),
    )
  })
}

function sendFile(
  file: PageFile,
  headers: Readonly<Record<string, string>>,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const sent = sentFile(file, request.headers['accept-encoding'])
  reply.headers(headers)
  for (let at = 0; at < sent.headers.length; at += 2)
    reply.header(sent.headers[at] ?? '', sent.headers[at + 1] ?? '')
  return reply.send(createReadStream(sent.file))
}
