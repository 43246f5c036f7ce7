/** What may be asked of a namespace. Bodies are checked against their schemas before they become one of these. */
export type Command =
  | { readonly type: 'create-namespace' }
  | {
      readonly type: 'create-federated-graph'
      readonly name: string
      readonly labelMatchers: readonly string[]
    }
  | {
      readonly type: 'create-subgraph'
      readonly name: string
      readonly routingUrl: string
      readonly labels: readonly string[]
    }
  | {
      /** Also publishes feature subgraphs. With a routing URL, a missing subgraph is created first, with the labels. */
      readonly type: 'publish-schema'
      readonly name: string
      /** Hash and size of the SDL. */
      readonly schema: string
      readonly bytes: number
      readonly routingUrl?: string
      readonly labels?: readonly string[]
    }
  | {
      readonly type: 'create-feature-subgraph'
      readonly name: string
      readonly routingUrl: string
      /** The subgraph that it replaces. */
      readonly base: string
    }
  | {
      readonly type: 'create-feature-flag'
      readonly name: string
      readonly labels: readonly string[]
      readonly featureSubgraphs: readonly string[]
      readonly enabled: boolean
    }
  | { readonly type: 'enable-feature-flag'; readonly name: string }
  | { readonly type: 'disable-feature-flag'; readonly name: string }

export type CommandOf<Type extends Command['type']> = Extract<Command, { readonly type: Type }>
