/**
 * Tells browsers which pages of other origins may read answers. Off by default: then no header is sent, and
 * browsers let no other origin read anything.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { SeenHeaders } from '../../headers/seen-headers.ts'
import type { CorsConfig } from './settings.ts'

/** Makes the headers by which browsers let pages of other origins read answers. */
export type Cors = {
  readonly enabled: boolean
  /**
   * Whether answers that may be kept differ by origin. Pages of Switchyard itself make none differ: they send
   * operations by POST.
   */
  readonly varies: boolean
  /** Returns headers for a GraphQL answer. Empty for an origin that is not allowed. */
  answerHeaders(request: IncomingHttpHeaders): Readonly<Record<string, string>>
  /** Returns headers for the answer to a preflight request. */
  preflightHeaders(request: IncomingHttpHeaders): Readonly<Record<string, string>>
}

/** Headers that pages of other origins need to send and to read. */
export type PageHeaders = {
  /** Names of request headers that a page may send. */
  readonly sent: readonly string[]
  /** Request headers that a rule hands on to subgraphs because of a pattern. */
  readonly matched: Pick<SeenHeaders, 'patterns' | 'isMatched'>
  /** Names of headers of answers that a page may read. */
  readonly read: readonly string[]
}

/** Makes the headers that the settings under `cors` demand. */
export function createCors(config: CorsConfig, { sent, matched, read }: PageHeaders): Cors {
  const origins = new Set([...config.origins, ...config.ownOrigins].map((origin) => origin.toLowerCase()))
  const any = origins.has('*')
  const allowed = differentNames([...sent, ...config.allowHeaders])
  const exposed = read.join(', ')

  const originHeaders = (request: IncomingHttpHeaders): Record<string, string> | null => {
    const origin = request.origin
    if (origin === undefined || !(any || origins.has(origin.toLowerCase()))) return null
    return {
      'Access-Control-Allow-Origin': any ? '*' : origin,
      ...(config.credentials ? { 'Access-Control-Allow-Credentials': 'true' } : {}),
    }
  }

  return {
    enabled: origins.size > 0,
    varies: config.origins.length > 0,
    answerHeaders(request) {
      const headers = originHeaders(request)
      return headers === null ? {} : { ...headers, 'Access-Control-Expose-Headers': exposed }
    },
    preflightHeaders(request) {
      const headers = originHeaders(request)
      if (headers === null) return {}
      return {
        ...headers,
        'Access-Control-Allow-Methods': 'GET, POST',
        'Access-Control-Allow-Headers': [...allowed, ...matchedIn(request, matched)].join(', '),
        'Access-Control-Max-Age': String(config.maxAge),
      }
    },
  }
}

const REQUESTED = 'access-control-request-headers'

/** Returns headers that a page asks to send, and that a rule hands on because of a pattern. */
function matchedIn(request: IncomingHttpHeaders, matched: PageHeaders['matched']): readonly string[] {
  if (matched.patterns.length === 0) return []
  const asked = (request[REQUESTED] ?? '').split(',')
  return asked.map((name) => name.trim().toLowerCase()).filter((name) => matched.isMatched(name))
}

/** Returns each header once, as the first name of it spells it. */
function differentNames(names: readonly string[]): readonly string[] {
  const spellings = new Map<string, string>()
  for (const name of names) if (!spellings.has(name.toLowerCase())) spellings.set(name.toLowerCase(), name)
  return [...spellings.values()]
}
