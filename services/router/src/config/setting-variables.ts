/** The variables of the environment that win over the settings file, as settings declare them. */
import { type Environment, parseEnvironment } from '@switchyard/service-kit'
import { z } from 'zod'
import { declaredSettings } from '../settings/setting.ts'
import { RouterSettings } from './settings.ts'

const DECLARED = declaredSettings(RouterSettings).flatMap(({ keys, facts: { variable } }) =>
  variable === undefined ? [] : [{ keys, ...variable }],
)

/** Values of settings by the keys under which the settings file has them. */
type GivenValues = readonly { readonly keys: readonly string[]; readonly value: unknown }[]

/** Returns the settings that variables give. Throws EnvironmentError. */
export function valuesOfVariables(env: Environment): GivenValues {
  const given = DECLARED.filter(({ name }) => env[name])
  const values = parseEnvironment(
    z.object(Object.fromEntries(given.map(({ name, type }) => [name, type]))),
    env,
  )
  return given.map(({ keys, name }) => ({ keys, value: values[name] }))
}

/** Returns the name of the variable that gives the setting; null if none does. */
export function variableGiving(keys: readonly PropertyKey[], env: Environment): string | null {
  const name = keys.join('.')
  return DECLARED.find((one) => one.keys.join('.') === name && env[one.name])?.name ?? null
}

/** Returns the settings with the given values. */
export function withValues<Settings extends object>(settings: Settings, values: GivenValues): Settings {
  return values.reduce((all, { keys, value }) => withValue(all, keys, value), settings)
}

function withValue<Section extends object>(
  section: Section,
  [key = '', ...below]: readonly string[],
  value: unknown,
): Section {
  const member: unknown = new Map(Object.entries(section)).get(key)
  const isLeaf = below.length === 0 || typeof member !== 'object' || member === null
  return { ...section, [key]: isLeaf ? value : withValue(member, below, value) }
}
