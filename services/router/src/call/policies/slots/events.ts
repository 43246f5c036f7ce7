/** The events of slots: calls of subgraphs have to wait for others. */
import {
  createCheapCounter,
  createCheapHistogram,
  declareCounter,
  declareHistogram,
  HTTP_DURATIONS,
  logEvent,
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

/** The log events of this file. */
export const LOGGED = {
  busy: logEvent('subgraph.busy', {
    level: 'warn',
    fields: ['subgraph', 'count'],
    says: 'Calls were dropped, because too many wait for [a slot](configuration.md#subgraphs-that-can-do-only-so-much). At most one line in ten seconds; `count`: dropped calls since the last line.',
    advice: 'Find out whether the subgraph is slow, and which clients send so many requests',
  }),
}

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
        LOGGED.busy.write(
          this.#log,
          { subgraph, count },
          `Calls to subgraph "${subgraph}" are not made: too many wait (subgraphs.max_calls, max_rate and max_waiting_calls)`,
        )
      },
    }
  }
}
