/** A subscription at a broker, as those see it that need one. */
import type { EventFilter } from '../../../brokers/fields/filter.ts'
import type { EventField } from '../../../brokers/fields/event-fields.ts'
import type { EventSource } from '@switchyard/engine'
import { digest } from '../sharing/shared-sources.ts'

/** One subscription. */
export type BrokerRequest = {
  /** The subgraph of events, as messages name it. */
  readonly subgraph: string
  readonly field: EventField
  /** Subjects with their arguments filled in. */
  readonly subjects: readonly string[]
  /** Says which messages are events; null for all. */
  readonly filter: EventFilter | null
  /** Whether numbers that a double cannot hold are read as `ExactNumber`. */
  readonly exactNumbers: boolean
  /** The document of the fetch, which says what is selected. */
  readonly document: string
}

/** Returns a short text that is equal for requests that hear the same messages. */
export function feedKeyOf(request: BrokerRequest): string {
  return digest(heardBy(request))
}

/** Returns a short text that is equal for requests that get the same events. */
export function sourceKeyOf(request: BrokerRequest): string {
  return digest([...heardBy(request), request.filter, request.document])
}

function heardBy({ subgraph, field: { source }, subjects, exactNumbers }: BrokerRequest): readonly unknown[] {
  const { system, provider, stream } = source satisfies EventSource
  return [subgraph, system, provider, subjects, stream, exactNumbers]
}
