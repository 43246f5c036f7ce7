/**
 * Passes interim answers (status 1xx; RFC 9110, section 15.2) over. Undici tells its handlers of each, as if
 * it were the answer, and takes any number of them: a subgraph that sends nothing else would keep the router
 * reading as fast as it can until the time limit of the call.
 */
import type { ReceivedHeaders, CallController } from '../dispatch/call-pool.ts'
import { ForwardingHandler } from '../dispatch/forwarding-handler.ts'
import { MalformedAnswerError } from '../http1/connection-errors.ts'
import { MAX_INTERIM_ANSWERS } from '../http1/limits.ts'

/** Hands on the final answer only. */
export class FinalAnswerHandler extends ForwardingHandler {
  #interim = 0

  override onResponseStart(controller: CallController, status: number, headers: ReceivedHeaders): void {
    if (status >= 200) super.onResponseStart(controller, status, headers)
    else if (++this.#interim > MAX_INTERIM_ANSWERS)
      controller.abort(
        new MalformedAnswerError(`comes after more than ${MAX_INTERIM_ANSWERS} interim answers`),
      )
  }
}
