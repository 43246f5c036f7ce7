/** The environment of a registry as typed values. */
import {
  NATS_REPLICA_VARIABLES,
  NATS_VARIABLES,
  type NatsSettings,
  natsSettingsOf,
  type ReplicaSettings,
  replicaSettingsOf,
} from '@switchyard/event-log'
import {
  type Environment,
  type FleetKey,
  FleetKeyVariable,
  integerVariable,
  isNetwork,
  LogLevelVariable,
  parseEnvironment,
  portVariable,
} from '@switchyard/service-kit'
import { z } from 'zod'
import { SIGN_IN_VARIABLES, signInOf, type SignInSettings } from './openid-connect/sign-in-settings.ts'
import { GraphUrlsVariable } from './reading/graph-urls.ts'
import type { ToldUrls } from './reading/public-urls.ts'
import { SESSION_KEY_VARIABLES, type SessionKeys, sessionKeysOf } from './sessions/session-keys.ts'
import { USAGE_VARIABLES } from './usage/usage-days.ts'

const REGISTRY_PORT = 4100
const MIN_KEY_LENGTH = 16

const RegistryEnvironment = z.object({
  SWITCHYARD_NATS_URL: z.string({
    error: 'expected nats://host:port, as a registry of its own works on NATS ("switchyard up" needs none)',
  }),
  ...NATS_VARIABLES,
  ...NATS_REPLICA_VARIABLES,
  SWITCHYARD_HOST: z.string().default('127.0.0.1'),
  SWITCHYARD_PORT: portVariable(REGISTRY_PORT),
  SWITCHYARD_LOG_LEVEL: LogLevelVariable,
  SWITCHYARD_BLOB_SWEEP_INTERVAL: integerVariable(3600, { min: 1, max: 24 * 3600 }),
  SWITCHYARD_TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform((text) => text.split(',').map((part) => part.trim()))
    .transform((parts) => parts.filter((part) => part !== ''))
    .refine((parts) => parts.every(isNetwork), {
      error: 'expected addresses or networks separated by commas, such as 10.0.0.0/8,192.0.2.7',
    }),
  SWITCHYARD_TRACE_KEY_FILE: z.string().optional(),
  ...USAGE_VARIABLES,
  SWITCHYARD_FLEET_KEY: FleetKeyVariable,
  ...SESSION_KEY_VARIABLES,
  ...SIGN_IN_VARIABLES,
  SWITCHYARD_GRAPH_URLS: GraphUrlsVariable,
  SWITCHYARD_BOOTSTRAP_API_KEY: z
    .string()
    .regex(/^\S+$/, 'expected a key without white space')
    .min(MIN_KEY_LENGTH, `expected at least ${MIN_KEY_LENGTH} characters`)
    .optional(),
})

export type RegistryConfig = {
  readonly nats: NatsSettings & ReplicaSettings
  readonly host: string
  readonly port: number
  /** Blobs that no record names are looked for this often. */
  readonly blobSweepIntervalMs: number
  /** Days that usage is kept; 0 if it is neither heard nor kept. */
  readonly usageDays: number
  /** Addresses and networks whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[]
  /** The file of the private keys that sign trace tokens. Absent if this registry signs none. */
  readonly traceKeyFile?: string
  /** The key of the routers. With it, the registry believes only heartbeats that it signed. */
  readonly fleetKey?: FleetKey
  /** Sessions of pages in a browser. Absent without a key for them. */
  readonly sessions?: SignInSettings & { readonly keys: SessionKeys }
  /** Public URLs of graphs that have none in their records. */
  readonly graphUrls: ToldUrls
  /** The API key that may do everything. If it is absent, the log has to hold an API key. */
  readonly bootstrapApiKey?: string
}

/** Throws EnvironmentError, which names every variable that is wrong. */
export function readRegistryConfig(environment: Environment): RegistryConfig {
  const values = parseEnvironment(RegistryEnvironment, environment)
  const {
    SWITCHYARD_BOOTSTRAP_API_KEY: key,
    SWITCHYARD_TRACE_KEY_FILE: traceKeyFile,
    SWITCHYARD_FLEET_KEY: fleetKey,
  } = values
  const sessionKeys = sessionKeysOf(values)
  const signIn = signInOf(values, sessionKeys !== undefined)
  return {
    nats: { ...natsSettingsOf(values.SWITCHYARD_NATS_URL, values), ...replicaSettingsOf(values) },
    host: values.SWITCHYARD_HOST,
    port: values.SWITCHYARD_PORT,
    blobSweepIntervalMs: values.SWITCHYARD_BLOB_SWEEP_INTERVAL * 1000,
    usageDays: values.SWITCHYARD_USAGE_DAYS,
    trustedProxies: values.SWITCHYARD_TRUSTED_PROXIES,
    graphUrls: values.SWITCHYARD_GRAPH_URLS,
    ...(traceKeyFile === undefined ? {} : { traceKeyFile }),
    ...(fleetKey === undefined ? {} : { fleetKey }),
    ...(sessionKeys === undefined ? {} : { sessions: { keys: sessionKeys, ...signIn } }),
    ...(key === undefined ? {} : { bootstrapApiKey: key }),
  }
}
