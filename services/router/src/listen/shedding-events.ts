/** The event loop is late, and requests are refused for it. */
import { createCheapCounter, declareCounter, type Logger } from '@switchyard/service-kit'
import { METER } from '../observe/meter.ts'

export const SHEDDINGS = declareCounter('switchyard.router.sheddings', {
  description: 'Times that overload protection began to refuse requests, since the event loop was late',
})

/** Counts and logs the times in which requests are refused. */
export class SheddingEvents {
  readonly #log: Logger
  readonly #begun = createCheapCounter(METER, SHEDDINGS)

  constructor(logger: Logger) {
    this.#log = logger
  }

  shedding(delay: number): void {
    this.#begun.of().record(1)
    this.#log.warn(
      { event: 'overload.began', delay: Math.round(delay) },
      'The event loop is later than traffic.max_event_loop_delay allows: a part of the requests is refused until it is not',
    )
  }

  over(refused: number): void {
    this.#log.info(
      { event: 'overload.over', refused },
      'The event loop keeps up again: all requests are taken',
    )
  }
}
