/** The trace of one request, as its answers carry it. */
import { inSlices, type Turns } from '@switchyard/engine'
import { Meter, type Sliced, TraceTooLargeError } from '../cleaning/meter.ts'
import { Secrets } from '../cleaning/secrets.ts'
import { JsonValues } from '../cleaning/json-values.ts'
import type { Glance } from '../cleaning/present-at-a-glance.ts'
import { presentTrace } from '../present-trace.ts'
import type { RecordedTrace } from '../cleaning/recorded-trace.ts'
import { Redaction } from '../cleaning/redact-trace.ts'
import type { RedactionRules } from '../cleaning/redaction-rules.ts'
import { SlicedResult } from '../cleaning/sliced.ts'
import type { TraceArguments, TraceParts } from '../trace-arguments.ts'
import { leaveOut } from './leave-out.ts'
import type { RequestRecorder } from './request-recorder.ts'

/** Characters that are gone through for one trace: a few tenths of a second. */
const MAX_CHARACTERS = 32 << 20
const TOO_LARGE =
  'More was sent and received for this request than is searched for secrets: requests, answers, variables and all texts were left out.'

const WITHOUT_DATA: TraceParts = {
  rawInputData: false,
  input: false,
  output: false,
  loadStats: true,
  plannerStats: true,
  parseStats: true,
  normalizeStats: true,
  validateStats: true,
}

export type RequestTraceOptions = {
  readonly arguments: TraceArguments
  readonly redaction: RedactionRules
  readonly maxSize: number
  /** Name of the header of request ids, in lower case. */
  readonly requestIdHeader: string
  /** Turns of the event loop for traces that take long to be made. */
  readonly turns: Turns
}

export class RequestTrace implements Disposable {
  readonly recorder: RequestRecorder
  readonly #options: RequestTraceOptions
  readonly #meter = new Meter(MAX_CHARACTERS)
  readonly #making = { values: new JsonValues(this.#meter), meter: this.#meter }
  /** One for all parts of an answer. */
  #redaction: Redaction | null = null
  readonly #glance: Glance
  #tooLarge = false
  #work: SlicedResult<string> | null = null
  #disposed = false

  constructor(recorder: RequestRecorder, options: RequestTraceOptions) {
    this.recorder = recorder
    this.#options = options
    this.#glance = { rules: options.redaction, secrets: new Secrets(this.#meter) }
  }

  /**
   * Makes the JSON for `extensions` of an answer, from the events so far. Returns a promise if it takes long.
   * Null if nobody waits for the JSON any more.
   */
  extensions(): string | null | Promise<string | null> {
    const work = new SlicedResult(this.#meter, this.#made(this.recorder.trace()))
    this.#work = work
    const slices = inSlices(work, this.#options.turns)
    return slices === undefined ? work.result : slices.then(() => (this.#disposed ? null : work.result))
  }

  *#made(recorded: RecordedTrace): Sliced<string> {
    try {
      if (!this.#tooLarge) return `{"trace":${yield* this.#present(recorded)}}`
    } catch (error) {
      if (!(error instanceof TraceTooLargeError)) throw error
    }
    this.#tooLarge = true
    // What could not be searched may hold any secret.
    this.#redactionOfAll().giveUp(TOO_LARGE)
    this.#meter.renew(MAX_CHARACTERS)
    return `{"trace":${yield* this.#present(withoutData(recorded))}}`
  }

  #present(recorded: RecordedTrace): Sliced<string> {
    const redaction = () => this.#redactionOfAll()
    return presentTrace(recorded, {
      get redaction() {
        return redaction()
      },
      glance: this.#tooLarge ? null : this.#glance,
      making: this.#making,
      maxSize: this.#options.maxSize,
      requestIdHeader: this.#options.requestIdHeader,
      predictableTimings: this.#options.arguments.predictableTimings,
      leaveOut: (trace) => leaveOut(trace, this.#options.arguments),
    })
  }

  /** Makes the redaction for the first part of the answer that a glance cannot decide about. */
  #redactionOfAll(): Redaction {
    return (this.#redaction ??= new Redaction(this.#options.redaction, this.#making))
  }

  [Symbol.dispose](): void {
    this.#disposed = true
    this.#work?.stop()
    this.recorder[Symbol.dispose]()
  }
}

function withoutData(trace: RecordedTrace): RecordedTrace {
  const { request } = trace
  return {
    ...leaveOut(trace, WITHOUT_DATA),
    request: { ...request, body: { ...request.body, variables: null } },
  }
}
