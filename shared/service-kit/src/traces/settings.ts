/**
 * What the `OTEL_*` variables say about traces, as the OpenTelemetry specification defines them, with one difference: nothing
 * is exported unless `OTEL_TRACES_EXPORTER` says so. What could only be a mistake stops the start; what the specification
 * lets a program go on with (an unknown sampler, an argument out of range) is told by `warnings`.
 *
 * Source: https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 */
import { type Environment, EnvironmentError } from '../environment.ts'

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

export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const
export type SamplerName = (typeof SAMPLERS)[number]

export type TraceSettings = {
  /** Null: not asked for. */
  readonly otlp: OtlpSettings | null
  /** One log line for each span. */
  readonly console: boolean
  readonly sampler: { readonly name: SamplerName; readonly ratio: number }
  /** Of the queue of ended spans; times in milliseconds. */
  readonly batch: {
    readonly scheduledDelayMillis: number
    readonly exportTimeoutMillis: number
    readonly maxQueueSize: number
    readonly maxExportBatchSize: number
  }
  /** Log lines for whoever set the variables. */
  readonly warnings: readonly string[]
}

const EXPORTERS = ['otlp', 'console', 'none']
const DEFAULT_ENDPOINT = 'http://localhost:4318'
/** More spans than this would be memory that nobody meant to give. */
const MAX_QUEUE = 1_000_000
const MAX_MILLISECONDS = 3_600_000

/** Null: no spans are kept. Throws EnvironmentError. */
export function traceSettings(env: Environment): TraceSettings | null {
  const variables = new Variables(env)
  const exporters = variables.list('OTEL_TRACES_EXPORTER') ?? ['none']
  const unknown = exporters.filter((name) => !EXPORTERS.includes(name))
  for (const name of unknown)
    variables.wrong('OTEL_TRACES_EXPORTER', name, 'expected otlp, console, both with a comma, or none')
  if (exporters.length > 1 && exporters.includes('none'))
    variables.wrong('OTEL_TRACES_EXPORTER', exporters.join(','), 'expected none alone, or exporters')
  const isWanted = !exporters.includes('none') && exporters.length > 0 && !isSdkDisabled(env)
  if (!isWanted) {
    variables.check()
    return null
  }
  const settings = {
    otlp: exporters.includes('otlp') ? otlpSettings(variables, 'TRACES', 'v1/traces') : null,
    console: exporters.includes('console'),
    sampler: samplerOf(variables),
    batch: batchOf(variables),
  }
  variables.check()
  return { ...settings, warnings: variables.warnings }
}

/** `OTEL_SDK_DISABLED`: nothing is measured or exported; trace context is passed on all the same. */
export function isSdkDisabled(env: Environment): boolean {
  return env['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true'
}

/** `path` comes below the general endpoint; the endpoint of one signal is taken as it is. */
function otlpSettings(variables: Variables, signal: string, path: string): OtlpSettings {
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

function protocolOf(variables: Variables, name: string): OtlpProtocol {
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

function urlOf(variables: Variables, name: string, ofSignal: string, path: string): string {
  const text = variables.text(name) ?? DEFAULT_ENDPOINT
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    // It may hold credentials, which a URL that is none would show.
    variables.wrong(name, null, `expected a URL with http or https, such as ${DEFAULT_ENDPOINT}`)
    return DEFAULT_ENDPOINT
  }
  if (name === ofSignal) return url.href
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${path}`
  return url.href
}

function samplerOf(variables: Variables): TraceSettings['sampler'] {
  const given = variables.text('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on'
  const name = SAMPLERS.find((known) => known === given)
  if (name === undefined) {
    variables.warnings.push(
      `OTEL_TRACES_SAMPLER is ${JSON.stringify(given.slice(0, 100))}, which is not known here: parentbased_always_on is used. Known are ${SAMPLERS.join(', ')}.`,
    )
    return { name: 'parentbased_always_on', ratio: 1 }
  }
  const argument = variables.text('OTEL_TRACES_SAMPLER_ARG')
  if (!name.endsWith('traceidratio') || argument === undefined) return { name, ratio: 1 }
  const ratio = /^(?:\d+\.?\d*|\.\d+)(?:[eE]-?\d+)?$/.test(argument) ? Number(argument) : Number.NaN
  if (ratio >= 0 && ratio <= 1) return { name, ratio }
  variables.warnings.push(
    `OTEL_TRACES_SAMPLER_ARG is ${JSON.stringify(argument.slice(0, 100))}: every trace is sampled. Expected a share from 0 to 1, such as 0.01.`,
  )
  return { name, ratio: 1 }
}

function batchOf(variables: Variables): TraceSettings['batch'] {
  const maxQueueSize = variables.integer('OTEL_BSP_MAX_QUEUE_SIZE', 2048, MAX_QUEUE)
  const batchSize = variables.integer(
    'OTEL_BSP_MAX_EXPORT_BATCH_SIZE',
    Math.min(512, maxQueueSize),
    MAX_QUEUE,
  )
  if (batchSize > maxQueueSize)
    variables.wrong(
      'OTEL_BSP_MAX_EXPORT_BATCH_SIZE',
      String(batchSize),
      `expected at most OTEL_BSP_MAX_QUEUE_SIZE, ${maxQueueSize}`,
    )
  return {
    scheduledDelayMillis: variables.integer('OTEL_BSP_SCHEDULE_DELAY', 5000, MAX_MILLISECONDS),
    exportTimeoutMillis: variables.integer('OTEL_BSP_EXPORT_TIMEOUT', 30_000, MAX_MILLISECONDS),
    maxQueueSize,
    maxExportBatchSize: batchSize,
  }
}

/** Reads variables, and collects what is wrong with all of them. */
class Variables {
  readonly warnings: string[] = []
  readonly #env: Environment
  readonly #problems: string[] = []

  constructor(env: Environment) {
    this.#env = env
  }

  has(name: string): boolean {
    return this.text(name) !== undefined
  }

  text(name: string): string | undefined {
    const value = this.#env[name]?.trim()
    return value === '' ? undefined : value
  }

  list(name: string): readonly string[] | undefined {
    return this.text(name)
      ?.split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
  }

  oneOf<const Value extends string>(name: string, values: readonly Value[], fallback: Value): Value {
    const text = this.text(name)
    if (text === undefined) return fallback
    const value = values.find((known) => known === text)
    if (value === undefined) this.wrong(name, text, `expected ${values.join(' or ')}`)
    return value ?? fallback
  }

  integer(name: string, fallback: number, max: number): number {
    const text = this.text(name)
    if (text === undefined) return fallback
    const value = /^\d{1,10}$/.test(text) ? Number(text) : 0
    if (value >= 1 && value <= max) return value
    this.wrong(name, text, `expected a whole number from 1 to ${max}`)
    return fallback
  }

  /** `name=value,name=value` with values as in URLs, as W3C Baggage has them. */
  pairs(name: string): Readonly<Record<string, string>> {
    const pairs: Record<string, string> = {}
    for (const part of this.list(name) ?? []) {
      const [, key, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*=\s*(.*)$/.exec(part) ?? []
      const decoded = value === undefined ? null : decodedOrNull(value)
      // The value is not shown: it may be what lets into the collector.
      if (key === undefined || decoded === null || /[\r\n\0]/.test(decoded)) {
        this.wrong(name, null, 'expected header=value, separated by commas, with values encoded as in URLs')
        return {}
      }
      pairs[key] = decoded
    }
    return pairs
  }

  /** `value` null: it is not shown. */
  wrong(name: string, value: string | null, expectation: string): void {
    const shown =
      value === null ? 'set to a value that is not shown here' : JSON.stringify(value.slice(0, 200))
    this.#problems.push(`${name} is ${shown}: ${expectation}`)
  }

  check(): void {
    if (this.#problems.length > 0) throw new EnvironmentError([...new Set(this.#problems)])
  }
}

function decodedOrNull(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
