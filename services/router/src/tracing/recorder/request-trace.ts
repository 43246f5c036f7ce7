/** The trace of one request, as its answers carry it. */
import type { Trace } from '@switchyard/request-trace'
import { presentTrace } from '../present-trace.ts'
import { MAX_DEPTH, type RequestRedaction } from '../redaction/redactor.ts'
import type { TraceArguments, TraceParts } from '../trace-arguments.ts'
import { leaveOut } from './leave-out.ts'
import type { RequestRecorder } from './request-recorder.ts'

const TOO_DEEP = `The data of this request nests more than ${MAX_DEPTH} levels deep: requests, answers and variables were left out.`

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

export class RequestTrace implements Disposable {
  readonly recorder: RequestRecorder
  readonly #arguments: TraceArguments
  /** One for all parts of an answer. */
  readonly #redaction: RequestRedaction
  readonly #maxSize: number

  constructor(
    recorder: RequestRecorder,
    options: {
      readonly arguments: TraceArguments
      readonly redaction: RequestRedaction
      readonly maxSize: number
    },
  ) {
    this.recorder = recorder
    this.#arguments = options.arguments
    this.#redaction = options.redaction
    this.#maxSize = options.maxSize
  }

  /** JSON for `extensions` of an answer, with what has happened by now. */
  extensions(): string {
    const recorded = this.recorder.trace()
    return `{"trace":${this.#unlessTooDeep(recorded) ?? this.#present(withoutData(recorded))}}`
  }

  /** null: it nests too deeply. */
  #unlessTooDeep(recorded: Trace): string | null {
    try {
      return this.#present(recorded)
    } catch (error) {
      if (error instanceof RangeError) return null
      throw error
    }
  }

  #present(recorded: Trace): string {
    return presentTrace(recorded, {
      redaction: this.#redaction,
      maxSize: this.#maxSize,
      predictableTimings: this.#arguments.predictableTimings,
      leaveOut: (trace) => leaveOut(trace, this.#arguments),
    })
  }

  [Symbol.dispose](): void {
    this.recorder[Symbol.dispose]()
  }
}

function withoutData(trace: Trace): Trace {
  const { request, warnings = [] } = trace
  return {
    ...leaveOut(trace, WITHOUT_DATA),
    request: { ...request, body: { ...request.body, variables: null } },
    warnings: [...warnings, TOO_DEEP],
  }
}
