import type { GraphKey } from '@switchyard/config-store'

/**
 * Which graph a router serves. On one machine it need not be named: whoever runs the registry there says
 * which one it is, as soon as there is one. Once chosen it stays.
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
