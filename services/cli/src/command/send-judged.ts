/** Sends a request that was judged on a state of the namespace, and a newly judged one when that changed. */
import type { CommandOutcome } from '@switchyard/contracts'
import { RefusedByRegistry } from '../run/errors.ts'
import type { WriteRequest, WrittenNothing } from './command.ts'

/** The most times that a command is judged, in a namespace that keeps changing. */
const MOST_JUDGED = 4

/** A request that was sent, and its outcome. */
export type SentRequest = { readonly request: WriteRequest; readonly written: CommandOutcome }

/** Rejects with the refusal of the registry when the namespace changed each time. */
export async function sendJudged(
  first: WriteRequest,
  send: (request: WriteRequest) => Promise<CommandOutcome>,
): Promise<SentRequest | WrittenNothing> {
  let request = first
  for (let judged = 1; ; judged += 1) {
    try {
      return { request, written: await send(request) }
    } catch (error) {
      const isOutdated = error instanceof RefusedByRegistry && error.code === 'STATE_CHANGED'
      if (!isOutdated || request.again === undefined || judged === MOST_JUDGED) throw error
      const next = await request.again()
      if ('result' in next) return next
      request = next
    }
  }
}
