/**
 * The rollouts of a graph, compiled once for each manifest, and the decision about one request.
 *
 * Nothing here throws, whatever a manifest says. A rollout that is not understood selects nobody, and is
 * listed in `problems`. The rollouts behind it select nobody either who may be one of its audience: the first
 * rollout that a request belongs to decides, and a later one must not take the request from it.
 */
import { bucketsOf, type ManifestRollout, type RolloutSource, rolloutSourceOf } from '@switchyard/contracts'
import { bucketOf, BUCKETS } from './bucket.ts'
import { type CompiledCondition, compileCondition } from './condition.ts'
import type {
  DecidingRollout,
  ExplainedRollout,
  RequestKey,
  RolloutDecision,
  RolloutExplanation,
  RolloutOutcome,
} from './decision.ts'
import { type ReadProperty, ReadValues, type RequestValues } from './read-values.ts'

/** Bytes of the longest key. A longer one counts as absent. */
export const LONGEST_KEY = 512
/** The mode of rollouts whose flags answer clients, and of those whose flags are only compared. */
const SERVING = 'serve'
const SHADOW = 'shadow'

/** The decision that no rollout decides about a request. */
export const NO_ROLLOUT: RolloutDecision = { kind: 'none' }

/** The rollouts of a manifest, and how requests are read. */
export type RolloutTableOptions<Asking> = {
  readonly rollouts: readonly ManifestRollout[]
  /** The flags that the manifest holds. */
  readonly flags: { has(flag: string): boolean }
  /** Makes a function that reads a property of requests. */
  readonly readerOf: (source: RolloutSource) => ReadProperty<Asking>
}

/** A request that may be compared. */
export type ShadowQuestion = {
  /** Unix milliseconds. */
  readonly now: number
  /** The name of the operation; null if it has none. */
  readonly operation: string | null
  readonly random: () => number
}

/** A part of a rollout that was not understood. */
export type RolloutProblem = { readonly rollout: string; readonly message: string }

type CompiledRollout = {
  readonly rollout: ManifestRollout
  /** The reason why nobody looks at it, whenever it may be; null if requests are decided by it. */
  readonly idle: RolloutOutcome | null
  /** Unix milliseconds; infinite if it does not expire. */
  readonly expires: number
  readonly conditions: readonly CompiledCondition[]
  readonly keys: readonly { readonly source: string; readonly place: number }[]
  /** Those inside: buckets below this one. */
  readonly buckets: number
  readonly isPersonal: boolean
  /** Whether all conditions are understood. If not, its audience gets base. */
  readonly isUnderstood: boolean
}

/** The rollouts by which requests are decided that name no flag. */
export type Rollouts<Asking> = Pick<RolloutTable<Asking>, keyof RolloutTable<Asking>>

/** Decides requests that name no flag. */
export class RolloutTable<Asking> {
  /** Parts of rollouts that were not understood. */
  readonly problems: readonly RolloutProblem[]
  /** Every property that an audience or a key reads, each once. */
  readonly sources: readonly RolloutSource[]
  #rollouts: readonly CompiledRollout[]
  readonly #readers: readonly ReadProperty<Asking>[]
  readonly #shadows: readonly CompiledRollout[]
  readonly #shadowReaders: readonly ReadProperty<Asking>[]

  constructor({ rollouts, flags, readerOf }: RolloutTableOptions<Asking>) {
    const properties = new Properties(readerOf)
    const understood = upToUnknownMode(rollouts)
    this.#rollouts = understood.map((rollout) => compileRollout(rollout, SERVING, flags, properties))
    this.#readers = properties.readers
    this.sources = properties.sources
    // Answers do not depend on what shadows read.
    const ofShadows = new Properties(readerOf)
    this.#shadows = understood
      .map((rollout) => compileRollout(rollout, SHADOW, flags, ofShadows))
      .filter(({ idle }) => idle === null)
    this.#shadowReaders = ofShadows.readers
    this.problems = [...this.#rollouts, ...this.#shadows].flatMap(problemsIn)
  }

  /** Decides a request. `now`: Unix milliseconds. */
  decide(asking: Asking, now: number): RolloutDecision {
    const values = new ReadValues(asking, this.#readers)
    for (const compiled of this.#rollouts) {
      if (compiled.idle !== null || now >= compiled.expires || !isOfAudience(compiled, values)) continue
      const key = keyOf(compiled, values)
      if (key === null && compiled.keys.length > 0) continue
      if (!compiled.isUnderstood) return NO_ROLLOUT
      return { kind: kindOf(compiled, key), ...decidedBy(compiled, key) }
    }
    return NO_ROLLOUT
  }

  /**
   * Returns the rollout of mode `shadow` by which base's answer to a request is compared; null if there is
   * none. The first one decides that is for the operation and whose audience and key the request has. One
   * without keys takes its percentage at random: `random` returns a number from 0 up to 1, without 1.
   */
  shadowOf(asking: Asking, { now, operation, random }: ShadowQuestion): ManifestRollout | null {
    if (this.#shadows.length === 0) return null
    const values = new ReadValues(asking, this.#shadowReaders)
    for (const compiled of this.#shadows) {
      const { rollout, expires, keys, buckets, isUnderstood } = compiled
      const operations = rollout.shadow?.operations
      if (operations !== undefined && (operation === null || !operations.includes(operation))) continue
      if (now >= expires || !isOfAudience(compiled, values)) continue
      const key = keyOf(compiled, values)
      if (key === null && keys.length > 0) continue
      if (!isUnderstood) return null
      return (key?.bucket ?? random() * BUCKETS) < buckets ? rollout : null
    }
    return null
  }

  /** Lists the flags that answers are compared with, each once, in the order of their rollouts. */
  shadowFlags(now: number): readonly string[] {
    const active = this.#shadows.filter(
      ({ expires, buckets, isUnderstood }) => isUnderstood && now < expires && buckets > 0,
    )
    return [...new Set(active.map(({ rollout }) => rollout.flag))]
  }

  /** Names of the rollouts whose flags are only compared. */
  get shadows(): readonly string[] {
    return this.#shadows.map(({ rollout }) => rollout.name)
  }

  /** Tells which rollouts a request was compared with, and why each did or did not hold for it. */
  explain(asking: Asking, now: number): RolloutExplanation {
    const values = new ReadValues(asking, this.#readers)
    const rollouts: ExplainedRollout[] = []
    for (const compiled of this.#rollouts) {
      const explained = explainedRollout(compiled, values, now)
      rollouts.push(explained)
      const { outcome, rollout, flag, percent, key } = explained
      if (outcome === 'inside' || outcome === 'control')
        return { decision: { kind: outcome, rollout, flag, percent, key }, rollouts }
      if (outcome === 'not-understood') break
    }
    return { decision: NO_ROLLOUT, rollouts }
  }

  /** Treats a rollout as 0 % from now on: those inside of its percentage get base, as those outside do. */
  stop(name: string): void {
    this.#rollouts = this.#rollouts.map((compiled) =>
      compiled.rollout.name === name
        ? { ...compiled, rollout: { ...compiled.rollout, percent: 0 }, buckets: 0 }
        : compiled,
    )
  }

  /** Lists the flags that somebody may get, each once, in the order of their rollouts. */
  activeFlags(now: number): readonly string[] {
    const active = this.#rollouts.filter(
      ({ idle, expires, buckets, isUnderstood }) =>
        idle === null && isUnderstood && now < expires && buckets > 0,
    )
    return [...new Set(active.map(({ rollout }) => rollout.flag))]
  }

  /** Whether an audience or a key reads who asks, or from where: a claim, a cookie or the address. */
  isPersonal(now: number): boolean {
    return this.#rollouts.some(
      ({ isPersonal, idle, expires }) => isPersonal && idle === null && now < expires,
    )
  }
}

/** The properties that rollouts read, each at one place. */
class Properties<Asking> {
  readonly sources: RolloutSource[] = []
  readonly readers: ReadProperty<Asking>[] = []
  readonly #readerOf: (source: RolloutSource) => ReadProperty<Asking>
  readonly #places = new Map<string, number>()

  constructor(readerOf: (source: RolloutSource) => ReadProperty<Asking>) {
    this.#readerOf = readerOf
  }

  placeOf(text: string): number {
    const known = this.#places.get(text)
    if (known !== undefined) return known
    const source = rolloutSourceOf(text)
    const place = this.readers.length
    this.#places.set(text, place)
    if (source !== null) this.sources.push(source)
    this.readers.push(source === null ? () => null : this.#readerOf(source))
    return place
  }
}

/** Returns the rollouts up to the first one of a mode that is not known, with that one. */
function upToUnknownMode(rollouts: readonly ManifestRollout[]): readonly ManifestRollout[] {
  const at = rollouts.findIndex(({ mode }) => !isKnownMode(mode))
  return at < 0 ? rollouts : rollouts.slice(0, at + 1)
}

/** Whether this version knows what a rollout of this mode is for. */
export function isKnownMode(mode: string): boolean {
  return mode === SERVING || mode === SHADOW
}

function compileRollout<Asking>(
  rollout: ManifestRollout,
  mode: typeof SERVING | typeof SHADOW,
  flags: { has(flag: string): boolean },
  properties: Properties<Asking>,
): CompiledRollout {
  const { where, key, percent, expires } = rollout
  const buckets = bucketsOf(percent)
  const idle = idleOf(rollout, mode, flags)
  const of = idle === null ? { where, key } : { where: [], key: [] }
  const texts = [...of.where.map(({ on }) => on), ...of.key]
  const conditions = of.where.map((condition) =>
    compileCondition(condition, properties.placeOf(condition.on)),
  )
  return {
    rollout,
    idle,
    expires: expires === undefined ? Infinity : Date.parse(expires),
    conditions,
    keys: of.key.map((source) => ({ source, place: properties.placeOf(source) })),
    buckets,
    isPersonal: texts.some((text) => isPersonalSource(rolloutSourceOf(text))),
    isUnderstood: conditions.every(({ problem }) => problem === null),
  }
}

/**
 * Returns the reason why nobody looks at a rollout for `wanted`, a mode. Null if requests are decided by it.
 */
export function idleOf(
  { flag, mode, key, percent }: ManifestRollout,
  wanted: string,
  flags: { has(flag: string): boolean },
): RolloutOutcome | null {
  if (!isKnownMode(mode)) return 'not-understood'
  if (mode !== wanted) return 'not-serving'
  if (!flags.has(flag)) return 'unknown-flag'
  if (mode === SHADOW) return null
  const buckets = bucketsOf(percent)
  return key.length === 0 && buckets > 0 && buckets < BUCKETS ? 'keyless' : null
}

function isPersonalSource(source: RolloutSource | null): boolean {
  switch (source?.kind) {
    case 'claim':
    case 'cookie':
    case 'visitor_cookie':
    case 'address':
      return true
    default:
      return false
  }
}

function problemsIn({ rollout, idle, conditions }: CompiledRollout): readonly RolloutProblem[] {
  const { name, percent, mode } = rollout
  if (idle === 'not-understood') return [{ rollout: name, message: unknownModeMessage(mode) }]
  if (idle === 'keyless')
    return [{ rollout: name, message: `it is for ${percent} percent and has no key to tell requests apart` }]
  return conditions.flatMap(({ condition: { on }, problem }) =>
    problem === null
      ? []
      : [{ rollout: name, message: `the condition on ${on} is not understood: ${problem}` }],
  )
}

function unknownModeMessage(mode: string): string {
  return `it is of a kind that this version does not know (mode "${mode}"), and all rollouts behind it select nobody`
}

/** Whether a request fulfils all conditions that are understood. */
function isOfAudience({ conditions }: CompiledRollout, values: RequestValues): boolean {
  for (const { place, holds, problem } of conditions)
    if (problem === null && !holds(values.valueOf(place), values)) return false
  return true
}

/** Returns the key; null if the request has none, or if the rollout needs none. */
function keyOf({ keys, rollout }: CompiledRollout, values: RequestValues): RequestKey | null {
  for (const { source, place } of keys) {
    const text = values.valueOf(place)
    if (typeof text === 'string' && isKey(text)) return { source, text, bucket: bucketOf(rollout.salt, text) }
  }
  return null
}

function isKey(text: string): boolean {
  return text.length <= LONGEST_KEY && text.trim() !== '' && Buffer.byteLength(text) <= LONGEST_KEY
}

function kindOf({ buckets }: CompiledRollout, key: RequestKey | null): 'inside' | 'control' {
  const isInside = key === null ? buckets === BUCKETS : key.bucket < buckets
  return isInside ? 'inside' : 'control'
}

function decidedBy({ rollout }: CompiledRollout, key: RequestKey | null): DecidingRollout {
  return { rollout: rollout.name, flag: rollout.flag, percent: rollout.percent, key }
}

function explainedRollout(compiled: CompiledRollout, values: RequestValues, now: number): ExplainedRollout {
  const idle = compiled.idle ?? (now >= compiled.expires ? 'expired' : null)
  if (idle !== null) return { ...decidedBy(compiled, null), outcome: idle, conditions: [] }
  const conditions = compiled.conditions.map(({ condition, place, holds, problem }) => {
    const seen = values.valueOf(place)
    return { condition, seen, holds: holds(seen, values), problem }
  })
  const isOf = isOfAudience(compiled, values)
  const key = isOf ? keyOf(compiled, values) : null
  const outcome = !isOf
    ? 'other-audience'
    : key === null && compiled.keys.length > 0
      ? 'no-key'
      : compiled.isUnderstood
        ? kindOf(compiled, key)
        : 'not-understood'
  return { ...decidedBy(compiled, key), outcome, conditions }
}
