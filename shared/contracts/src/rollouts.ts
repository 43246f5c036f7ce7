/**
 * Rollouts: who gets the composition of a feature flag without naming it. A rollout belongs to one graph and
 * one flag, and routers decide it with what the signed manifest says.
 */
import { EmergencyStop, Guards } from '@switchyard/guards/schemas'
import { z } from 'zod'
import { ResourceName } from './names.ts'
import { ROLLOUT_TESTS } from './text/rollout-tests.ts'

/** Most rollouts of one graph, and most characters of JSON of one and of all of them. */
export const MAX_ROLLOUTS_PER_GRAPH = 50
export const MAX_ROLLOUT_LENGTH = 8 * 1024
export const MAX_ROLLOUTS_LENGTH = 64 * 1024
const MAX_CONDITIONS = 10
const MAX_CONDITION_VALUES = 100
const MAX_VALUE_LENGTH = 200
const MAX_KEY_SOURCES = 8

/** Steps of a percentage: a hundredth of a percent. */
const PERCENT_STEPS = 100
const PERCENT_RULE = 'expected a percentage from 0 to 100 with at most two decimals'

export const CONDITION_SOURCE_RULE =
  'expected claim:<path>, header:<name>, cookie:<name>, client, client_version or address'
const KEY_SOURCE_RULE =
  'expected claim:<path>, header:<name>, cookie:<name>, visitor_cookie or address, such as claim:sub'

/** RFC 9110, section 5.6.2: names of headers and cookies. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const NAMED_SOURCE = /^(?<kind>claim|header|cookie):(?<name>.+)$/

/**
 * A property of a request. A claim is one of the verified token: a name with dots into objects, or a JSON
 * list of names. `client` and `client_version` are what the client calls itself. `visitor_cookie` is the
 * cookie that the router assigns.
 */
export type RolloutSource =
  | { readonly kind: 'claim'; readonly path: string | readonly string[] }
  | { readonly kind: 'header' | 'cookie'; readonly name: string }
  | { readonly kind: 'client' | 'client_version' | 'address' | 'visitor_cookie' }

const PLAIN_SOURCES = ['client', 'client_version', 'address', 'visitor_cookie'] as const

/** Reads the text form of a source. Null if it is none. */
export function rolloutSourceOf(text: string): RolloutSource | null {
  const plain = PLAIN_SOURCES.find((kind) => kind === text)
  if (plain !== undefined) return { kind: plain }
  const { kind, name } = NAMED_SOURCE.exec(text)?.groups ?? {}
  if (name === undefined) return null
  if (kind === 'claim') {
    const path = claimPathOf(name)
    return path === null ? null : { kind, path }
  }
  if (!TOKEN.test(name)) return null
  return kind === 'header' || kind === 'cookie' ? { kind, name } : null
}

function claimPathOf(text: string): string | readonly string[] | null {
  if (!text.startsWith('[')) return text.split('.').includes('') ? null : text
  try {
    const names = z.array(z.string().min(1)).min(1).max(MAX_KEY_SOURCES).safeParse(JSON.parse(text))
    return names.success ? names.data : null
  } catch {
    return null
  }
}

const SourceText = z
  .string()
  .max(MAX_VALUE_LENGTH, `the name of a property has at most ${MAX_VALUE_LENGTH} characters`)
const ConditionSource = SourceText.refine((text) => {
  const source = rolloutSourceOf(text)
  return source !== null && source.kind !== 'visitor_cookie'
}, CONDITION_SOURCE_RULE)
const KeySource = SourceText.refine((text) => {
  const kind = rolloutSourceOf(text)?.kind
  return kind !== undefined && kind !== 'client' && kind !== 'client_version'
}, KEY_SOURCE_RULE)

const Value = z
  .string()
  .min(1, 'a value has at least one character')
  .max(MAX_VALUE_LENGTH, `a value has at most ${MAX_VALUE_LENGTH} characters`)
const TESTS = {
  /** The value is this one. Of an address: it is this one, or is in this network. */
  equals: Value.optional(),
  /** The value is one of these. */
  in: z
    .array(Value)
    .min(1, 'expected at least one value')
    .max(MAX_CONDITION_VALUES, `a condition names at most ${MAX_CONDITION_VALUES} values`)
    .optional(),
  starts_with: Value.optional(),
  ends_with: Value.optional(),
  /** The request has the property at all. */
  exists: z.literal(true).optional(),
  /** The value is a version in this range: `>=2.1.0 <3`. */
  semver: Value.optional(),
}
const ONE_TEST = `expected exactly one of ${ROLLOUT_TESTS.join(', ')} and not`

/** A test of one value. Exactly one member is given. */
export const RolloutTest = z.strictObject(TESTS).refine((test) => countTests(test) === 1, ONE_TEST)
export type RolloutTest = z.infer<typeof RolloutTest>

/**
 * A condition of an audience: a test of one property, or with `not` the opposite of a test. A property that
 * the request lacks fulfils no test, and so fulfils the opposite of each. One with several values, as a claim
 * that is a list, fulfils a test if one of its values does.
 */
export const RolloutCondition = z
  .strictObject({ on: ConditionSource, ...TESTS, not: RolloutTest.optional() })
  .refine(({ not, ...test }) => countTests(test) + (not === undefined ? 0 : 1) === 1, ONE_TEST)
export type RolloutCondition = z.infer<typeof RolloutCondition>

function countTests(test: z.infer<z.ZodObject<typeof TESTS>>): number {
  return ROLLOUT_TESTS.filter((name) => test[name] !== undefined).length
}

/** A percentage from 0 to 100 in steps of 0.01. */
export const RolloutPercent = z
  .number()
  .min(0, PERCENT_RULE)
  .max(100, PERCENT_RULE)
  .refine((percent) => Math.abs(percent * PERCENT_STEPS - bucketsOf(percent)) < 1e-6, PERCENT_RULE)

/** How many of the 10,000 buckets a percentage takes: those below this number. */
export function bucketsOf(percent: number): number {
  return Math.round(percent * PERCENT_STEPS)
}

/** All of these conditions must hold. */
export const RolloutAudience = z
  .array(RolloutCondition)
  .max(MAX_CONDITIONS, `an audience has at most ${MAX_CONDITIONS} conditions`)
/** The first of these properties that a request has is its key. */
export const RolloutKey = z
  .array(KeySource)
  .max(MAX_KEY_SOURCES, `a key has at most ${MAX_KEY_SOURCES} sources`)
export const RolloutSalt = z.string().min(1).max(MAX_VALUE_LENGTH)
/** How a flag is released: its answers are served, or only made beside those of base and compared. */
export const RolloutMode = z.enum(['serve', 'shadow'])

const MAX_SHADOW_NAMES = 50
const OperationName = z
  .string()
  .max(MAX_VALUE_LENGTH)
  .regex(/^[_A-Za-z][_0-9A-Za-z]*$/, 'expected the name of an operation')
/** A path as differences show it: names of the answer's members, `*` for any place of a list. */
const ResponsePath = z
  .string()
  .max(MAX_VALUE_LENGTH)
  .regex(/^[_A-Za-z]\w*(?:\.(?:\*|[_A-Za-z]\w*))*$/, 'expected a path such as products.*.reviews')

/** Settings of a rollout of mode `shadow`. */
export const RolloutShadow = z.object({
  /** Subgraphs that may be called once more. If absent, only those that the flag replaces. */
  subgraphs: z.array(ResourceName).max(MAX_SHADOW_NAMES).optional(),
  /** Names of the operations that are compared. If absent, all queries are. */
  operations: z.array(OperationName).min(1).max(MAX_SHADOW_NAMES).optional(),
  /** Lists of the answer whose order means nothing, by their paths: `products.*.tags`. */
  unordered: z.array(ResponsePath).max(MAX_SHADOW_NAMES).optional(),
})
export type RolloutShadow = z.infer<typeof RolloutShadow>

const RULE = {
  where: RolloutAudience,
  /** The percentage in force: 0 if the rollout was aborted, 100 if it was completed. */
  percent: RolloutPercent,
  key: RolloutKey,
  /** The bucket of a request is the hash of `<salt>:<key>`. */
  salt: RolloutSalt,
  /** From then on it selects nobody. */
  expires: z.iso.datetime().optional(),
  shadow: RolloutShadow.optional(),
}

const MAX_RAMP_STEPS = 20
const LONGEST_STEP_MS = 30 * 24 * 60 * 60 * 1000
/** The highest percentage that guards can judge: outside it, there must be requests to compare with. */
export const MAX_GUARDED_PERCENT = 95

/** A ramp: the percentages that a rollout gets one after the other, and what stops it on its way. */
export const RampPlan = z.strictObject({
  /** Percentages above 0, in ascending order. */
  steps: z
    .array(RolloutPercent)
    .min(1, 'a ramp has at least one step')
    .max(MAX_RAMP_STEPS, `a ramp has at most ${MAX_RAMP_STEPS} steps`)
    .refine((steps) => steps.every((percent, at) => percent > (steps[at - 1] ?? 0)), {
      error: 'expected percentages above 0, each higher than the one before it',
    }),
  /** Milliseconds from the beginning of a step to the next one. */
  everyMs: z
    .int()
    .min(1000, 'a step lasts at least 1 s')
    .max(LONGEST_STEP_MS, 'a step lasts at most 30 days'),
  guards: Guards.optional(),
  stop: EmergencyStop.optional(),
  /** True if the key may be one that clients make themselves, and so can choose. */
  forgeableKey: z.literal(true).optional(),
})
export type RampPlan = z.infer<typeof RampPlan>

/** Requests inside the percentage, and their errors, that exceeded the emergency stop. */
export const EmergencyFigures = z.object({
  requests: z.int().min(0),
  errors: z.int().min(0),
  failedClusters: z.int().min(0),
})
export type EmergencyFigures = z.infer<typeof EmergencyFigures>

/**
 * A rollout as the manifest of its graph carries it. Its mode is a text, since a router must be able to read
 * a rollout of a mode that it does not know.
 */
export const ManifestRollout = z.object({
  name: ResourceName,
  flag: ResourceName,
  mode: z.string().min(1),
  ...RULE,
  /** Present while a guarded ramp runs: routers then report their figures of the step. */
  guard: z
    .object({
      /** The sequence of the registry's record that began the step. */
      step: z.int().min(0),
      /** The limit at which a router stops the rollout by itself until the next revision. */
      stop: EmergencyStop.optional(),
    })
    .optional(),
})
export type ManifestRollout = z.infer<typeof ManifestRollout>

/** The mode of the rollout that stands in a list for one that this version cannot read. */
const UNREADABLE_MODE = 'unreadable'
const UNREADABLE_NAME = 'unreadable'
const Named = z.object({ name: ResourceName })

/**
 * The rollouts of a manifest. One that this version does not understand is replaced by one of a mode that
 * nobody knows, which ends the list: later rollouts must not decide about its requests. All else of the
 * manifest is served.
 */
export const ManifestRollouts = z
  .array(z.unknown())
  .max(MAX_ROLLOUTS_PER_GRAPH)
  .transform((all) => all.map((one) => ManifestRollout.safeParse(one).data ?? unreadable(one)))

function unreadable(one: unknown): ManifestRollout {
  const name = Named.safeParse(one).data?.name ?? UNREADABLE_NAME
  return { name, flag: name, mode: UNREADABLE_MODE, where: [], percent: 0, key: [], salt: name }
}
