/**
 * The state that a router tells the page about itself, as JSON at `playground/state.json`. Both sides agree
 * on it here.
 */
export type PlaygroundState = {
  /** Path of the GraphQL endpoint, such as `/api/graphql`. */
  readonly graphqlPath: string
  /** The reason why no graph is served at this moment. Null while one is served. */
  readonly waitingFor: string | null
  /** Names of the feature flags that the router serves at this moment, sorted. */
  readonly flags: readonly string[]
  /** The header by which a request names one of them, and by which the answer names the one that answered. */
  readonly flagHeader: string
  /** The way to ask for traces of single requests. Null if this router gives none. */
  readonly tracing: {
    readonly header: string
    readonly tokenHeader: string
    /** The header that says for which other user the composition is to be chosen. */
    readonly standInHeader: string
    /** Whether a trace is given only to those who show a token. */
    readonly needsToken: boolean
  } | null
}
