/**
 * Where the metrics of a process can be read, and where they are sent: never on the port that clients reach.
 *
 * The `OTEL_*` variables mean what the OpenTelemetry specification says, with one difference: without
 * `OTEL_METRICS_EXPORTER` there is the page for Prometheus alone. Source:
 * https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 */
import { z } from 'zod'
import { type Environment, EnvironmentError, parseEnvironment, portVariable } from '../process/environment.ts'
import { isSdkDisabled, MAX_MILLISECONDS, type OtlpSettings, otlpSettings } from '../otlp/settings.ts'
import { OtelVariables } from '../otlp/variables.ts'

export type PageSettings = {
  readonly host: string
  readonly port: number
  /** True if an operator chose the port: a start without the page would then not be what was asked for. */
  readonly isPortChosen: boolean
}

export type PushSettings = OtlpSettings & {
  /** Milliseconds between two exports. */
  readonly interval: number
}

export type MetricsSettings = {
  /** The settings of the page for Prometheus; null if there is none. */
  readonly page: PageSettings | null
  /** The settings of pushing by OTLP; null if metrics are not pushed. */
  readonly push: PushSettings | null
}

/** The port of services that run as a process of their own. */
export const DEFAULT_METRICS_PORT = 9464

/**
 * Reads the settings of metrics from the environment. Returns null if no metrics are kept. Throws
 * EnvironmentError.
 */
export function metricsSettings(env: Environment, defaultPort: number): MetricsSettings | null {
  const variables = new OtelVariables(env)
  const exporters = variables.exporters('OTEL_METRICS_EXPORTER', ['otlp', 'prometheus'])
  const push = exporters?.includes('otlp') === true ? pushSettings(variables) : null
  variables.check()
  const page = exporters?.includes('prometheus') === false ? null : pageSettings(env, defaultPort, exporters)
  return isSdkDisabled(env) || (page === null && push === null) ? null : { page, push }
}

/**
 * Returns the settings of the page. `exporters` is undefined if the environment neither asks for the page nor
 * excludes it.
 */
function pageSettings(
  env: Environment,
  defaultPort: number,
  exporters: readonly string[] | undefined,
): PageSettings | null {
  const { SWITCHYARD_METRICS_HOST: host, SWITCHYARD_METRICS_PORT: port } = parseEnvironment(
    z.object({
      SWITCHYARD_METRICS_PORT: portVariable(exporters === undefined ? defaultPort : DEFAULT_METRICS_PORT),
      SWITCHYARD_METRICS_HOST: z.string().default('127.0.0.1'),
    }),
    env,
  )
  if (port === 0 && exporters !== undefined)
    throw new EnvironmentError([
      'SWITCHYARD_METRICS_PORT is "0", which means that there is no page for Prometheus, but OTEL_METRICS_EXPORTER names prometheus: expected a port, or another exporter',
    ])
  const chosen = env['SWITCHYARD_METRICS_PORT']
  return port === 0 ? null : { host, port, isPortChosen: chosen !== undefined && chosen !== '' }
}

function pushSettings(variables: OtelVariables): PushSettings {
  const otlp = otlpSettings(variables, 'METRICS', 'v1/metrics')
  const temporality = 'OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE'
  const preferred = variables.text(temporality)
  if (preferred !== undefined && preferred.toLowerCase() !== 'cumulative')
    variables.wrong(
      temporality,
      preferred,
      'expected cumulative. A collector makes differences of that, by its processor cumulativetodelta',
    )
  return {
    ...otlp,
    interval: variables.integer('OTEL_METRIC_EXPORT_INTERVAL', 60_000, MAX_MILLISECONDS),
    timeout: Math.min(
      otlp.timeout,
      variables.integer('OTEL_METRIC_EXPORT_TIMEOUT', 30_000, MAX_MILLISECONDS),
    ),
  }
}
