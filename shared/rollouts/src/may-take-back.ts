/** Tells which rollouts of a config a newer manifest may take a request from. */
import { isDeepStrictEqual } from 'node:util'
import { bucketsOf, type ManifestRollout } from '@switchyard/contracts'
import { idleOf, isKnownMode } from './rollout-table.ts'

/** The rollouts of a manifest, and its flags. */
export type ManifestWithRollouts = {
  readonly rollouts: readonly ManifestRollout[]
  readonly flags: { has(flag: string): boolean }
}

/**
 * Returns the names of the rollouts of `served` that give their flag to a request to which `newer` may not
 * give it. Every other rollout gives its flag to nobody else than before by the newer manifest's percentage,
 * and to nobody less. `now`: Unix milliseconds.
 */
export function mayTakeBack(
  served: ManifestWithRollouts,
  newer: ManifestWithRollouts,
  now: number,
): readonly string[] {
  const known = decidingOf(served).filter((rollout) => now < endOf(rollout))
  const next = decidingOf(newer)
  const names: string[] = []
  for (const [at, rollout] of known.entries()) {
    if (bucketsOf(rollout.percent) === 0 || !isKnownMode(rollout.mode)) continue
    const place = next.findIndex((one) => isSameOrMore(one, rollout))
    const earlier = known.slice(0, at)
    const isKept = place >= 0 && next.slice(0, place).every((one) => isCoveredBy(earlier, one, rollout))
    if (!isKept) names.push(rollout.name)
  }
  return names
}

/** The rollouts that are looked at, up to the first one of a mode that nobody knows. */
function decidingOf({ rollouts, flags }: ManifestWithRollouts): readonly ManifestRollout[] {
  const end = rollouts.findIndex(({ mode }) => !isKnownMode(mode))
  const readable = end < 0 ? rollouts : rollouts.slice(0, end + 1)
  return readable.filter((rollout) => {
    const idle = idleOf(rollout, rollout.mode, flags)
    return idle === null || idle === 'not-understood'
  })
}

/** Whether everybody who is in one rollout is in another one. */
function isSameOrMore(newer: ManifestRollout, served: ManifestRollout): boolean {
  return (
    newer.name === served.name &&
    newer.flag === served.flag &&
    newer.salt === served.salt &&
    bucketsOf(newer.percent) >= bucketsOf(served.percent) &&
    isDeepStrictEqual(newer.shadow?.operations, served.shadow?.operations) &&
    isSameAudience(newer, served)
  )
}

/** Whether a rollout in front of another one decides only about requests that never reach that one. */
function isCoveredBy(
  earlier: readonly ManifestRollout[],
  newer: ManifestRollout,
  { mode }: ManifestRollout,
): boolean {
  if (isKnownMode(newer.mode) && newer.mode !== mode) return true
  return earlier.some(
    (rollout) =>
      isDeepStrictEqual(rollout.shadow?.operations, newer.shadow?.operations) &&
      isSameAudience(newer, rollout),
  )
}

/** Whether a rollout decides about the same requests as another one, and at least as long. */
function isSameAudience(newer: ManifestRollout, served: ManifestRollout): boolean {
  return (
    newer.mode === served.mode &&
    isDeepStrictEqual(newer.where, served.where) &&
    isDeepStrictEqual(newer.key, served.key) &&
    endOf(newer) === endOf(served)
  )
}

function endOf({ expires }: ManifestRollout): number {
  return expires === undefined ? Infinity : Date.parse(expires)
}
