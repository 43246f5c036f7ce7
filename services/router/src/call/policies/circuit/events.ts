/** The events of circuits: subgraphs are not called for a while because their calls fail. */
import { metrics } from '@opentelemetry/api'
import {
  createCheapCounter,
  declareCounter,
  declareGauge,
  logEvent,
  type Logger,
} from '@switchyard/service-kit'
import { METER } from '../../../observe/meter.ts'
import { Repeated } from '../../../observe/repeated.ts'

/** The events of the circuit of one subgraph. */
export interface SubgraphCircuitEvents {
  /** So many of the last calls failed, and no more are made. */
  opened(calls: number, failures: number): void
  /** Calls are made again as usual. */
  closed(): void
  /** A call, or an attempt to open a connection for subscriptions, was not made. */
  refused(): void
  /** The circuit was not closed when the last composition that called the subgraph was dropped. */
  forgotten(): void
}

export const OPEN_CIRCUITS = declareGauge('switchyard.router.open_circuits', {
  description: 'Subgraphs whose circuit is open or half-open, since calls failed',
  labels: { subgraph: '' },
})

export const CIRCUIT_REFUSALS = declareCounter('switchyard.router.circuit_refusals', {
  description:
    'Fetches that failed at once because the circuit of their subgraph is open, and attempts to open connections for subscriptions that were not made',
  labels: { subgraph: '' },
})

/** The log events of this file. */
export const LOGGED = {
  circuitOpened: logEvent('subgraph.circuit-opened', {
    level: 'warn',
    fields: ['subgraph', 'calls', 'failures', 'count'],
    says: 'So many of the recent calls of a subgraph failed that its [circuit](configuration.md#subgraphs-that-are-not-called-for-a-while) opened: it is not called for a while. At most one line in ten seconds for each subgraph; `count`: how often since the last line.',
    advice: 'Look at the subgraph',
  }),
  circuitClosed: logEvent('subgraph.circuit-closed', {
    level: 'info',
    fields: ['subgraph', 'count'],
    says: 'The circuit of a subgraph closed: the subgraph answers again. As often as `subgraph.circuit-opened`.',
  }),
}

/** Counts and logs the events of circuits. */
export class CircuitEvents {
  readonly #log: Logger
  readonly #open = metrics.getMeter(METER).createUpDownCounter(OPEN_CIRCUITS.name, OPEN_CIRCUITS.options)
  readonly #refusals = createCheapCounter(METER, CIRCUIT_REFUSALS)

  constructor(logger: Logger) {
    this.#log = logger
  }

  of(subgraph: string): SubgraphCircuitEvents {
    const opened = new Repeated()
    const closed = new Repeated()
    return {
      opened: (calls, failures) => {
        this.#open.add(1, { subgraph })
        const count = opened.count()
        if (count === null) return
        LOGGED.circuitOpened.write(
          this.#log,
          { subgraph, calls, failures, count },
          `Subgraph "${subgraph}" is not called for a while: ${failures} of its last ${calls} calls failed`,
        )
      },
      closed: () => {
        this.#open.add(-1, { subgraph })
        const count = closed.count()
        if (count === null) return
        LOGGED.circuitClosed.write(
          this.#log,
          { subgraph, count },
          `Subgraph "${subgraph}" answers, and is called again`,
        )
      },
      refused: () => this.#refusals.of(subgraph).record(1),
      forgotten: () => this.#open.add(-1, { subgraph }),
    }
  }
}
