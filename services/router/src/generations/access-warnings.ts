/**
 * Says what of the access rules of a composition is not decided as its authors may think. Once for each
 * composition of a config: building it again after it was not used for a while is no news.
 */
import type { CompiledGraph } from '@switchyard/engine'
import { undecidedPolicies } from '../concerns/authorization/undecided-policies.ts'
import type { CompositionEvents } from './composition-events.ts'

/** The settings by which access rules are decided. */
export type AccessSettings = {
  /** Whether any request can have an identity. */
  readonly identifies: boolean
  /** The policies that a rule of the settings decides. */
  readonly policies: { has(name: string): boolean }
}

/** Logs what there is to say about the access rules of compositions. */
export class AccessWarnings {
  readonly #settings: AccessSettings
  readonly #events: CompositionEvents
  /** Artifacts that were looked at. */
  readonly #seen = new Set<string>()

  constructor(settings: AccessSettings, events: CompositionEvents) {
    this.#settings = settings
    this.#events = events
  }

  /** A composition was built. */
  look(artifact: string, { accessRules, access }: CompiledGraph): void {
    if (accessRules.length === 0 || this.#seen.has(artifact)) return
    this.#seen.add(artifact)
    if (access === null) return this.#events.accessRulesNotEnforced(artifact, accessRules)
    if (!this.#settings.identifies) return this.#events.nobodyIdentified(artifact, accessRules)
    const undecided = undecidedPolicies(access.conditions, this.#settings.policies)
    if (undecided.length > 0) this.#events.policiesUndecided(artifact, undecided)
  }

  /** Another config is served. */
  keepOnly(isServed: (artifact: string) => boolean): void {
    for (const artifact of this.#seen) if (!isServed(artifact)) this.#seen.delete(artifact)
  }
}
