/** The trace of one request, as its answers carry it. */
import type { Trace } from '@switchyard/request-trace'
import { presentTrace } from '../present-trace.ts'
import type { RequestRedaction } from '../redaction/redactor.ts'
import type { TraceArguments, TraceParts } from '../trace-arguments.ts'
import { leaveOut } from './leave-out.ts'
import type { RequestRecorder } from './request-recorder.ts'

/** What readers of traces refuse, and `JSON.stringify` may not be able to write. */
const MAX_DEPTH = 500
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

  /** For `extensions` of an answer, with what has happened by now. */
  extensions(): { readonly trace: Trace } {
    const recorded = this.recorder.trace()
    return { trace: this.#unlessTooDeep(recorded) ?? this.#present(withoutData(recorded)) }
  }

  /** null: it nests too deeply. */
  #unlessTooDeep(recorded: Trace): Trace | null {
    try {
      const trace = this.#present(recorded)
      return nestsDeeper(trace, MAX_DEPTH) ? null : trace
    } catch (error) {
      if (error instanceof RangeError) return null
      throw error
    }
  }

  #present(recorded: Trace): Trace {
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

/** Goes no deeper than the limit: recursion is what deep data exhausts. */
function nestsDeeper(value: object, limit: number): boolean {
  if (limit === 0) return true
  for (const inner of Object.values(value))
    if (typeof inner === 'object' && inner !== null && nestsDeeper(inner, limit - 1)) return true
  return false
}
