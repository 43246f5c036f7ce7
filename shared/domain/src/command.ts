/** What may be asked of a namespace. Bodies are checked against their schemas before they become one of these. */
export type Command =
  | { readonly type: 'create-namespace' }
  /** With everything in it. */
  | { readonly type: 'delete-namespace' }
  | {
      readonly type: 'create-federated-graph'
      readonly name: string
      readonly labelMatchers: readonly string[]
      readonly allowUnenforcedAuthorization?: boolean | undefined
    }
  /** What is absent stays. */
  | {
      readonly type: 'update-federated-graph'
      readonly name: string
      /** All of them: replaces those that it has. */
      readonly labelMatchers?: readonly string[] | undefined
      readonly allowUnenforcedAuthorization?: boolean | undefined
    }
  | { readonly type: 'delete-federated-graph'; readonly name: string }
  /** Holds the graph on what a revision served. Whether there is such a revision is not known here. */
  | { readonly type: 'pin-federated-graph'; readonly name: string; readonly revision: number }
  | { readonly type: 'unpin-federated-graph'; readonly name: string }
  | {
      readonly type: 'create-subgraph'
      readonly name: string
      readonly routingUrl: string
      readonly labels: readonly string[]
    }
  | {
      /**
       * Also publishes feature subgraphs. With a routing URL, a missing one is created first: a feature subgraph when
       * `base` is given, else a subgraph with the labels.
       */
      readonly type: 'publish-schema'
      readonly name: string
      /** Hash and size of the SDL. */
      readonly schema: string
      readonly bytes: number
      readonly routingUrl?: string
      readonly labels?: readonly string[]
      readonly base?: string
    }
  /** Also updates feature subgraphs, which have no labels. What is absent stays. */
  | {
      readonly type: 'update-subgraph'
      readonly name: string
      readonly routingUrl?: string
      readonly labels?: readonly string[]
    }
  /** Also deletes feature subgraphs; with a base subgraph go those that replace it. */
  | { readonly type: 'delete-subgraph'; readonly name: string }
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
  /** What is given replaces what it has, what is absent stays. */
  | {
      readonly type: 'update-feature-flag'
      readonly name: string
      readonly labels?: readonly string[]
      readonly featureSubgraphs?: readonly string[]
    }
  | { readonly type: 'delete-feature-flag'; readonly name: string }
  | { readonly type: 'enable-feature-flag'; readonly name: string }
  | { readonly type: 'disable-feature-flag'; readonly name: string }

export type CommandOf<Type extends Command['type']> = Extract<Command, { readonly type: Type }>
