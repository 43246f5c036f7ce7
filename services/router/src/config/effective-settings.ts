/**
 * The settings in effect: the settings file, then the environment variables that replace its values, then
 * values worked out from the machine where neither names one.
 */
import { getHeapStatistics } from 'node:v8'
import { type Environment, problemsIn } from '@switchyard/service-kit'
import { availableProcessors } from '../settings/available-processors.ts'
import { RouterConfigError } from '../settings/config-error.ts'
import { processMemory } from '../settings/process-memory.ts'
import { readSettings, type SettingsFile, type SettingsRead } from './read-settings.ts'
import { COOKIES_UNGUARDED } from '../concerns/authentication/setting-rules.ts'
import {
  refusal,
  retiredVariables,
  type RetiredUse,
  type Retirement,
  retirementAt,
} from './retired-settings.ts'
import { valuesOfVariables, variableGiving, withValues } from './setting-variables.ts'
import type { RouterSettings } from './settings.ts'

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
  const given = withValues(settings, valuesOfVariables(env))
  const hasCookies = given.authentication.jwt.providers.some(({ cookies }) => cookies.length > 0)
  if (given.csrf.guard === 'never' && hasCookies)
    throw new RouterConfigError([`CSRF_GUARD: ${COOKIES_UNGUARDED}`])
  const sourceOf = (keys: readonly PropertyKey[]): string | null => {
    const variable = variableGiving(keys, env)
    if (variable !== null) return variable
    const line = lineOf(keys)
    return line === null ? null : `${file?.path ?? 'settings'}:${line}`
  }
  return {
    settings: settingsInEffect(given, defaultNetworks),
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

/** Lists the problems of the environment variables, independently of the settings file. */
function variableProblems(env: Environment): readonly string[] {
  try {
    valuesOfVariables(env)
    return []
  } catch (error) {
    return problemsIn(error) ?? []
  }
}

function settingsInEffect(settings: RouterSettings, defaultNetworks: readonly string[]) {
  const { authentication, flags, traffic, subgraphs } = settings
  const count = settings.workers === 'auto' ? availableProcessors() : settings.workers
  const unsent = byteLimits(traffic.max_unsent_size, traffic.max_unsent_size_per_client)
  const unanswered = byteLimits(traffic.max_unanswered_size, traffic.max_unanswered_size_per_client)
  return {
    ...settings,
    workers: count,
    authentication: {
      ...authentication,
      jwt: {
        ...authentication.jwt,
        allowed_networks: authentication.jwt.allowed_networks ?? defaultNetworks,
      },
    },
    flags: { ...flags, max_built_size: flags.max_built_size ?? builtFlagBytes(count) },
    traffic: {
      ...traffic,
      max_unsent_size: unsent.total,
      max_unsent_size_per_client: unsent.perClient,
      max_unanswered_size: unanswered.total,
      max_unanswered_size_per_client: unanswered.perClient,
    },
    subgraphs: {
      ...subgraphs,
      allowed_networks: subgraphs.allowed_networks ?? defaultNetworks,
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
