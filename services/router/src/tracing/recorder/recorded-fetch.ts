/** What one traced request had to do with one fetch of its plan. */
import type { FetchKind } from '@switchyard/engine'
import type { TraceInput, TraceLoad } from '@switchyard/request-trace'
import type { WatchedCall } from '../../subgraph/load/watched-call.ts'
import { RecordedJson } from '../recorded-json.ts'
import type { ReceivedAnswer } from './received-answer.ts'

type Failure = { readonly code: string; readonly message: string }

export type RecordedCall = {
  readonly request: Omit<TraceInput, 'body'>
  readonly answer: ReceivedAnswer
  /** null: it could not be made. */
  watched: WatchedCall | null
}

export class RecordedFetch {
  /** null: nothing was asked. */
  readonly #body: RecordedJson | null
  readonly #from: ReadonlyMap<string, readonly unknown[]>
  #rawInputData: RecordedJson | null = null
  call: RecordedCall | null = null
  failure: Failure | null = null

  constructor(body: string | null, from: ReadonlyMap<string, readonly unknown[]>) {
    this.#body = body === null ? null : RecordedJson.ofText(body)
    this.#from = from
  }

  /** `start`: of the request, by the clock of the watch. */
  trace(kind: FetchKind, start: number): TraceLoad {
    const { call, failure } = this
    const output = call?.answer.output() ?? null
    return {
      ...(this.#body !== null && {
        raw_input_data: (this.#rawInputData ??= RecordedJson.ofValue(this.#rawInput(kind))),
      }),
      ...(call !== null && { input: { ...call.request, body: this.#body } }),
      ...(output !== null && { output }),
      ...(failure !== null && { error: { code: failure.code, message: failure.message } }),
      ...call?.watched?.times(start),
      ...NOT_LOADED,
      load_skipped: this.#body === null && failure === null,
    }
  }

  #rawInput(kind: FetchKind): unknown {
    const [objects = []] = this.#from.values()
    switch (kind) {
      // The root has no data of its own.
      case 'Single':
        return {}
      case 'Entity':
        return objects[0] ?? {}
      case 'BatchEntity':
        return objects
      case 'MultiEntity':
        return Object.fromEntries(this.#from)
      default:
        return kind satisfies never
    }
  }
}

/** Of a fetch that was not begun. No call is shared: each fetch of each request makes its own. */
export const NOT_LOADED: TraceLoad = {
  single_flight_used: false,
  single_flight_shared_response: false,
  load_skipped: false,
}
