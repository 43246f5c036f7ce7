/**
 * The playground: `GET /`, what that page loads below `/playground/assets`, and `/playground/state.json`,
 * which says what the router serves. All paths follow the base path.
 */
import { createReadStream } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import { type BuiltPage, type PageFile, sentFile } from '@switchyard/built-page'
import { ASSETS, type PlaygroundState } from '@switchyard/playground'
import type { PathRoute } from '../../http/handler.ts'
import { JSON_TYPE } from '../../http/negotiate.ts'
import { errorBody, NOT_STORED_LIST, sendJson } from '../../http/reply.ts'

export type PlaygroundOptions = {
  readonly basePath: string
  /** The page of the playground; null if it has not been built. */
  readonly page: BuiltPage | null
  /** Returns the state of the router that the page shows. */
  readonly state: () => PlaygroundState
}

/**
 * The page runs only what is served here, asks only this router, and is shown in no page of others. The
 * editor writes styles of its own.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  // Libraries of the editor bring theirs in their style sheets.
  "font-src 'self' data:",
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** A new build is found at the next visit: its files have new names. */
const PAGE_HEADERS = [
  'Cache-Control',
  'no-cache',
  'Content-Security-Policy',
  POLICY,
  'Referrer-Policy',
  'no-referrer',
  'Cross-Origin-Opener-Policy',
  'same-origin',
]
const ASSET_HEADERS = ['Cache-Control', 'public, max-age=31536000, immutable']
const NOT_BUILT =
  'The playground has not been built. "make playground" builds it; the packages and images of Switchyard have it.\n'

export function createPlaygroundRoute({ basePath, page, state }: PlaygroundOptions): PathRoute {
  const [home, stateFile, assets] = [
    `${basePath}/`,
    `${basePath}/playground/state.json`,
    `${basePath}/${ASSETS}/`,
  ]
  const answerOf = (path: string) => {
    if (path === home) return page === null ? sendNotBuilt : fileAnswer(page.html, PAGE_HEADERS)
    // The page names its files from where it is.
    if (path === basePath) return redirectTo(`${lastSegment(basePath)}/`)
    if (path === stateFile) return stateAnswer(state)
    const asset = path.startsWith(assets) ? page?.assets.get(path.slice(assets.length)) : undefined
    return asset === undefined ? null : fileAnswer(asset, ASSET_HEADERS)
  }
  return ({ path }, request, response) => {
    const answer = answerOf(path)
    if (answer === null) return false
    request.resume()
    if (request.method === 'GET' || request.method === 'HEAD') answer(request, response)
    else refuseMethod(response)
    return true
  }
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void

function fileAnswer(file: PageFile, headers: readonly string[]): Answer {
  return (request, response) => {
    const sent = sentFile(file, request.headers['accept-encoding'])
    response.writeHead(200, [...sent.headers, ...headers])
    // A file that has gone away, or a client that has, ends this answer and nothing else.
    if (request.method === 'HEAD') response.end()
    else pipeline(createReadStream(sent.file), response, () => {})
  }
}

function stateAnswer(state: () => PlaygroundState): Answer {
  return (_, response) => sendJson(response, 200, JSON_TYPE, NOT_STORED_LIST, JSON.stringify(state()))
}

function redirectTo(location: string): Answer {
  return (_, response) => {
    response.writeHead(308, ['Location', location, 'Content-Length', '0'])
    response.end()
  }
}

function sendNotBuilt(_: IncomingMessage, response: ServerResponse): void {
  response.writeHead(404, [
    'Content-Type',
    'text/plain; charset=utf-8',
    'Content-Length',
    String(Buffer.byteLength(NOT_BUILT)),
    ...NOT_STORED_LIST,
  ])
  response.end(NOT_BUILT)
}

function refuseMethod(response: ServerResponse): void {
  const body = errorBody(
    'METHOD_NOT_ALLOWED',
    'The playground is asked for by GET. Operations are sent to the path /graphql.',
  )
  sendJson(response, 405, JSON_TYPE, [...NOT_STORED_LIST, 'Allow', 'GET, HEAD'], body)
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
