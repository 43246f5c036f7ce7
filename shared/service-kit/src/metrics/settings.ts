/** Where the metrics of a process can be read: never on the port that clients reach. */
import { z } from 'zod'
import { type Environment, parseEnvironment, portVariable } from '../environment.ts'

export type MetricsSettings = {
  readonly host: string
  /** 0: no metrics are kept. */
  readonly port: number
  /** Somebody chose the port: a start without it would not be what was asked for. */
  readonly isPortChosen: boolean
}

/** Of services that run as a process of their own. */
export const DEFAULT_METRICS_PORT = 9464

/** Throws EnvironmentError. */
export function metricsSettings(env: Environment, defaultPort: number): MetricsSettings {
  const read = parseEnvironment(
    z.object({
      SWITCHYARD_METRICS_PORT: portVariable(defaultPort),
      SWITCHYARD_METRICS_HOST: z.string().default('127.0.0.1'),
    }),
    env,
  )
  const chosen = env['SWITCHYARD_METRICS_PORT']
  return {
    host: read.SWITCHYARD_METRICS_HOST,
    port: read.SWITCHYARD_METRICS_PORT,
    isPortChosen: chosen !== undefined && chosen !== '',
  }
}
