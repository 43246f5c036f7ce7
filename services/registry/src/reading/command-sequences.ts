/** Remembers which records of the registry's log affected a graph: the last ones, by their sequences. */
import type { GraphName } from '@switchyard/contracts'
import { firstFrom } from './reflected-sequences.ts'

/** How many are remembered of each graph. A history has 500 revisions, most of which are of one command. */
const KEPT_PER_GRAPH = 1000

type Known = { readonly sequences: number[]; forgotten: number }

export class CommandSequences {
  /** Sequences by namespace and graph. */
  readonly #known = new Map<string, Map<string, Known>>()

  /** Notes a command. It has to be called in the order of the log. */
  note(namespace: string, graphs: readonly string[], sequence: number): void {
    const byGraph = this.#known.get(namespace) ?? new Map<string, Known>()
    this.#known.set(namespace, byGraph)
    for (const graph of graphs) {
      const known = byGraph.get(graph) ?? { sequences: [], forgotten: 0 }
      known.sequences.push(sequence)
      // Not one at a time: what is behind would be moved for each.
      if (known.sequences.length === 2 * KEPT_PER_GRAPH)
        known.forgotten = known.sequences.splice(0, KEPT_PER_GRAPH).at(-1) ?? 0
      byGraph.set(graph, known)
    }
  }

  /** Returns sequences after one, up to and including another. Null if some of them are forgotten. */
  between({ namespace, graph }: GraphName, after: number, upTo: number): readonly number[] | null {
    const known = this.#known.get(namespace)?.get(graph)
    if (known === undefined) return []
    if (after < known.forgotten) return null
    return known.sequences.filter((sequence) => sequence > after && sequence <= upTo)
  }

  /** Returns the graphs that a record affected, sorted. Null if some of them may be forgotten. */
  graphsOf(namespace: string, sequence: number): readonly string[] | null {
    const graphs: string[] = []
    for (const [graph, { sequences, forgotten }] of this.#known.get(namespace) ?? []) {
      if (sequence <= forgotten) return null
      if (sequences[firstFrom(sequences, sequence)] === sequence) graphs.push(graph)
    }
    return graphs.sort()
  }
}
