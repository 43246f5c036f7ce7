/** Cross-origin rules. Off by default: then no header is sent and browsers of other origins get nothing. */
import type { IncomingHttpHeaders } from 'node:http'
import type { CorsConfig } from '../config.ts'
import { FLAG_HEADER } from '../flags/requested-flag.ts'
import type { TraceNames } from '../tracing/trace-names.ts'

const ALLOWED_HEADERS = [
  'Content-Type',
  // Browsers ask for permission where it has quotation marks, as in incrementalSpec="v0.2", or more than 128 characters.
  'Accept',
  'Apollo-Require-Preflight',
  'X-Requested-With',
  'GraphQL-Require-Preflight',
  FLAG_HEADER,
  'Traceparent',
  'Tracestate',
]

export type Cors = {
  readonly enabled: boolean
  /** For every GraphQL answer; empty for an origin that is not allowed. */
  answerHeaders(request: IncomingHttpHeaders): Readonly<Record<string, string>>
  /** For the answer to a preflight request. */
  preflightHeaders(request: IncomingHttpHeaders): Readonly<Record<string, string>>
}

export function createCors(config: CorsConfig, { header, tokenHeader }: TraceNames): Cors {
  const origins = new Set(config.origins.map((origin) => origin.toLowerCase()))
  const any = origins.has('*')
  const allowedHeaders = [...ALLOWED_HEADERS, header, tokenHeader, ...config.allowHeaders].join(', ')

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
      return headers === null ? {} : { ...headers, 'Access-Control-Expose-Headers': FLAG_HEADER }
    },
    preflightHeaders(request) {
      const headers = originHeaders(request)
      if (headers === null) return {}
      return {
        ...headers,
        'Access-Control-Allow-Methods': 'GET, POST',
        'Access-Control-Allow-Headers': allowedHeaders,
        'Access-Control-Max-Age': String(config.maxAge),
      }
    },
  }
}
