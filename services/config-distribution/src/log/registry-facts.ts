/**
 * Facts of the registry's log that manifests hold beside compositions: the public keys that check trace
 * tokens, and the rollouts of each graph. Composers have no part in these, so that a change reaches routers
 * whatever composers do.
 */
import type { GraphName, Jwks, ManifestRollout } from '@switchyard/contracts'
import { manifestRollouts, RegistryFold, type RampOfRollout, runningRamp } from '@switchyard/domain'
import { type LogEntry, understood } from '@switchyard/event-log'

/** The rollouts of a graph, and the sequence of the last record that changed them; 0 if none did. */
export type GraphRollouts = { readonly rollouts: readonly ManifestRollout[]; readonly sequence: number }

/** The effect of a record on what manifests hold. */
export type FactsChanged = { readonly traceKeys: boolean; readonly rolloutsOf: readonly GraphName[] }

export class RegistryFacts {
  readonly #fold = new RegistryFold()
  readonly #changedAt = new Map<string, number>()
  /** Namespaces that have rollouts, or had some. */
  readonly #withRollouts = new Set<string>()
  #sequence = 0

  /** The sequence of the last record of the log that was applied. */
  get sequence(): number {
    return this.#sequence
  }

  /** Applies a record, and returns which of the facts it changed. */
  apply(entry: LogEntry): FactsChanged {
    const before = this.#fold.system.traceKeys
    const folded = understood(entry, (one) => this.#fold.apply(one))
    this.#sequence = entry.sequence
    const traceKeys = this.#fold.system.traceKeys !== before
    if (folded.kind !== 'namespace' || folded.outcome.kind !== 'applied') return { traceKeys, rolloutsOf: [] }
    const { namespace, outcome } = folded
    const rolloutsOf = outcome.rolloutGraphs.map((graph) => ({ namespace, graph }))
    for (const graph of rolloutsOf) this.#changedAt.set(keyOf(graph), entry.sequence)
    if (rolloutsOf.length > 0) this.#withRollouts.add(namespace)
    return { traceKeys, rolloutsOf }
  }

  /** The public keys, sorted by key id so that equal sets are equal lists. */
  get jwks(): Jwks {
    const keys = this.#fold.system.traceKeys.values().map(({ jwk }) => jwk)
    return { keys: keys.toSorted((a, b) => (a.kid < b.kid ? -1 : a.kid > b.kid ? 1 : 0)) }
  }

  /** The rollouts of all namespaces whose ramps run. */
  get runningRamps(): readonly RampOfRollout[] {
    return [...this.#withRollouts].flatMap((namespace) => {
      const state = this.#fold.state(namespace)
      return [...state.rollouts.keys()].flatMap((name) => runningRamp(state, name) ?? [])
    })
  }

  /** A rollout whose ramp runs; null if there is none of that name. */
  runningRamp(namespace: string, name: string): RampOfRollout | null {
    return runningRamp(this.#fold.state(namespace), name)
  }

  rolloutsOf(graph: GraphName): GraphRollouts {
    const state = this.#fold.state(graph.namespace)
    return {
      rollouts: manifestRollouts(state, graph.graph),
      sequence: this.#changedAt.get(keyOf(graph)) ?? 0,
    }
  }
}

function keyOf({ namespace, graph }: GraphName): string {
  return `${namespace}/${graph}`
}
