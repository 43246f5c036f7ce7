/** The environment of config-distribution as typed values. */
import { REDIS_VARIABLES, type RedisConnectionSettings, redisSettingsOf } from '@switchyard/config-store'
import {
  NATS_REPLICA_VARIABLES,
  NATS_VARIABLES,
  type NatsSettings,
  natsSettingsOf,
  type ReplicaSettings,
  replicaSettingsOf,
} from '@switchyard/event-log'
import {
  EnvironmentError,
  FleetKeyVariable,
  LogLevelVariable,
  parseEnvironment,
  portVariable,
} from '@switchyard/service-kit'
import type { Environment, FleetKey } from '@switchyard/service-kit'
import { z } from 'zod'
import { API_KEY_PATTERN, type ManagementApiSource } from './ramps/read-management-api.ts'

export type ConfigDistributionConfig = {
  readonly nats: NatsSettings & ReplicaSettings
  readonly redis: RedisConnectionSettings
  readonly signingKeyFile: string
  readonly fleetKey: FleetKey | null
  readonly managementApi: ManagementApiSource | null
  readonly host: string
  readonly port: number
}

const required = (what: string) => z.string({ error: () => `expected ${what}` })

const ENVIRONMENT = z.object({
  SWITCHYARD_NATS_URL: required('the address of NATS, such as nats://127.0.0.1:4222'),
  ...NATS_VARIABLES,
  ...NATS_REPLICA_VARIABLES,
  SWITCHYARD_REDIS_URL: required('the address of Redis, such as redis://127.0.0.1:6379'),
  ...REDIS_VARIABLES,
  SWITCHYARD_SIGNING_KEY_FILE: required(
    'the file with the key that signs manifests; make one with "node services/config-distribution/src/main.ts create-signing-key <key file> <public keys file>"',
  ),
  SWITCHYARD_FLEET_KEY: FleetKeyVariable,
  SWITCHYARD_REGISTRY_URL: z
    .url({
      protocol: /^https?$/,
      error: 'expected the address of the registry, such as http://registry:4100',
    })
    .optional(),
  SWITCHYARD_ROLLOUT_API_KEY: z
    .string()
    .regex(
      API_KEY_PATTERN,
      'expected an API key, such as one of "switchyard api-key create ramps --scope rollout:default"',
    )
    .optional(),
  SWITCHYARD_ROLLOUT_API_KEY_FILE: z.string().min(1).optional(),
  SWITCHYARD_HOST: z.string().default('127.0.0.1'),
  SWITCHYARD_PORT: portVariable(4300),
  SWITCHYARD_LOG_LEVEL: LogLevelVariable,
})

/** Throws EnvironmentError, naming every variable that is wrong. */
export function loadConfigDistributionConfig(environment: Environment): ConfigDistributionConfig {
  const values = parseEnvironment(ENVIRONMENT, environment)
  return {
    nats: { ...natsSettingsOf(values.SWITCHYARD_NATS_URL, values), ...replicaSettingsOf(values) },
    redis: redisSettingsOf(values.SWITCHYARD_REDIS_URL, values),
    signingKeyFile: values.SWITCHYARD_SIGNING_KEY_FILE,
    fleetKey: values.SWITCHYARD_FLEET_KEY ?? null,
    managementApi: managementApiOf(values),
    host: values.SWITCHYARD_HOST,
    port: values.SWITCHYARD_PORT,
  }
}

/** Returns null if ramps are moved elsewhere. Throws if there is an address without a key, or the reverse. */
function managementApiOf({
  SWITCHYARD_REGISTRY_URL: url,
  SWITCHYARD_ROLLOUT_API_KEY: apiKey,
  SWITCHYARD_ROLLOUT_API_KEY_FILE: apiKeyFile,
}: z.output<typeof ENVIRONMENT>): ManagementApiSource | null {
  const key = keyOf(apiKey, apiKeyFile)
  if (url !== undefined && key !== null) return { url, ...key }
  if (url === undefined && key === null) return null
  const given = apiKey === undefined ? 'SWITCHYARD_ROLLOUT_API_KEY_FILE' : 'SWITCHYARD_ROLLOUT_API_KEY'
  throw new EnvironmentError([
    url === undefined
      ? `SWITCHYARD_REGISTRY_URL: expected as well, since ramps of rollouts are moved with both SWITCHYARD_REGISTRY_URL and ${given}`
      : 'SWITCHYARD_ROLLOUT_API_KEY: expected as well (or SWITCHYARD_ROLLOUT_API_KEY_FILE), since ramps of rollouts are moved with both SWITCHYARD_REGISTRY_URL and a key',
  ])
}

function keyOf(apiKey: string | undefined, apiKeyFile: string | undefined) {
  if (apiKey !== undefined && apiKeyFile !== undefined) {
    throw new EnvironmentError([
      'SWITCHYARD_ROLLOUT_API_KEY_FILE: expected instead of SWITCHYARD_ROLLOUT_API_KEY, not beside it',
    ])
  }
  if (apiKey !== undefined) return { apiKey }
  return apiKeyFile === undefined ? null : { apiKeyFile }
}
