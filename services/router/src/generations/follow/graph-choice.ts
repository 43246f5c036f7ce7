import type { GraphKey } from '@switchyard/config-store'

/**
 * Which graph a router serves. `switchyard up` needs no name: its registry tells the router the only graph,
 * as soon as there is one. A choice is never changed.
 */
export interface GraphChoice {
  /** The graph, or why there is none to serve yet. */
  current(): GraphKey | { readonly waitingFor: string }
  onChange(listener: () => void): Disposable
}

/** A choice that never changes. */
export function fixedGraph(graph: GraphKey): GraphChoice {
  return { current: () => graph, onChange: () => ({ [Symbol.dispose]() {} }) }
}
