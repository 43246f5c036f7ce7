/** Settings that are read again while a router runs with others. */
import { isDeepStrictEqual } from 'node:util'
import type { EffectiveSettings } from './effective-settings.ts'
import { RouterConfigError } from '../settings/config-error.ts'
import { needsRestart } from './needs-restart.ts'
import {
  loadWithSettings,
  type RouterConfig,
  routerConfigOf,
  type RouterConfigInput,
} from './router-config.ts'
import { documentProblems } from '../concerns/documents/settings.ts'

/** Settings as the file spells them, and as values. */
export type LoadedSettings = { readonly settings: EffectiveSettings; readonly config: RouterConfig }

/** Settings that can be put in force, with the names (`section.setting`) of those that differ. */
export type ReloadedSettings = LoadedSettings & {
  /** Settings that have another value than those the router runs with. */
  readonly changed: readonly string[]
  /** Settings that have another value in the file, and keep theirs until a restart. */
  readonly needRestart: readonly string[]
}

/** Throws RouterConfigError for the file and EnvironmentError for the environment. */
export function loadSettings(input: RouterConfigInput): LoadedSettings {
  return loadWithSettings(input)
}

const UNTIL_RESTART =
  'so it is with documents.published as it was at the start: it has another value in the file, which takes effect with a restart'

/**
 * The whole file is checked, and what comes of it where some settings keep their values. Throws as
 * `loadSettings` does.
 */
export function reloadSettings(running: EffectiveSettings, input: RouterConfigInput): ReloadedSettings {
  const { settings: wanted, config: wantedConfig } = loadSettings(input)
  const differing = differences(running, wanted)
  const settings = withFixed(running, wanted, [])
  // The other rules between settings are between those that are reloaded.
  const problems = documentProblems(settings.documents).map(
    ({ path, message }) => `documents.${path.join('.')}: ${message}`,
  )
  if (problems.length > 0) throw new RouterConfigError([...problems, UNTIL_RESTART])
  const beside = { retired: wantedConfig.retired, ownOrigins: input.ownOrigins }
  const config = routerConfigOf(settings, input.file ?? null, beside)
  const names = (fixed: boolean) =>
    differing.filter((keys) => needsRestart(keys) === fixed).map((keys) => keys.join('.'))
  return { settings, config, changed: names(false), needRestart: names(true) }
}

/** Values of one type, with those of `running` where they need a restart. */
function withFixed<Value extends object>(running: Value, wanted: Value, path: readonly string[]): Value {
  const merged = { ...wanted }
  const after = new Map(Object.entries(wanted))
  for (const [key, before] of Object.entries(running)) {
    const keys = [...path, key]
    const now: unknown = after.get(key)
    if (needsRestart(keys)) Object.assign(merged, { [key]: before })
    else if (isSection(before) && isSection(now))
      Object.assign(merged, { [key]: withFixed(before, now, keys) })
  }
  // One that had no value at the start has none until a restart.
  for (const key of after.keys())
    if (!(key in running) && needsRestart([...path, key])) Reflect.deleteProperty(merged, key)
  return merged
}

function differences(
  one: object,
  other: object,
  path: readonly string[] = [],
): readonly (readonly string[])[] {
  const [before, after] = [new Map(Object.entries(one)), new Map(Object.entries(other))]
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const [was, is]: readonly unknown[] = [before.get(key), after.get(key)]
    if (isSection(was) && isSection(is)) return differences(was, is, [...path, key])
    return isDeepStrictEqual(was, is) ? [] : [[...path, key]]
  })
}

function isSection(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
