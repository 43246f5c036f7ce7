/** An operation that is put to both gateways. */
export type VerifyOperation = {
  /** The name by which people find it, such as `orders.graphql:12 ListOrders` or `generated 7`. */
  readonly name: string
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
  readonly operationName: string | null
}

/** Asks one subgraph, by the name the graph has for it. Resolves with the JSON body of its answer. */
export type AskSubgraph = (
  subgraph: string,
  question: { readonly query: string; readonly variables: Readonly<Record<string, unknown>> },
) => Promise<unknown>
