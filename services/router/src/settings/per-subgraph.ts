/** Values for every subgraph, and for those that have values of their own. */
export type PerSubgraph<Value> = {
  readonly all: Value
  readonly bySubgraph: ReadonlyMap<string, Value>
}

/** Returns the value for the subgraph with this name. */
export function subgraphConfigOf<Value>({ all, bySubgraph }: PerSubgraph<Value>, name: string): Value {
  return bySubgraph.get(name) ?? all
}
