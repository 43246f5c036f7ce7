/** Addresses of subgraphs with several of them, of which some are not called for a while. */
import { metrics } from '@opentelemetry/api'
import type { Logger } from '@switchyard/service-kit'
import { METER } from '../../observe/meter.ts'
import { Repeated } from '../../observe/repeated.ts'

/** What becomes of one address of a subgraph. */
export interface AddressEvents {
  /** A call failed, so others are preferred for so many milliseconds. `failures`: in a row. */
  setAside(milliseconds: number, failures: number): void
  /** It answered again. */
  back(): void
  /** It was set aside, and is not called any more. */
  forgotten(): void
}

/** Counts and logs what becomes of addresses. */
export class SubgraphAddressEvents {
  readonly #log: Logger
  readonly #setAside

  constructor(logger: Logger) {
    this.#log = logger
    this.#setAside = metrics.getMeter(METER).createUpDownCounter('switchyard.router.addresses_set_aside', {
      description: 'Addresses of subgraphs that are only called where no other is left, since calls failed',
    })
  }

  /** `url` is logged, and no label: settings may name any number of them in the life of a router. */
  of(subgraph: string, url: string): AddressEvents {
    const setAside = new Repeated()
    const back = new Repeated()
    return {
      setAside: (milliseconds, failures) => {
        if (failures === 1) this.#setAside.add(1, { subgraph })
        const count = setAside.count()
        if (count === null) return
        this.#log.warn(
          { event: 'subgraph.address-set-aside', subgraph, url, milliseconds, failures, count },
          `Subgraph "${subgraph}" is called at other addresses than ${url} for ${milliseconds} ms: a call failed`,
        )
      },
      back: () => {
        this.#setAside.add(-1, { subgraph })
        const count = back.count()
        if (count === null) return
        this.#log.info(
          { event: 'subgraph.address-back', subgraph, url, count },
          `Subgraph "${subgraph}" answers at ${url} again`,
        )
      },
      forgotten: () => this.#setAside.add(-1, { subgraph }),
    }
  }
}
