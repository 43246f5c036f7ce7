/** Collects the headers that pages of other origins need to send and to read, over all settings. */
import type { PageHeaders } from '../../concerns/cors/cors.ts'
import { GUARD_HEADERS } from '../../concerns/csrf/check-csrf.ts'
import { ForwardedHeaders } from '../../concerns/headers/forwarded-headers.ts'
import { allResponseRules } from '../../concerns/headers/response-rules.ts'
import type { RouterConfig } from '../../config/router-config.ts'
import { FLAG_HEADER } from '../../flags/requested-flag.ts'
import { traceNames } from '../../headers/trace-names.ts'

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

/** Headers of one route that pages send to it, and that they read of its answers. */
export type MoreHeaders = Pick<PageHeaders, 'sent' | 'read'>
export const NO_MORE_HEADERS: MoreHeaders = { sent: [], read: [] }

/** Returns headers that the router itself reads or that it hands on, and those of its answers. */
export function pageHeaders(config: RouterConfig, more: MoreHeaders): PageHeaders {
  const { authentication, csrf, requestEncodings, requestId, tracing, clientIdentification } = config
  const forwarded = new ForwardedHeaders(config.headers)
  const { header, tokenHeader, standInHeader } = traceNames(tracing.vendor)
  return {
    sent: [
      ...ALLOWED_HEADERS,
      ...(requestEncodings.length === 0 ? [] : ['Content-Encoding']),
      header,
      tokenHeader,
      standInHeader,
      ...clientIdentification.nameHeaders,
      ...clientIdentification.versionHeaders,
      ...(requestId.trustClients ? [requestId.header] : []),
      ...(csrf.acceptedHeaders === 'any' ? [] : csrf.acceptedHeaders),
      ...forwarded.names,
      ...(authentication?.providers ?? []).flatMap(({ headers }) => headers.map(({ name }) => name)),
      ...more.sent,
    ],
    matched: forwarded,
    read: [FLAG_HEADER, requestId.header, ...allResponseRules(config.headers).names, ...more.read],
  }
}
