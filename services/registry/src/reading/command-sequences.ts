/** Remembers which records of the registry's log affected a graph: the last ones, by their sequences. */
import type { GraphName } from '@switchyard/contracts'
import { graphKey } from './composition-results.ts'

/** How many are remembered of each graph. A history has 500 revisions, most of which are of one command. */
const KEPT_PER_GRAPH = 1000

export class CommandSequences {
  readonly #byGraph = new Map<string, { readonly sequences: number[]; forgotten: number }>()

  /** Notes a command. It has to be called in the order of the log. */
  note(namespace: string, graphs: readonly string[], sequence: number): void {
    for (const graph of graphs) {
      const key = graphKey({ namespace, graph })
      const known = this.#byGraph.get(key) ?? { sequences: [], forgotten: 0 }
      known.sequences.push(sequence)
      // Not one at a time: what is behind would be moved for each.
      if (known.sequences.length === 2 * KEPT_PER_GRAPH)
        known.forgotten = known.sequences.splice(0, KEPT_PER_GRAPH).at(-1) ?? 0
      this.#byGraph.set(key, known)
    }
  }

  /** Returns sequences after one, up to and including another. Null if some of them are forgotten. */
  between(graph: GraphName, after: number, upTo: number): readonly number[] | null {
    const known = this.#byGraph.get(graphKey(graph))
    if (known === undefined) return []
    if (after < known.forgotten) return null
    return known.sequences.filter((sequence) => sequence > after && sequence <= upTo)
  }
}
