/**
 * Settings that earlier versions had. A router that is given one still starts, for one minor version: an old
 * file must not stop a rolling upgrade. The router ignores the setting, whatever its value is, and warns of
 * it. The minor version after that refuses it, so that nobody believes in it for ever.
 */
import { type Environment, VERSION } from '@switchyard/service-kit'
import { MAIN_THREAD_STEPS, WARM_UP_OPERATIONS } from '../planning/settings.ts'
import { REDIS_TIMEOUT_MS } from '../stores/answer-in-time.ts'

export type RetiredSetting = {
  /** `section.setting`. A section stands for every setting in it. */
  readonly name: string
  /** The environment variable that gave the setting. Null if there was none. */
  readonly variable: string | null
  /** The first version that ignores the setting, such as `1.4.0`. */
  readonly ignoredFrom: string
  /** The first version that refuses the setting. */
  readonly refusedFrom: string
  /** The rule that holds instead, as a clause that may follow a colon. */
  readonly now: string
}

/** The versions of settings that 0.2.0 retired. */
const SINCE_0_2 = { variable: null, ignoredFrom: '0.2.0', refusedFrom: '0.3.0' }
const REDIS_TIME = `Redis always has ${REDIS_TIMEOUT_MS} ms for an answer`

/** Every setting that was retired. An entry goes when no supported version has the setting any more. */
export const RETIRED_SETTINGS: readonly RetiredSetting[] = [
  {
    ...SINCE_0_2,
    name: 'planning.main_thread_steps',
    now: `the serving thread always plans an operation within ${MAIN_THREAD_STEPS} steps, and leaves longer ones to a planning thread`,
  },
  {
    ...SINCE_0_2,
    name: 'config.warm_up_operations',
    now: `the ${WARM_UP_OPERATIONS} operations that are used most are always planned on a new composition before it serves`,
  },
  {
    ...SINCE_0_2,
    name: 'flags.max_built',
    now: 'compositions of flags may be any number, and flags.max_built_size limits the memory that they take together',
  },
  { ...SINCE_0_2, name: 'rate_limits.timeout', now: REDIS_TIME },
  { ...SINCE_0_2, name: 'documents.apq.timeout', now: REDIS_TIME },
  {
    ...SINCE_0_2,
    name: 'subgraphs.http_client',
    now: "the router's own clients call every subgraph, with TLS as well",
  },
]

/** A retired setting that somebody still gives. */
export type RetiredUse = Pick<RetiredSetting, 'name' | 'refusedFrom' | 'now'> & {
  /** `file:line`, or the name of the variable. */
  readonly source: string
}

/** The retired settings, by what one version does with them. */
export type Retirement = {
  readonly ignored: readonly RetiredSetting[]
  readonly refused: readonly RetiredSetting[]
}

/** Returns what the version does with retired settings. */
export function retirementAt(
  version: string = VERSION,
  all: readonly RetiredSetting[] = RETIRED_SETTINGS,
): Retirement {
  const isRefused = ({ refusedFrom }: RetiredSetting) => isReached(refusedFrom, version)
  return { ignored: all.filter((one) => !isRefused(one)), refused: all.filter(isRefused) }
}

/** Whether `version` is `wanted` or a later one. */
function isReached(wanted: string, version: string): boolean {
  const [numbers, needed] = [version, wanted].map((text) => text.split('.').map((part) => parseInt(part, 10)))
  for (const [index, need] of (needed ?? []).entries()) {
    const number = numbers?.[index] ?? 0
    if (number !== need) return number > need
  }
  return true
}

/** Returns the values of a settings file without the ignored settings, and those of them that it has. */
export function withoutIgnored(
  values: unknown,
  ignored: readonly RetiredSetting[],
): { readonly values: unknown; readonly found: readonly RetiredSetting[] } {
  const found = ignored.filter(({ name }) => isGiven(values, name.split('.')))
  return { found, values: found.reduce((rest, { name }) => without(rest, name.split('.')), values) }
}

function isGiven(value: unknown, [key, ...below]: readonly string[]): boolean {
  if (key === undefined) return true
  return (
    isObject(value) && Object.hasOwn(value, key) && isGiven(new Map(Object.entries(value)).get(key), below)
  )
}

function without(value: unknown, [key, ...below]: readonly string[]): unknown {
  if (!isObject(value)) return value
  const members: readonly [string, unknown][] = Object.entries(value)
  return Object.fromEntries(
    members.flatMap(([name, member]) => {
      if (name !== key) return [[name, member]]
      return below.length === 0 ? [] : [[name, without(member, below)]]
    }),
  )
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the settings of `retired` that variables of the environment still give. */
export function retiredVariables(
  retired: readonly RetiredSetting[],
  env: Environment,
): readonly RetiredUse[] {
  return retired.flatMap((setting) =>
    setting.variable === null || !env[setting.variable] ? [] : [{ ...setting, source: setting.variable }],
  )
}

/** Says that a setting is refused, without where it is. */
export function refusal({ name, ignoredFrom, now }: RetiredSetting): string {
  return `"${name}" is no setting since version ${ignoredFrom}: ${now}; expected the settings without it`
}
