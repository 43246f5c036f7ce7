/** The events of addresses: some of a subgraph's addresses are not called for a while. */
import { metrics } from '@opentelemetry/api'
import { declareGauge, logEvent, type Logger } from '@switchyard/service-kit'
import { METER } from '../../../observe/meter.ts'
import { Repeated } from '../../../observe/repeated.ts'

/** The events of one address of a subgraph. */
export interface AddressEvents {
  /**
   * A call failed, so other addresses are preferred for so many milliseconds. `failures` counts them in a
   * row.
   */
  setAside(milliseconds: number, failures: number): void
  /** The address answered again. */
  back(): void
  /** The address was set aside when the last composition that called it was dropped. */
  forgotten(): void
}

export const ADDRESSES_SET_ASIDE = declareGauge('switchyard.router.addresses_set_aside', {
  description: 'Addresses of subgraphs that are only called where no other is left, since calls failed',
  labels: { subgraph: '' },
})

/** The log events of this file. */
export const LOGGED = {
  addressSetAside: logEvent('subgraph.address-set-aside', {
    level: 'warn',
    fields: ['subgraph', 'url', 'milliseconds', 'failures', 'count'],
    says: 'A call of one of several [addresses of a subgraph](configuration.md#several-addresses-of-a-subgraph) failed, and the others are preferred for `milliseconds`. `failures`: failures in a row. At most one line in ten seconds for each address; `count`: how often since the last line.',
    advice: 'Look at that instance of the subgraph',
  }),
  addressBack: logEvent('subgraph.address-back', {
    level: 'info',
    fields: ['subgraph', 'url', 'count'],
    says: 'An address of a subgraph answers again. As often as `subgraph.address-set-aside`.',
  }),
}

/** Counts and logs the events of addresses. */
export class SubgraphAddressEvents {
  readonly #log: Logger
  readonly #setAside = metrics
    .getMeter(METER)
    .createUpDownCounter(ADDRESSES_SET_ASIDE.name, ADDRESSES_SET_ASIDE.options)

  constructor(logger: Logger) {
    this.#log = logger
  }

  /**
   * Returns the events of one address. `url` is logged but is no label of the metric, because settings may
   * name any number of URLs while a router runs.
   */
  of(subgraph: string, url: string): AddressEvents {
    const setAside = new Repeated()
    const back = new Repeated()
    return {
      setAside: (milliseconds, failures) => {
        if (failures === 1) this.#setAside.add(1, { subgraph })
        const count = setAside.count()
        if (count === null) return
        LOGGED.addressSetAside.write(
          this.#log,
          { subgraph, url, milliseconds, failures, count },
          `Subgraph "${subgraph}" is called at other addresses than ${url} for ${milliseconds} ms: a call failed`,
        )
      },
      back: () => {
        this.#setAside.add(-1, { subgraph })
        const count = back.count()
        if (count === null) return
        LOGGED.addressBack.write(
          this.#log,
          { subgraph, url, count },
          `Subgraph "${subgraph}" answers at ${url} again`,
        )
      },
      forgotten: () => this.#setAside.add(-1, { subgraph }),
    }
  }
}
