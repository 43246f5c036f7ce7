/** The environment of the composer as typed values. */
import {
  NATS_REPLICA_VARIABLES,
  NATS_VARIABLES,
  type NatsSettings,
  natsSettingsOf,
  type ReplicaSettings,
  replicaSettingsOf,
} from '@switchyard/event-log'
import { integerVariable, LogLevelVariable, parseEnvironment, portVariable } from '@switchyard/service-kit'
import type { Environment } from '@switchyard/service-kit'
import { z } from 'zod'

export type ComposerConfig = {
  readonly nats: NatsSettings & ReplicaSettings
  readonly host: string
  readonly port: number
  /** The number of threads for large compositions. If it is undefined, the machine decides how many. */
  readonly workers: number | undefined
  readonly artifactForm: ArtifactForm
} & CompositionLimits

/** Whether compositions are stored as a whole beside their pieces. */
export type ArtifactForm = 'both' | 'pieces'

/** The limits of one composition. */
export type CompositionLimits = {
  /** CPU milliseconds. */
  readonly cpuBudgetMs: number
  /** MiB of heap. */
  readonly memoryMb: number
}

/** Read by `switchyard up` as well. */
export const COMPOSITION_LIMITS = {
  SWITCHYARD_COMPOSER_CPU_BUDGET: integerVariable(30, { min: 1, max: 3600 }),
  SWITCHYARD_COMPOSER_MEMORY: integerVariable(2048, { min: 128, max: 65_536 }),
}

export function limitsOf(
  values: {
    readonly [Name in keyof typeof COMPOSITION_LIMITS]: number
  },
): CompositionLimits {
  return {
    cpuBudgetMs: values.SWITCHYARD_COMPOSER_CPU_BUDGET * 1000,
    memoryMb: values.SWITCHYARD_COMPOSER_MEMORY,
  }
}

const ENVIRONMENT = z.object({
  SWITCHYARD_NATS_URL: z.string({
    error: () => 'expected the address of NATS, such as nats://127.0.0.1:4222',
  }),
  ...NATS_VARIABLES,
  ...NATS_REPLICA_VARIABLES,
  SWITCHYARD_HOST: z.string().default('127.0.0.1'),
  SWITCHYARD_PORT: portVariable(4200),
  SWITCHYARD_COMPOSER_WORKERS: integerVariable(0, { min: 0, max: 64 }),
  SWITCHYARD_COMPOSER_ARTIFACT_FORM: z.enum(['both', 'pieces']).default('both'),
  ...COMPOSITION_LIMITS,
  SWITCHYARD_LOG_LEVEL: LogLevelVariable,
})

/** Throws EnvironmentError, naming every variable that is wrong. */
export function loadComposerConfig(environment: Environment): ComposerConfig {
  const values = parseEnvironment(ENVIRONMENT, environment)
  return {
    nats: { ...natsSettingsOf(values.SWITCHYARD_NATS_URL, values), ...replicaSettingsOf(values) },
    host: values.SWITCHYARD_HOST,
    port: values.SWITCHYARD_PORT,
    workers: values.SWITCHYARD_COMPOSER_WORKERS || undefined,
    artifactForm: values.SWITCHYARD_COMPOSER_ARTIFACT_FORM,
    ...limitsOf(values),
  }
}
