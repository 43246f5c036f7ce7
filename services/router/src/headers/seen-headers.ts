/** Headers of clients that some subgraph sees. */
export interface SeenHeaders {
  /** The headers that are seen by name, as Node.js keys headers; each once. */
  readonly keys: readonly string[]
  /** The patterns by which further headers are recognized. */
  readonly patterns: { readonly length: number }
  /** Returns whether a pattern recognizes the name, which is in lower case. */
  isMatched(name: string): boolean
}
