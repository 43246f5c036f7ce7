/** The limits for calls of one subgraph that a process makes. */
export type SlotsConfig = {
  /** Calls at a time. Null if only the connections limit them. */
  readonly maxCalls: number | null
  /** Further calls that may wait. */
  readonly maxWaiting: number
  /** Calls that may be begun in a second. Null if any number may. */
  readonly maxRate: number | null
}
