/** The environment of the composer as typed values. */
import { integerVariable, LogLevelVariable, parseEnvironment, portVariable } from '@switchyard/service-kit'
import type { Environment } from '@switchyard/service-kit'
import { z } from 'zod'

export type ComposerConfig = {
  readonly natsUrl: string
  readonly host: string
  readonly port: number
  /** Threads that compose at the same time; 0: as many as fit the machine. */
  readonly workers: number
}

const ENVIRONMENT = z.object({
  SWITCHYARD_NATS_URL: z.string({
    error: () => 'expected the address of NATS, such as nats://127.0.0.1:4222',
  }),
  SWITCHYARD_HOST: z.string().default('127.0.0.1'),
  SWITCHYARD_PORT: portVariable(4200),
  SWITCHYARD_COMPOSER_WORKERS: integerVariable(0, { min: 0, max: 64 }),
  SWITCHYARD_LOG_LEVEL: LogLevelVariable,
})

/** Throws EnvironmentError, naming every variable that is wrong. */
export function loadConfig(environment: Environment): ComposerConfig {
  const values = parseEnvironment(ENVIRONMENT, environment)
  return {
    natsUrl: values.SWITCHYARD_NATS_URL,
    host: values.SWITCHYARD_HOST,
    port: values.SWITCHYARD_PORT,
    workers: values.SWITCHYARD_COMPOSER_WORKERS,
  }
}
