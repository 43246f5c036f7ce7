/**
 * Tells browsers which pages of other origins may read answers. Off by default: then no header is sent, and
 * browsers let no other origin read anything.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { AuthenticationConfig } from '../authentication/settings.ts'
import type { ClientIdentificationConfig } from '../client-names/settings.ts'
import type { HeadersConfig } from '../headers/settings.ts'
import type { RequestIdConfig } from '../../http/request-id-settings.ts'
import type { CorsConfig, CsrfConfig } from '../csrf/browser-settings.ts'
import { FLAG_HEADER } from '../../flags/requested-flag.ts'
import { ForwardedHeaders } from '../headers/forwarded-headers.ts'
import { allResponseRules } from '../headers/response-rules.ts'
import { traceNames } from '../../headers/trace-names.ts'
import { GUARD_HEADERS } from '../csrf/check-csrf.ts'

const ALLOWED_HEADERS = [
  'Content-Type',
  // Browsers ask for permission where it has quotation marks, as in incrementalSpec="v0.2", or more than 128
  // characters.
  'Accept',
  ...GUARD_HEADERS,
  FLAG_HEADER,
  'Traceparent',
  'Tracestate',
]

/** Makes the headers by which browsers let pages of other origins read answers. */
export type Cors = {
  readonly enabled: boolean
  /** Returns headers for a GraphQL answer. Empty for an origin that is not allowed. */
  answerHeaders(request: IncomingHttpHeaders): Readonly<Record<string, string>>
  /** Returns headers for the answer to a preflight request. */
  preflightHeaders(request: IncomingHttpHeaders): Readonly<Record<string, string>>
}

/** The settings under `cors`, and others that name headers of requests and answers. */
type Settings = {
  readonly authentication: AuthenticationConfig | null
  readonly clientIdentification: ClientIdentificationConfig
  readonly cors: CorsConfig
  readonly csrf: CsrfConfig
  readonly headers: HeadersConfig
  readonly requestId: RequestIdConfig
  readonly tracing: { readonly vendor: string }
}

/** Makes the headers that the settings under `cors` demand. */
export function createCors(settings: Settings): Cors {
  const config = settings.cors
  const origins = new Set(config.origins.map((origin) => origin.toLowerCase()))
  const any = origins.has('*')
  const forwarded = new ForwardedHeaders(settings.headers)
  const named = allowedBy(settings, forwarded)

  const { names } = allResponseRules(settings.headers)
  const exposed = [FLAG_HEADER, settings.requestId.header, ...names].join(', ')

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
        'Access-Control-Allow-Headers': [...named, ...matchedIn(request, forwarded)].join(', '),
        'Access-Control-Max-Age': String(config.maxAge),
      }
    },
  }
}

const REQUESTED = 'access-control-request-headers'

/** Returns headers that a page asks to send, and that a rule hands on because of a pattern. */
function matchedIn(request: IncomingHttpHeaders, forwarded: ForwardedHeaders): readonly string[] {
  if (forwarded.patterns.length === 0) return []
  const asked = (request[REQUESTED] ?? '').split(',')
  return asked.map((name) => name.trim().toLowerCase()).filter((name) => forwarded.isMatched(name))
}

/**
 * Returns request headers that a page may send: all that the router itself reads, and all that it hands on.
 */
function allowedBy(
  { authentication, cors, csrf, requestId, tracing, clientIdentification }: Settings,
  forwarded: ForwardedHeaders,
): readonly string[] {
  const { header, tokenHeader } = traceNames(tracing.vendor)
  const names = [
    ...ALLOWED_HEADERS,
    header,
    tokenHeader,
    ...clientIdentification.nameHeaders,
    ...clientIdentification.versionHeaders,
    ...(requestId.trustClients ? [requestId.header] : []),
    ...(csrf.acceptedHeaders === 'any' ? [] : csrf.acceptedHeaders),
    ...forwarded.names,
    ...(authentication?.providers ?? []).flatMap(({ headers }) => headers.map(({ name }) => name)),
    ...cors.allowHeaders,
  ]
  const spellings = new Map<string, string>()
  for (const name of names) if (!spellings.has(name.toLowerCase())) spellings.set(name.toLowerCase(), name)
  return [...spellings.values()]
}
