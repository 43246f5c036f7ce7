/**
 * The words that a command line may begin with, in the order of the overview of all commands.
 *
 * They are plain data. The overview, a suggestion for a misspelt word and the shell's completion need them,
 * and must not load the commands themselves, which takes longer than most commands.
 */
export type Noun = {
  readonly alias?: string
  readonly description: string
  /** Known, but not shown. */
  readonly hidden?: true
  /** The heading under which the overview of all commands lists the noun. */
  readonly heading: string
}

/** All nouns by name. The order is that of the overview. */
export const NOUNS = {
  namespace: {
    description: 'keep graphs of different teams or stages apart',
    heading: 'Graphs:',
  },
  'federated-graph': {
    alias: 'graph',
    description: 'graphs composed from the subgraphs whose labels match',
    heading: 'Graphs:',
  },
  subgraph: {
    description: 'the services that a federated graph is composed from',
    heading: 'Graphs:',
  },
  documents: {
    description: 'manifests of the documents that clients name by an identifier',
    heading: 'Graphs:',
  },
  usage: {
    description: 'who uses a graph: operations, clients and fields, and what nobody uses',
    heading: 'Graphs:',
  },
  apply: {
    description: 'bring graphs, subgraphs and feature flags into the state that a file describes, at once',
    heading: 'Graphs:',
  },
  config: {
    description: 'the revisions of a graph that routers were given',
    heading: 'Graphs:',
  },
  'feature-subgraph': {
    alias: 'fs',
    description: 'replacements of subgraphs, used through feature flags',
    heading: 'Feature flags:',
  },
  'feature-flag': {
    alias: 'ff',
    description: 'named alternatives of a graph, in which feature subgraphs replace subgraphs',
    heading: 'Feature flags:',
  },
  rollout: {
    description: 'who gets the graph of a feature flag without naming it, and how many of them',
    heading: 'Feature flags:',
  },
  preview: {
    description: 'changes of subgraphs to be looked at before they are published, which end by themselves',
    heading: 'Feature flags:',
  },
  'check-plans': {
    description:
      'plan every known operation on a feature flag and on base: more requests, fewer, or no answer',
    heading: 'Feature flags:',
  },
  up: {
    description: 'start everything on this machine: registry, composer, config distribution and a router',
    heading: 'Routers:',
  },
  studio: {
    description: 'print a link that signs a browser in to Studio, the page of the registry',
    heading: 'Routers:',
  },
  router: {
    description: 'compose for, start and look at routers',
    heading: 'Routers:',
  },
  plan: {
    description: 'print how the router would answer an operation: its fetches, why, and what each waits for',
    heading: 'Routers:',
  },
  subscribe: {
    description: 'subscribe at a router or another GraphQL server, and print each event as it comes',
    heading: 'Routers:',
  },
  defer: {
    description: 'look at how deferred answers arrive',
    heading: 'Routers:',
  },
  trace: {
    description: 'look at what a router did for one request',
    heading: 'Routers:',
  },
  audit: {
    description: 'show who changed what, when and why, and which revisions came of it',
    heading: 'Registry:',
  },
  'api-key': {
    description: 'decide who may use the registry',
    heading: 'Registry:',
  },
  registry: {
    description:
      'back the registry up, move it to another installation, rotate its trace keys, list services',
    heading: 'Registry:',
  },
  completion: {
    description: 'print what makes a shell complete commands, options and names',
    heading: 'This program:',
  },
  __complete: {
    description: 'print what may come next; the scripts of "completion" call it',
    hidden: true,
    heading: 'This program:',
  },
  help: {
    description: 'show how a command is used',
    heading: 'This program:',
  },
} as const satisfies Readonly<Record<string, Noun>>

/** A word that a command line may begin with. */
export type NounName = keyof typeof NOUNS
