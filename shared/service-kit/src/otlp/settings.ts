/** Reads the `OTEL_EXPORTER_OTLP_*` variables of one signal. */
import { missingScheme } from '@switchyard/contracts'
import type { Environment } from '../process/environment.ts'
import type { OtelVariables } from './variables.ts'

/** OTLP over HTTP; gRPC is not spoken. */
export type OtlpProtocol = 'http/protobuf' | 'http/json'

export type OtlpSettings = {
  readonly protocol: OtlpProtocol
  readonly url: string
  /** Secrets, often. */
  readonly headers: Readonly<Record<string, string>>
  /** Milliseconds for one export with all its retries. */
  readonly timeout: number
  readonly compression: 'gzip' | 'none'
}

const DEFAULT_ENDPOINT = 'http://localhost:4318'
export const MAX_MILLISECONDS = 3_600_000

/** `OTEL_SDK_DISABLED`: nothing is measured or exported; trace context is passed on all the same. */
export function isSdkDisabled(env: Environment): boolean {
  return env['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true'
}

/** `path` comes below the general endpoint; the endpoint of one signal is taken as it is. */
export function otlpSettings(
  variables: OtelVariables,
  signal: 'METRICS' | 'TRACES',
  path: string,
): OtlpSettings {
  const name = (what: string) =>
    variables.has(`OTEL_EXPORTER_OTLP_${signal}_${what}`)
      ? `OTEL_EXPORTER_OTLP_${signal}_${what}`
      : `OTEL_EXPORTER_OTLP_${what}`
  return {
    protocol: protocolOf(variables, name('PROTOCOL')),
    url: urlOf(variables, name('ENDPOINT'), `OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`, path),
    headers: {
      ...variables.pairs('OTEL_EXPORTER_OTLP_HEADERS'),
      ...variables.pairs(`OTEL_EXPORTER_OTLP_${signal}_HEADERS`),
    },
    timeout: variables.integer(name('TIMEOUT'), 10_000, MAX_MILLISECONDS),
    compression: variables.oneOf(name('COMPRESSION'), ['none', 'gzip'] as const, 'none'),
  }
}

function protocolOf(variables: OtelVariables, name: string): OtlpProtocol {
  if (variables.text(name) === 'grpc') {
    variables.wrong(
      name,
      'grpc',
      'OTLP is spoken over HTTP only: expected http/protobuf or http/json, which collectors take at port 4318',
    )
    return 'http/protobuf'
  }
  return variables.oneOf(name, ['http/protobuf', 'http/json'] as const, 'http/protobuf')
}

function urlOf(variables: OtelVariables, name: string, ofSignal: string, path: string): string {
  const text = variables.text(name) ?? DEFAULT_ENDPOINT
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    // It may hold credentials, which a URL that is none would show.
    const rule = `expected a URL with http or https, such as ${DEFAULT_ENDPOINT}`
    const missing = /[?@]/.test(text) ? null : missingScheme(text)
    variables.wrong(name, missing === null ? null : text, missing ?? rule)
    return DEFAULT_ENDPOINT
  }
  if (name === ofSignal) return url.href
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${path}`
  return url.href
}

/** Credentials and queries of the collector's address stay out of the log. */
export function shownUrl(text: string): string {
  const url = new URL(text)
  return `${url.origin}${url.pathname}`
}
