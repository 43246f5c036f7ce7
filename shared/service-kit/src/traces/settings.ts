/**
 * Reads the `OTEL_*` variables about traces, as the OpenTelemetry specification defines them, with one
 * difference: nothing is exported unless `OTEL_TRACES_EXPORTER` says so. A value that can only be a mistake
 * stops the start. A value with which the specification lets a program go on (an unknown sampler, an argument
 * out of range) is reported by `warnings`.
 *
 * Source: https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 */
import type { Environment } from '../process/environment.ts'
import { isSdkDisabled, MAX_MILLISECONDS, type OtlpSettings, otlpSettings } from '../otlp/settings.ts'
import { OtelVariables } from '../otlp/variables.ts'

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
  /** The settings of the OTLP exporter; null if it is not asked for. */
  readonly otlp: OtlpSettings | null
  /** One log line for each span. */
  readonly console: boolean
  readonly sampler: { readonly name: SamplerName; readonly ratio: number }
  /** The queue of ended spans; times in milliseconds. */
  readonly batch: {
    readonly scheduledDelayMillis: number
    readonly exportTimeoutMillis: number
    readonly maxQueueSize: number
    readonly maxExportBatchSize: number
  }
  /** Log lines for the operator who set the variables. */
  readonly warnings: readonly string[]
}

const EXPORTERS = ['otlp', 'console'] as const
/** More spans than this would be memory that nobody meant to give. */
const MAX_QUEUE = 1_000_000

/**
 * Reads the settings of traces from the environment. Returns null if no spans are kept. Throws
 * EnvironmentError.
 */
export function traceSettings(env: Environment): TraceSettings | null {
  const variables = new OtelVariables(env)
  const exporters = variables.exporters('OTEL_TRACES_EXPORTER', EXPORTERS) ?? []
  if (exporters.length === 0 || isSdkDisabled(env)) {
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

function samplerOf(variables: OtelVariables): TraceSettings['sampler'] {
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

function batchOf(variables: OtelVariables): TraceSettings['batch'] {
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
