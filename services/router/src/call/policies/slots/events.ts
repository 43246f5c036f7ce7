/** The events of slots: calls of subgraphs have to wait for others. */
import {
  createCheapCounter,
  createCheapHistogram,
  declareCounter,
  declareHistogram,
  HTTP_DURATIONS,
  type Logger,
} from '@switchyard/service-kit'
import { METER } from '../../../observe/meter.ts'
import { Repeated } from '../../../observe/repeated.ts'

/** The events of the calls of one subgraph that have to wait. */
export interface SubgraphSlotEvents {
  /** A call began that had waited for so many milliseconds. */
  waited(milliseconds: number): void
  /** A call is not made because too many wait. */
  refused(): void
}

export const SUBGRAPH_WAITS = declareHistogram('switchyard.router.subgraph_waits', {
  unit: 's',
  description:
    'How long subgraph calls waited because of the limits of concurrent calls and of calls a second',
  boundaries: HTTP_DURATIONS,
  labels: { subgraph: '' },
})

export const SUBGRAPH_CALLS_REFUSED = declareCounter('switchyard.router.subgraph_calls_refused', {
  description: 'Subgraph calls that were dropped because too many waited',
  labels: { subgraph: '' },
})

/** Counts calls that wait, and logs now and then how many were not made. */
export class SlotEvents {
  readonly #log: Logger
  readonly #waits = createCheapHistogram(METER, SUBGRAPH_WAITS)
  readonly #refused = createCheapCounter(METER, SUBGRAPH_CALLS_REFUSED)

  constructor(logger: Logger) {
    this.#log = logger
  }

  of(subgraph: string): SubgraphSlotEvents {
    const refused = new Repeated()
    return {
      waited: (milliseconds) => this.#waits.of(subgraph).record(milliseconds / 1000),
      refused: () => {
        this.#refused.of(subgraph).record(1)
        const count = refused.count()
        if (count === null) return
        this.#log.warn(
          { event: 'subgraph.busy', subgraph, count },
          `Calls to subgraph "${subgraph}" are not made: too many wait (subgraphs.max_calls, max_rate and max_waiting_calls)`,
        )
      },
    }
  }
}
