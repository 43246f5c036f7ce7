/**
 * What a client gets of a recorded trace, as JSON: what is left out by its arguments, with predictable timings where it asked
 * for them, redacted, and not too large.
 *
 * The order matters. Secrets are learned of everything that was recorded, since what a part that is left out calls a
 * password may be in another part under another name. Large data is taken out before texts are searched, so that an answer
 * of 200 MB is not. The rest is cut after that: a document tells what its variables are.
 */
import type { Trace } from '@switchyard/request-trace'
import { limitData, limitTrace } from './limit-trace.ts'
import { withPredictableTimings } from './predictable-timings.ts'
import type { RequestRedaction } from './redaction/redactor.ts'
import { writeTrace } from './write-trace.ts'

export type PresentationOptions = {
  readonly redaction: RequestRedaction
  /** Bytes of JSON. */
  readonly maxSize: number
  readonly predictableTimings: boolean
  /** Without what the arguments of the request exclude. */
  readonly leaveOut: (trace: Trace) => Trace
}

export function presentTrace(recorded: Trace, options: PresentationOptions): string {
  const { redaction, maxSize, predictableTimings, leaveOut } = options
  redaction.learn(recorded)
  const wanted = leaveOut(recorded)
  const timed = predictableTimings ? withPredictableTimings(wanted) : wanted
  const shown = redaction.hide(limitData(timed, maxSize))
  const text = writeTrace(shown)
  return fits(text, maxSize) ? text : writeTrace(limitTrace(shown, maxSize))
}

/** No character takes more than three bytes; counting them exactly is not for nothing. */
function fits(text: string, maxSize: number): boolean {
  return text.length * 3 <= maxSize || Buffer.byteLength(text) <= maxSize
}
