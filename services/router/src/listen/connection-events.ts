import type { RefusalEvents } from '../observe/refusal-events.ts'
import type { ListenerEvents } from './listener-events.ts'

/** Receivers of what happens on connections of clients. */
export type ConnectionEvents = {
  readonly listener: ListenerEvents
  readonly refusals: RefusalEvents
}
