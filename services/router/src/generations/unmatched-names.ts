/**
 * Names of subgraphs and feature flags in the settings that nothing has of what is served. What is set for
 * them has no effect, and the reason is nearly always a spelling mistake.
 */
import type { CompositionEvents } from './composition-events.ts'
import type { CompositionTable } from './composition-table.ts'
import type { Generation } from './generation.ts'

/** A setting for one subgraph or flag, as `subgraphs.overrides.reviews`, and the name in it. */
export type NamingSetting = { readonly setting: string; readonly name: string }

/** Settings for single subgraphs and flags. */
export type NamingSettings = {
  readonly subgraphs: readonly NamingSetting[]
  readonly flags: readonly NamingSetting[]
}

/**
 * Logs each set of such settings once. Which subgraphs a composition has is known when it is built: as long
 * as one of those that are served was never built, a name may be that of a feature subgraph, and nothing is
 * said.
 */
export class UnmatchedNames {
  readonly #settings: () => NamingSettings
  readonly #events: CompositionEvents
  #table: CompositionTable | null = null
  /** Artifacts of the table that were built once. */
  #known = new Set<string>()
  #subgraphs = new Set<string>()
  #told = ''

  /** `settings`: those in force. */
  constructor(settings: () => NamingSettings, events: CompositionEvents) {
    this.#settings = settings
    this.#events = events
  }

  /** Another config is served. */
  serve(table: CompositionTable): void {
    this.#table = table
    this.#known = new Set()
    this.#subgraphs = new Set()
    this.#learn(table.base)
    for (const { state, artifact } of table.flags.values()) {
      if (state.kind === 'built') this.#learn(state.generation)
      else if (state.kind === 'failed') this.#known.add(artifact)
    }
    this.look()
  }

  /** The composition of a flag was built. */
  built(generation: Generation): void {
    this.#learn(generation)
    this.look()
  }

  /** Settings or what is served have changed. */
  look(): void {
    const table = this.#table
    if (table === null) return
    const { subgraphs, flags } = this.#settings()
    const { featureFlags } = table.config
    const isKnown = [...featureFlags.values()].every((artifact) => this.#known.has(artifact))
    const unmatched = [
      ...(isKnown ? subgraphs.filter(({ name }) => !this.#subgraphs.has(name)) : []),
      ...flags.filter(({ name }) => !featureFlags.has(name)),
    ].map(({ setting }) => setting)
    const told = unmatched.join('\n')
    if (told === this.#told) return
    this.#told = told
    if (unmatched.length > 0) this.#events.settingsUnmatched(unmatched)
  }

  #learn({ artifact, subgraphs }: Generation): void {
    this.#known.add(artifact)
    for (const { name } of subgraphs) this.#subgraphs.add(name)
  }
}
