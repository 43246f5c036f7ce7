/** The events of retries: calls of subgraphs fail and are retried. */
import { createCheapCounter, declareCounter, logEvent, type Logger } from '@switchyard/service-kit'
import { METER } from '../../../observe/meter.ts'
import { Repeated } from '../../../observe/repeated.ts'

/** The reason for a retry: its connection, an answer that did not begin, or the status of one that did. */
export type RetryReason = 'connection' | 'timeout' | 'status'

/** The events of the calls of one subgraph. `detail` says what was received, for operators only. */
export interface SubgraphRetryEvents {
  retried(reason: RetryReason, detail: string): void
  /** A call would have been retried, but too many were. */
  budgetSpent(reason: RetryReason, detail: string): void
}

export const SUBGRAPH_RETRIES = declareCounter('switchyard.router.subgraph_retries', {
  description: 'Subgraph calls that failed and were retried, by what had failed',
  labels: { subgraph: '', reason: ['connection', 'timeout', 'status'] },
})

export const SUBGRAPH_RETRIES_REFUSED = declareCounter('switchyard.router.subgraph_retries_refused', {
  description: 'Failed subgraph calls that were not retried, since the retry budget was used up',
  labels: { subgraph: '' },
})

/** The log events of this file. */
export const LOGGED = {
  retried: logEvent('subgraph.retried', {
    level: 'warn',
    fields: ['subgraph', 'reason', 'detail', 'count'],
    says: 'A subgraph call failed, by its `connection` or by the `status` of its answer, and is [retried](configuration.md#calls-that-are-made-again). At most one line in ten seconds for each subgraph; `count`: retries since the last line.',
    advice: 'Look at the subgraph',
  }),
  retriesSpent: logEvent('subgraph.retries-spent', {
    level: 'warn',
    fields: ['subgraph', 'reason', 'detail', 'count'],
    says: 'So many calls of a subgraph fail that the retry budget is used up; further calls fail without a retry. As often as `subgraph.retried`.',
    advice: 'The subgraph fails: look at it instead of raising `subgraphs.retry.budget`',
  }),
}

/** Counts retries, and logs now and then how many there were. */
export class RetryEvents {
  readonly #log: Logger
  readonly #retries = createCheapCounter(METER, SUBGRAPH_RETRIES)
  readonly #refused = createCheapCounter(METER, SUBGRAPH_RETRIES_REFUSED)

  constructor(logger: Logger) {
    this.#log = logger
  }

  of(subgraph: string): SubgraphRetryEvents {
    const retried = new Repeated()
    const spent = new Repeated()
    return {
      retried: (reason, detail) => {
        this.#retries.of(subgraph, reason).record(1)
        const count = retried.count()
        if (count === null) return
        LOGGED.retried.write(
          this.#log,
          { subgraph, reason, detail, count },
          `A call to subgraph "${subgraph}" failed and is made again`,
        )
      },
      budgetSpent: (reason, detail) => {
        this.#refused.of(subgraph).record(1)
        const count = spent.count()
        if (count === null) return
        LOGGED.retriesSpent.write(
          this.#log,
          { subgraph, reason, detail, count },
          `Calls to subgraph "${subgraph}" fail and are not made again: too many were (subgraphs.retry.budget)`,
        )
      },
    }
  }
}
