/**
 * Makes the JSON that a client gets of a recorded trace: without the parts that its arguments leave out, with
 * predictable timings if it asked for them, redacted, and not too large.
 *
 * The order matters. Secrets are learned from the whole recorded trace, since a value that is called a
 * password in a part that is left out may appear under another name in another part. Data that is too large
 * is taken out before texts are searched, so that an answer of 200 MB is not searched. None of this is needed
 * for a trace that a glance can decide about.
 */
import { leavesOf, writeTrace } from './cleaning/trace-leaves.ts'
import type { Sliced } from './cleaning/meter.ts'
import { limitTrace } from './limit-trace.ts'
import { type Glance, presentAtAGlance } from './cleaning/present-at-a-glance.ts'
import { withPredictableTimings } from './predictable-timings.ts'
import { type JsonMaking, RecordedJson } from './cleaning/recorded-json.ts'
import type { RecordedTrace } from './cleaning/recorded-trace.ts'
import type { Redaction } from './cleaning/redact-trace.ts'

export type PresentationOptions = {
  /** Read only if a glance cannot decide. */
  readonly redaction: Redaction
  /**
   * The rules of a glance. Null if a glance must not decide, since data that was too large to be searched may
   * hold any secret.
   */
  readonly glance: Glance | null
  readonly making: JsonMaking
  /** Bytes of JSON. */
  readonly maxSize: number
  readonly predictableTimings: boolean
  /** Name of the header of request ids, in lower case. */
  readonly requestIdHeader: string
  /** Removes the parts that the arguments of the request exclude. */
  readonly leaveOut: (trace: RecordedTrace) => RecordedTrace
}

export function* presentTrace(recorded: RecordedTrace, options: PresentationOptions): Sliced<string> {
  const { glance, making, maxSize, predictableTimings, requestIdHeader, leaveOut } = options
  const wanted = leaveOut(recorded)
  const timed = predictableTimings ? withPredictableTimings(wanted, requestIdHeader) : wanted
  const usual = glance === null ? null : presentAtAGlance(recorded, timed, glance)
  if (usual !== null && fits(usual, maxSize)) return usual
  yield* options.redaction.learn(recorded)
  const isLarge = (yield* measured(timed, making)) > maxSize
  const shown = yield* options.redaction.hide(isLarge ? limitTrace(timed, maxSize) : timed)
  const text = writeTrace(shown)
  return fits(text, maxSize) ? text : writeTrace(limitTrace(shown, maxSize))
}

/** Measures the bytes of the trace's data and of the client's texts, approximately. */
function* measured(trace: RecordedTrace, making: JsonMaking): Sliced<number> {
  let size = trace.request.body.operationName?.length ?? 0
  for (const { kind, value } of leavesOf(trace)) {
    if (kind === 'document') size += value.length
    if (!(value instanceof RecordedJson)) continue
    yield* value.measure(making)
    size += value.size
  }
  return size
}

/** No character takes more than three bytes; counting them exactly is not for nothing. */
function fits(text: string, maxSize: number): boolean {
  return text.length * 3 <= maxSize || Buffer.byteLength(text) <= maxSize
}
