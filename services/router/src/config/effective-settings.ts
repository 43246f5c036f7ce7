/**
 * The settings in effect: the settings file, then the environment variables that replace its values, then
 * values worked out from the machine where neither names one.
 */
import { getHeapStatistics } from 'node:v8'
import {
  booleanVariable,
  type Environment,
  integerVariable,
  parseEnvironment,
  problemsIn,
} from '@switchyard/service-kit'
import { ProbeToken } from '@switchyard/contracts'
import { z } from 'zod'
import { availableProcessors } from '../settings/available-processors.ts'
import { RouterConfigError } from '../settings/config-error.ts'
import { processMemory } from '../settings/process-memory.ts'
import { readSettings, type SettingsFile, type SettingsRead } from './read-settings.ts'
import { COOKIES_UNGUARDED } from '../authentication/setting-rules.ts'
import { CsrfGuard } from '../http/browser-settings.ts'
import { DeferPending } from './sections/engine-section.ts'
import {
  refusal,
  retiredVariables,
  type RetiredUse,
  type Retirement,
  retirementAt,
} from './retired-settings.ts'
import { AllowedNetworksSetting } from '../subgraph/settings.ts'
import { TrustedProxyList } from '../listen/traffic-settings.ts'
import { RouterSettings, Workers } from './settings.ts'

/** Settings in which nothing is left to be worked out. Times in milliseconds, sizes in bytes. */
export type EffectiveSettings = ReturnType<typeof settingsInEffect>

/** The settings, and who gave each. */
export type SettingsWithSources = {
  readonly settings: EffectiveSettings
  /** Returns the variable, or `file:line`, that gave a setting; null if the setting has its default. */
  readonly sourceOf: (keys: readonly PropertyKey[]) => string | null
  /** Settings of earlier versions that somebody still gives, and that are ignored. */
  readonly retired: readonly RetiredUse[]
}

/** The sources from which settings are made. */
export type SettingsInput = {
  readonly env: Environment
  readonly file: SettingsFile | null
  /** Networks whose addresses may be called if no setting names any. */
  readonly defaultNetworks: readonly string[]
  /** The settings of earlier versions. Absent, those that this version knows. */
  readonly retirement?: Retirement
}

/** Throws RouterConfigError for the file and EnvironmentError for the environment. */
export function effectiveSettings({
  env,
  file,
  defaultNetworks,
  retirement = retirementAt(),
}: SettingsInput): SettingsWithSources {
  const { settings, lineOf, retired } = readFile(file, env, retirement)
  const refused = retirement.refused.filter(({ variable }) => variable !== null && env[variable])
  if (refused.length > 0)
    throw new RouterConfigError(refused.map((setting) => `${setting.variable}: ${refusal(setting)}`))
  const variables = parseEnvironment(variablesOver(settings), env)
  const hasCookies = settings.authentication.jwt.providers.some(({ cookies }) => cookies.length > 0)
  if (variables.CSRF_GUARD === 'never' && hasCookies)
    throw new RouterConfigError([`CSRF_GUARD: ${COOKIES_UNGUARDED}`])
  const sourceOf = (keys: readonly PropertyKey[]): string | null => {
    const name = keys.join('.')
    const variable = Object.keys(VARIABLE_SETTINGS).find((key) => VARIABLE_SETTINGS[key] === name)
    if (variable !== undefined && env[variable]) return variable
    const line = lineOf(keys)
    return line === null ? null : `${file?.path ?? 'settings'}:${line}`
  }
  return {
    settings: settingsInEffect(settings, variables, defaultNetworks),
    sourceOf,
    retired: [...retired, ...retiredVariables(retirement.ignored, env)],
  }
}

/** Throws RouterConfigError, with what is wrong with the environment as well. */
function readFile(file: SettingsFile | null, env: Environment, retirement: Retirement): SettingsRead {
  try {
    return readSettings(file, env, retirement)
  } catch (error) {
    if (!(error instanceof RouterConfigError)) throw error
    throw new RouterConfigError([...error.problems, ...variableProblems(env)])
  }
}

/** Lists the problems of the environment variables alone, independently of the settings file. */
function variableProblems(env: Environment): readonly string[] {
  try {
    parseEnvironment(variablesOver(RouterSettings.parse({})), env)
    return []
  } catch (error) {
    return problemsIn(error) ?? []
  }
}

/** Each variable that wins over the settings file, and the setting that it gives. */
export const VARIABLE_SETTINGS: Readonly<Record<string, string>> = {
  SWITCHYARD_HOST: 'host',
  SWITCHYARD_PORT: 'port',
  SWITCHYARD_WORKERS: 'workers',
  DEV_MODE: 'dev_mode',
  CSRF_GUARD: 'csrf.guard',
  ENGINE_ENABLE_DEFER: 'engine.enable_defer',
  ENGINE_DEFER_PENDING: 'engine.defer_pending',
  ENGINE_DEFER_PROBE_TOKEN: 'engine.defer_probe_token',
  ENGINE_ENABLE_REQUEST_TRACING: 'engine.enable_request_tracing',
  ENGINE_FORCE_UNAUTHENTICATED_REQUEST_TRACING: 'engine.force_unauthenticated_request_tracing',
  SUBGRAPHS_ALLOWED_NETWORKS: 'subgraphs.allowed_networks',
  SWITCHYARD_TRUSTED_PROXIES: 'traffic.trusted_proxies',
}

type Variables = z.output<ReturnType<typeof variablesOver>>

/** A variable that is not set has the value of the file. */
function variablesOver({ host, port, workers, dev_mode, csrf, engine, traffic }: RouterSettings) {
  return z.object({
    SWITCHYARD_HOST: z.string().default(host),
    SWITCHYARD_PORT: integerVariable(port, { min: 0, max: 65_535 }),
    SWITCHYARD_WORKERS: Workers.default(workers),
    DEV_MODE: booleanVariable(dev_mode),
    CSRF_GUARD: CsrfGuard.default(csrf.guard),
    ENGINE_ENABLE_DEFER: booleanVariable(engine.enable_defer),
    ENGINE_DEFER_PENDING: DeferPending.default(engine.defer_pending),
    ENGINE_DEFER_PROBE_TOKEN: ProbeToken.optional(),
    ENGINE_ENABLE_REQUEST_TRACING: booleanVariable(engine.enable_request_tracing),
    ENGINE_FORCE_UNAUTHENTICATED_REQUEST_TRACING: booleanVariable(
      engine.force_unauthenticated_request_tracing,
    ),
    SUBGRAPHS_ALLOWED_NETWORKS: AllowedNetworksSetting.optional(),
    SWITCHYARD_TRUSTED_PROXIES: TrustedProxyList.default(traffic.trusted_proxies),
  })
}

function settingsInEffect(
  settings: RouterSettings,
  variables: Variables,
  defaultNetworks: readonly string[],
) {
  const { authentication, csrf, engine, flags, traffic, subgraphs } = settings
  const workers = variables.SWITCHYARD_WORKERS
  const count = workers === 'auto' ? availableProcessors() : workers
  const unsent = byteLimits(traffic.max_unsent_size, traffic.max_unsent_size_per_client)
  const unanswered = byteLimits(traffic.max_unanswered_size, traffic.max_unanswered_size_per_client)
  return {
    ...settings,
    host: variables.SWITCHYARD_HOST,
    port: variables.SWITCHYARD_PORT,
    workers: count,
    dev_mode: variables.DEV_MODE,
    authentication: {
      ...authentication,
      jwt: {
        ...authentication.jwt,
        allowed_networks: authentication.jwt.allowed_networks ?? defaultNetworks,
      },
    },
    csrf: { ...csrf, guard: variables.CSRF_GUARD },
    engine: {
      ...engine,
      enable_defer: variables.ENGINE_ENABLE_DEFER,
      defer_pending: variables.ENGINE_DEFER_PENDING,
      defer_probe_token: variables.ENGINE_DEFER_PROBE_TOKEN ?? engine.defer_probe_token,
      enable_request_tracing: variables.ENGINE_ENABLE_REQUEST_TRACING,
      force_unauthenticated_request_tracing: variables.ENGINE_FORCE_UNAUTHENTICATED_REQUEST_TRACING,
    },
    flags: { ...flags, max_built_size: flags.max_built_size ?? builtFlagBytes(count) },
    traffic: {
      ...traffic,
      trusted_proxies: variables.SWITCHYARD_TRUSTED_PROXIES,
      max_unsent_size: unsent.total,
      max_unsent_size_per_client: unsent.perClient,
      max_unanswered_size: unanswered.total,
      max_unanswered_size_per_client: unanswered.perClient,
    },
    subgraphs: {
      ...subgraphs,
      allowed_networks: variables.SUBGRAPHS_ALLOWED_NETWORKS ?? subgraphs.allowed_networks ?? defaultNetworks,
      max_receiving_size:
        subgraphs.max_receiving_size ?? Math.floor(byteLimits(undefined, undefined).total / 4),
    },
  }
}

/**
 * The default for compositions of flags: half of the heap limit, or half of the worker's share of the
 * process's memory if that is less.
 */
function builtFlagBytes(workers: number): number {
  const { heap_size_limit: heap } = getHeapStatistics()
  return Math.floor(Math.min(heap, processMemory() / workers) / 2)
}

const DEFAULT_HELD_SIZE = 256 * 1024 * 1024

/**
 * Works out the limits of held bytes. The defaults are an eighth of the memory that the process may have, at
 * most 256 MiB, and half of that for one client.
 */
function byteLimits(
  total: number | undefined,
  perClient: number | undefined,
): { readonly total: number; readonly perClient: number } {
  const all = total ?? Math.min(DEFAULT_HELD_SIZE, Math.floor(processMemory() / 8))
  return { total: all, perClient: perClient ?? Math.floor(all / 2) }
}
