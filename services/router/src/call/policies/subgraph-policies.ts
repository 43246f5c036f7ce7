/** Policies of single subgraphs, of which each composition with a subgraph of the name has a lease. */
import { LeasedValues } from '../../memory/leased-values.ts'
import { type PerSubgraph, subgraphConfigOf } from '../../settings/per-subgraph.ts'

/** Keeps one policy for each subgraph and its settings, for as long as a composition in memory needs it. */
export abstract class SubgraphPolicies<Settings, Events, Policy> {
  readonly #config: PerSubgraph<Settings>
  protected readonly events: Events
  protected readonly policies: LeasedValues<Policy>

  /**
   * `before` are the policies of the settings before. Those whose settings have not changed go on. `ended` is
   * called with each policy whose last lease was disposed.
   */
  constructor(
    config: PerSubgraph<Settings>,
    events: Events,
    before: SubgraphPolicies<Settings, Events, Policy> | null = null,
    ended?: (policy: Policy) => void,
  ) {
    this.#config = config
    this.events = events
    this.policies = before?.policies ?? new LeasedValues(ended)
  }

  /** Returns the settings of a subgraph. */
  protected configOf(subgraph: string): Settings {
    return subgraphConfigOf(this.#config, subgraph)
  }
}
