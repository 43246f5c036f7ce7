/**
 * Counts requests inside the percentage that were answered by what was executed for another one.
 *
 * They are in no group: requests that share one execution hang together, and guards would take them for many.
 * The emergency stop asks how many clients got an error, and each of these got its own.
 */
import { CLUSTERS } from '@switchyard/guards/counting'

/** Requests and errors by the cluster of the key. */
export type JoinedTotals = { readonly requests: readonly number[]; readonly errors: readonly number[] }

/** The totals of nothing. */
export const NONE_JOINED: JoinedTotals = {
  requests: Array.from({ length: CLUSTERS }, () => 0),
  errors: Array.from({ length: CLUSTERS }, () => 0),
}

/** The totals of one rollout since its step began. */
export class JoinedCounts {
  readonly #requests = new Float64Array(CLUSTERS)
  readonly #errors = new Float64Array(CLUSTERS)

  count(cluster: number, isError: boolean): void {
    this.#requests[cluster] = (this.#requests[cluster] ?? 0) + 1
    if (isError) this.#errors[cluster] = (this.#errors[cluster] ?? 0) + 1
  }

  totals(): JoinedTotals {
    return { requests: [...this.#requests], errors: [...this.#errors] }
  }
}

/** Adds up what several workers counted. */
export function addJoined(all: readonly JoinedTotals[]): JoinedTotals {
  const sum = (of: (one: JoinedTotals) => readonly number[]) =>
    NONE_JOINED.requests.map((_, at) => all.reduce((total, one) => total + (of(one)[at] ?? 0), 0))
  return { requests: sum(({ requests }) => requests), errors: sum(({ errors }) => errors) }
}
