import type { ExecuteOptions, Graph } from '@switchyard/engine'
import type { Exchange } from './exchange.ts'

/** A plan about to be executed for a request. */
export type Run = {
  readonly exchange: Exchange
  readonly graph: Graph
  readonly execution: Pick<
    ExecuteOptions,
    'plan' | 'variables' | 'introspection' | 'fetch' | 'recorder' | 'work'
  >
}
