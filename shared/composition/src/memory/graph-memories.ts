/** The memories of all graphs that one thread composes, within limits. */
import { CompositionMemory } from './composition-memory.ts'

/** A graph by its name and that of its namespace. */
export type RememberedGraph = { readonly namespace: string; readonly graph: string }

/** `namespace/graph` */
export function keyOfGraph({ namespace, graph }: RememberedGraph): string {
  return `${namespace}/${graph}`
}

/**
 * Whether a composition finds something in its memory: `cold` if the thread has not composed the graph
 * before, `forgotten` if it had to make room for other graphs.
 */
export type MemoryState = 'warm' | 'cold' | 'forgotten'

/** The part of all memory that one graph may take. */
const SHARE_OF_GRAPH = 0.5
/** Names of graphs that were forgotten: whoever reads logs learns that a limit was the reason. */
const MOST_FORGOTTEN = 1000

/**
 * Memories by their graphs. When they take too much, the namespace that was used least recently loses its
 * own first. Namespaces share nothing.
 */
export class GraphMemories {
  readonly #mostBytes: number
  /** In the order in which they were used. */
  readonly #namespaces = new Map<string, Map<string, CompositionMemory>>()
  readonly #forgotten = new Set<string>()

  /** `mostBytes` is about how much all of them may take. One graph takes half of it at most. */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  /** About how much memory all of them take. */
  get bytes(): number {
    let sum = 0
    for (const { memory } of this.#all()) sum += memory.bytes
    return sum
  }

  /** The graphs of which the last composition is remembered: `namespace/graph`. */
  get graphs(): readonly string[] {
    return [...this.#all()].flatMap(({ namespace, graph, memory }) =>
      memory.last === null ? [] : [keyOfGraph({ namespace, graph })],
    )
  }

  /** The memory of a graph, which is the last to be forgotten now. */
  of({ namespace, graph }: RememberedGraph): CompositionMemory {
    const graphs = this.#namespaces.get(namespace) ?? new Map<string, CompositionMemory>()
    const memory = graphs.get(graph) ?? new CompositionMemory()
    graphs.delete(graph)
    graphs.set(graph, memory)
    this.#namespaces.delete(namespace)
    this.#namespaces.set(namespace, graphs)
    return memory
  }

  /** Whether a composition of the graph would find something. */
  stateOf({ namespace, graph }: RememberedGraph): MemoryState {
    const last = this.#namespaces.get(namespace)?.get(graph)?.last ?? null
    if (last !== null) return 'warm'
    return this.#forgotten.has(keyOfGraph({ namespace, graph })) ? 'forgotten' : 'cold'
  }

  /** Keeps to the limits. Call it after each composition. */
  trim(): void {
    for (const { namespace, graph, memory } of this.#all())
      if (!memory.keepTo(this.#mostBytes * SHARE_OF_GRAPH)) this.#drop(namespace, graph)
    let left = this.bytes
    for (const { namespace, graph, memory } of this.#all()) {
      if (left <= this.#mostBytes) return
      left -= memory.bytes
      this.#drop(namespace, graph)
    }
  }

  #drop(namespace: string, graph: string): void {
    const graphs = this.#namespaces.get(namespace)
    graphs?.delete(graph)
    if (graphs?.size === 0) this.#namespaces.delete(namespace)
    if (this.#forgotten.size >= MOST_FORGOTTEN) this.#forgotten.clear()
    this.#forgotten.add(keyOfGraph({ namespace, graph }))
  }

  *#all(): Iterable<RememberedGraph & { readonly memory: CompositionMemory }> {
    for (const [namespace, graphs] of this.#namespaces)
      for (const [graph, memory] of graphs) yield { namespace, graph, memory }
  }
}
