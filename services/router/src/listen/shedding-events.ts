/** The event loop is late, and requests are refused for it. */
import { createCheapCounter, declareCounter, logEvent, type Logger } from '@switchyard/service-kit'
import { METER } from '../observe/meter.ts'

export const SHEDDINGS = declareCounter('switchyard.router.sheddings', {
  description: 'Times that overload protection began to refuse requests, since the event loop was late',
})

/** The log events of this file. */
export const LOGGED = {
  began: logEvent('overload.began', {
    level: 'warn',
    fields: ['delay'],
    says: 'Overload protection: the delay of the event loop, `delay` milliseconds on average, is longer than `traffic.max_event_loop_delay`, and a part of the requests gets 503 `OVERLOADED`.',
    advice:
      'Add routers or workers, or find out what takes long: the metrics `nodejs_eventloop_delay_p99` and `switchyard.router.phase_duration`',
  }),
  over: logEvent('overload.over', {
    level: 'info',
    fields: ['refused'],
    says: 'The event loop keeps up again: all requests are taken. `refused`: how many were refused.',
  }),
}

/** Counts and logs the times in which requests are refused. */
export class SheddingEvents {
  readonly #log: Logger
  readonly #begun = createCheapCounter(METER, SHEDDINGS)

  constructor(logger: Logger) {
    this.#log = logger
  }

  shedding(delay: number): void {
    this.#begun.of().record(1)
    LOGGED.began.write(
      this.#log,
      { delay: Math.round(delay) },
      'The event loop is later than traffic.max_event_loop_delay allows: a part of the requests is refused until it is not',
    )
  }

  over(refused: number): void {
    LOGGED.over.write(this.#log, { refused }, 'The event loop keeps up again: all requests are taken')
  }
}
