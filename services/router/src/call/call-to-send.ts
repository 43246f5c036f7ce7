/** The properties of a call that is to be made. */
import type { Plan } from '@switchyard/engine'
import type { Propagation } from '@switchyard/service-kit'
import type { BodySource } from '../http/body-source.ts'
import type { ClientLookup } from '../fairness/client.ts'
import type { EndedCall } from '../observe/request-observer.ts'
import type { ActiveSpan } from '../observe/spans.ts'
import type { SharingKey } from '../concerns/sharing/in-flight-table.ts'
import type { Attempts } from './attempts.ts'
import type { CallInFlight } from './in-flight/call-in-flight.ts'
import type { CallRecorder } from './in-flight/call-recorder.ts'
import type { Deadlines } from './in-flight/deadlines.ts'
import type { Endpoint } from './endpoints.ts'
import type { FormOfCall } from './files-to-send.ts'
import type { CallSlot } from './policies/slots/call-slots.ts'

/** The request that is sent for a fetch, if it joins no call. */
export type Outgoing = {
  /** Names and values alternately, without the trace context. */
  readonly headers: string[]
  /** The index of the first header that tells this fetch from others with the same body. */
  readonly from: number
  readonly body: string | BodySource
  /** Null if the fetch shares its call with no other fetch. */
  readonly key: SharingKey | null
  /** The form that `body` is. Absent if the call has no files. */
  readonly form?: FormOfCall
}

/** A call that is to be made. */
export type CallToSend = {
  readonly call: CallInFlight
  /** The endpoint of the first attempt. */
  readonly endpoint: Endpoint
  /** Null if the calls of the subgraph are not limited. */
  readonly slot: CallSlot | null
  /** Null if nobody wants to know the results of attempts. */
  readonly attempts: Attempts | null
  readonly outgoing: Outgoing
  /** The number of the fetch in the plan. */
  readonly fetch: EndedCall['fetch']
  readonly span: ActiveSpan
  readonly options: SendingOptions
  readonly request: SendingRequest
}

/** The parts of the router that send calls. */
export type SendingOptions = { readonly deadlines: Deadlines; readonly propagation: Propagation }
/** The request that calls are sent for. */
export type SendingRequest = {
  readonly plan: Plan
  /** Null if the request is not traced. */
  readonly recorder: CallRecorder | null
  /** The client that the calls count for where clients take turns. */
  readonly lookUpClient: ClientLookup
}
