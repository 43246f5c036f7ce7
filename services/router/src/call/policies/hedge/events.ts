/** The events of hedged calls of subgraphs. */
import { createCheapCounter, declareCounter, logEvent, type Logger } from '@switchyard/service-kit'
import { METER } from '../../../observe/meter.ts'
import { Repeated } from '../../../observe/repeated.ts'

/**
 * The result of a hedged attempt: its answer is used (`won`), the first attempt was answered before it
 * (`lost`), it failed while the first one went on or after that had failed (`failed`), or nobody waited for
 * either any more (`given-up`).
 */
export type HedgeOutcome = 'won' | 'lost' | 'failed' | 'given-up'

/**
 * The reason why a hedged attempt is not made. `nowhere`: no other address works, or the circuit is not
 * closed.
 */
export type HedgeRefusal = 'budget' | 'places' | 'nowhere'

/** The events of the hedged calls of one subgraph. */
export interface SubgraphHedgeEvents {
  /** A hedged attempt is made. */
  made(): void
  ended(outcome: HedgeOutcome): void
  /** A hedged attempt was due and is not made. */
  refused(reason: HedgeRefusal): void
}

export const SUBGRAPH_HEDGES = declareCounter('switchyard.router.subgraph_hedges', {
  description: 'Hedged requests to subgraphs, by their result',
  labels: { subgraph: '', outcome: ['won', 'lost', 'failed', 'given-up'] },
})

export const SUBGRAPH_HEDGES_REFUSED = declareCounter('switchyard.router.subgraph_hedges_refused', {
  description: 'Hedged requests that were not sent, by the reason',
  labels: { subgraph: '', reason: ['budget', 'places', 'nowhere'] },
})

/** The log events of this file. */
export const LOGGED = {
  hedged: logEvent('subgraph.hedged', {
    level: 'info',
    fields: ['subgraph', 'count'],
    says: 'The answer to a subgraph call did not begin in time, and a [hedged request](configuration.md#calls-that-are-made-a-second-time) was sent. At most one line in ten seconds for each subgraph; `count`: hedged requests since the last line.',
  }),
  hedgesSpent: logEvent('subgraph.hedges-spent', {
    level: 'warn',
    fields: ['subgraph', 'count'],
    says: 'So many calls of a subgraph are slow that the hedge budget, or the retry budget, is used up. As often as `subgraph.hedged`.',
    advice: 'The subgraph is slow, or `subgraphs.hedge.after` is shorter than most of its calls',
  }),
}

/** Counts hedged attempts, and logs now and then how many there were. */
export class HedgeEvents {
  readonly #log: Logger
  readonly #hedges = createCheapCounter(METER, SUBGRAPH_HEDGES)
  readonly #refused = createCheapCounter(METER, SUBGRAPH_HEDGES_REFUSED)

  constructor(logger: Logger) {
    this.#log = logger
  }

  of(subgraph: string): SubgraphHedgeEvents {
    const made = new Repeated()
    const spent = new Repeated()
    return {
      made: () => {
        const count = made.count()
        if (count === null) return
        LOGGED.hedged.write(
          this.#log,
          { subgraph, count },
          `A call to subgraph "${subgraph}" takes long and is made a second time`,
        )
      },
      ended: (outcome) => this.#hedges.of(subgraph, outcome).record(1),
      refused: (reason) => {
        this.#refused.of(subgraph, reason).record(1)
        const count = reason === 'budget' ? spent.count() : null
        if (count === null) return
        LOGGED.hedgesSpent.write(
          this.#log,
          { subgraph, count },
          `Calls to subgraph "${subgraph}" take long and are not made a second time: too many were (subgraphs.hedge.budget)`,
        )
      },
    }
  }
}
