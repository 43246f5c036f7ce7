/** The events of what fields publish and request. */
import type { EventSource } from '@switchyard/engine'
import { createCheapCounter, declareCounter, logEvent, type Logger } from '@switchyard/service-kit'
import { messageOf } from '@switchyard/values'
import { METER } from '../../observe/meter.ts'
import { Repeated } from '../../observe/repeated.ts'
import type { CallFailure } from './call-failure.ts'

export const BROKER_CALLS = declareCounter('switchyard.router.broker_calls', {
  description:
    'Events that fields of mutations published, and requests that fields of queries sent to brokers',
  labels: { subgraph: '', operation: ['publish', 'request'], outcome: ['ok', 'failed'] },
})

/** The log events of this file. */
export const LOGGED = {
  failed: logEvent('events.call-failed', {
    level: 'warn',
    fields: ['subgraph', 'field', 'code', 'count'],
    rareFields: ['detail'],
    says: 'A field could not publish its event, or got no usable reply from the broker. At most one line in ten seconds for each subgraph; `count`: how many since the last line.',
    advice: '`detail` is the cause. Look at NATS, at the rights of the account, and at who answers requests',
  }),
  defect: logEvent('events.call-defect', {
    level: 'error',
    fields: ['reason'],
    says: 'The router failed while it answered a field that is connected to events.',
    advice: 'Report it',
  }),
}

type CalledField = Pick<EventSource, 'operation' | 'field'>

/** Counts and logs them. */
export class BrokerCallEvents {
  readonly #log: Logger
  readonly #calls = createCheapCounter(METER, BROKER_CALLS)
  readonly #failed = new Map<string, Repeated>()

  constructor(logger: Logger) {
    this.#log = logger
  }

  ok(subgraph: string, { operation }: CalledField): void {
    this.#calls.of(subgraph, kindOf(operation), 'ok').record(1)
  }

  failed(subgraph: string, { operation, field }: CalledField, { code, message, detail }: CallFailure): void {
    this.#calls.of(subgraph, kindOf(operation), 'failed').record(1)
    let known = this.#failed.get(subgraph)
    if (known === undefined) this.#failed.set(subgraph, (known = new Repeated()))
    const count = known.count()
    if (count === null) return
    LOGGED.failed.write(
      this.#log,
      { subgraph, field, code, count, ...(detail !== null && { detail }) },
      message,
    )
  }

  defect(error: unknown): void {
    LOGGED.defect.write(this.#log, { reason: messageOf(error) })
  }
}

function kindOf(operation: EventSource['operation']): 'publish' | 'request' {
  return operation === 'publish' ? 'publish' : 'request'
}
