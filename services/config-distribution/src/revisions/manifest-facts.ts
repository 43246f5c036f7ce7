/** The members of a manifest that come from the registry's log, without any composition. */
import { isDeepStrictEqual } from 'node:util'
import type { Jwks, Manifest, ManifestContent } from '@switchyard/contracts'
import type { EventLog } from '@switchyard/event-log'
import type { Revision } from '../log/config-log.ts'
import type { GraphRollouts } from '../log/registry-facts.ts'

export type ManifestFactsParts = {
  readonly log: EventLog
  readonly traceKeys: () => Jwks
  readonly rollouts: () => GraphRollouts
  /** The sequence of the last record of the registry's log that was read. */
  readonly registrySequence: () => number
  /** Resolves when the record of that sequence of the registry's log was read. */
  readonly registryReaches: (sequence: number) => Promise<void>
}

/** Trace keys and rollouts of one graph, beside those of its manifests. */
export class ManifestFacts {
  readonly #parts: ManifestFactsParts

  constructor(parts: ManifestFactsParts) {
    this.#parts = parts
  }

  membersFor({ base }: ManifestContent): Pick<Manifest, 'rollouts' | 'traceKeys'> {
    const { rollouts } = this.#parts.rollouts()
    const has = base !== null && rollouts.length > 0
    return { ...(has ? { rollouts: [...rollouts] } : {}), traceKeys: this.#parts.traceKeys() }
  }

  areIn(manifest: Manifest): boolean {
    // By value: the members of a key that was read from the log may stand in another order.
    return isDeepStrictEqual(manifest.traceKeys, this.#parts.traceKeys()) && this.hasRollouts(manifest)
  }

  hasRollouts({ rollouts = [] }: Manifest): boolean {
    return isDeepStrictEqual(rollouts, this.#parts.rollouts().rollouts)
  }

  /** The sequence of the record that last changed the rollouts of the revision after this one. */
  rolloutsSequenceAfter(last: Revision | null): number {
    return Math.max(this.#parts.rollouts().sequence, last?.record.cause.rolloutsSequence ?? 0)
  }

  /**
   * Resolves when this instance has read all that decided the rollouts of the last revision. It would publish
   * older ones otherwise, and so raise a percentage that somebody has lowered.
   */
  async require(last: Revision | null): Promise<void> {
    const { log, registrySequence, registryReaches } = this.#parts
    const known = last?.record.cause.rolloutsSequence ?? 0
    if (registrySequence() >= known) return
    // An import writes the registry's log last, and that log does have the record.
    if (last?.record.imported === true) return registryReaches(known)
    // A log that was set back never has that record again.
    const newest = await log.last({ kind: 'log', log: 'registry' })
    if (newest !== null && newest.sequence >= known) await registryReaches(known)
  }
}
