/** Counts and logs the look-ups of documents that routers share. */
import { createCheapCounter, declareCounter, logEvent, type Logger } from '@switchyard/service-kit'
import { METER } from '../../observe/meter.ts'

export const SHARED_DOCUMENTS = declareCounter('switchyard.router.shared_documents', {
  description:
    'Documents that were looked up in, or written to, the Redis that routers share, by the outcome',
  labels: { outcome: ['found', 'missing', 'wrong', 'failed', 'written', 'left'] },
})

/** The log events of this file. */
export const LOGGED = {
  sharedWrong: logEvent('documents.shared-wrong', {
    level: 'error',
    fields: ['document'],
    says: 'The Redis of `documents.apq` holds something else than a document under its hash: it is not used. At most one line in a minute.',
    advice: 'Find out who else writes there, and whether only routers use `documents.apq.redis.prefix`',
  }),
  sharedAway: logEvent('documents.shared-away', {
    level: 'error',
    fields: ['reason'],
    says: 'The Redis of `documents.apq` does not answer: each process knows only the documents that it was sent',
    advice: 'Check whether Redis runs, and `documents.apq.timeout`',
  }),
  sharedBack: logEvent('documents.shared-back', {
    level: 'info',
    says: 'The Redis of `documents.apq` answers again',
  }),
}

export class SharedDocumentEvents {
  readonly #log: Logger
  readonly #looks = createCheapCounter(METER, SHARED_DOCUMENTS)
  readonly #frequent = { until: 0 }

  constructor(logger: Logger) {
    this.#log = logger
  }

  found(): void {
    this.#looks.of('found').record(1)
  }

  missing(): void {
    this.#looks.of('missing').record(1)
  }

  written(): void {
    this.#looks.of('written').record(1)
  }

  /**
   * Counts a document that was not written, because it is too large, because too much was written, or because
   * Redis is away.
   */
  left(): void {
    this.#looks.of('left').record(1)
  }

  failed(): void {
    this.#looks.of('failed').record(1)
  }

  /** Counts and logs an entry that is not the document of its key. */
  wrong(key: string): void {
    this.#looks.of('wrong').record(1)
    const now = performance.now()
    if (now < this.#frequent.until) return
    this.#frequent.until = now + BETWEEN_LINES
    LOGGED.sharedWrong.write(
      this.#log,
      { document: key },
      'The Redis of documents.apq holds something else than a document under its hash: it is not used',
    )
  }

  away(reason: string): void {
    LOGGED.sharedAway.write(this.#log, { reason })
  }

  back(): void {
    LOGGED.sharedBack.write(this.#log, {})
  }
}

/** Milliseconds. */
const BETWEEN_LINES = 60_000
