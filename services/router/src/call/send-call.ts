/** Sends the call of a fetch, at once or when it gets a slot. */
import { NO_PARENT } from '@switchyard/service-kit'
import type { CallSlot } from './policies/slots/call-slots.ts'
import type { CallToSend } from './call-to-send.ts'
import { dispatchCall } from './policies.ts'
import { SubgraphBusyError } from './subgraph-call.ts'

/** Sends a call when it gets a slot. An error is then reported to the fetches that wait for the call. */
export function sendFrom(slot: CallSlot, sent: CallToSend): void {
  const failed = (error: Error): void => sent.call.onResponseError(null, error)
  const { recorder } = sent.request
  let waits = true
  const begin = (): void => {
    waits = false
    recorder?.waitsNoLonger(sent.fetch)
    try {
      sendCall(sent)
    } catch (error) {
      failed(error instanceof Error ? error : new Error(String(error)))
    }
  }
  slot.enter(begin, () => {
    waits = false
    failed(new SubgraphBusyError())
  })
  if (waits) recorder?.waitsForSlot(sent.fetch)
}

/**
 * Sends a call. Throws what the pool throws, and does not report that error to the fetches that wait for the
 * call.
 */
export function sendCall(sent: CallToSend): void {
  const { call, endpoint, outgoing, span, options } = sent
  // What clients send along with the trace is not for the subgraphs of previews.
  const parent = endpoint.isOfPreview ? NO_PARENT : span.parent
  options.propagation.inject(span.context, parent, outgoing.headers)
  try {
    dispatchCall(sent)
  } catch (error) {
    call.abandon()
    throw error
  }
}
