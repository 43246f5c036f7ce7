/** Counts what became of requests. Its size does not depend on how many there are. */
import { Latencies } from './latencies.ts'
import {
  type Failure,
  FAILURE_KINDS,
  type FailureKind,
  type LoadReport,
  type RequestReport,
} from './load-report.ts'

/** Kept of each kind of failure. */
const EXAMPLES = 5
/** Requests with a line of their own in the report; what comes after them shares one. */
const NAMED = 100
const OTHERS = '(others)'

type Counted = { requests: number; failed: number; readonly latencies: Latencies }

export type Over = {
  readonly request: string
  /** Milliseconds from when it was due. */
  readonly after: number
  readonly failure: Failure | null
  /** Milliseconds from when it was due to the first byte of its answer. Null if the answer has no parts. */
  readonly firstPart: number | null
}

/**
 * Failures whose requests waited for an answer until the end. Requests with other failures may have ended
 * sooner than an answer would have come.
 */
const WAITED: ReadonlySet<FailureKind> = new Set<FailureKind>(['timeout', 'not-sent'])

export class Tally {
  #requests = 0
  #failed = 0
  readonly #failures = new Map<FailureKind, { count: number; readonly examples: Failure[] }>()
  readonly #latencies = new Latencies()
  readonly #firstParts = new Latencies(2)
  readonly #byRequest = new Map<string, Counted>()

  add({ request, after, failure, firstPart }: Over): void {
    this.#requests++
    const counted = this.#countedOf(request)
    counted.requests++
    if (failure !== null) {
      this.#failed++
      counted.failed++
      this.#keep(failure)
    }
    if (failure !== null && !WAITED.has(failure.kind)) return
    this.#latencies.add(after)
    counted.latencies.add(after)
    if (firstPart !== null) this.#firstParts.add(firstPart)
  }

  get report(): Pick<LoadReport, 'requests' | 'failed' | 'failures' | 'latency' | 'firstPart' | 'byRequest'> {
    const kinds = FAILURE_KINDS.flatMap((kind) => {
      const failures = this.#failures.get(kind)
      return failures === undefined
        ? []
        : [[kind, { count: failures.count, examples: [...failures.examples] }]]
    })
    return {
      requests: this.#requests,
      failed: this.#failed,
      failures: Object.fromEntries(kinds) as LoadReport['failures'],
      latency: this.#latencies.percentiles,
      firstPart: this.#firstParts.percentiles,
      byRequest: [...this.#byRequest].map(
        ([name, { requests, failed, latencies }]): RequestReport => ({
          name,
          requests,
          failed,
          latency: latencies.percentiles,
        }),
      ),
    }
  }

  #keep(failure: Failure): void {
    const known = this.#failures.get(failure.kind) ?? { count: 0, examples: [] }
    known.count++
    if (known.examples.length < EXAMPLES) known.examples.push(failure)
    this.#failures.set(failure.kind, known)
  }

  #countedOf(name: string): Counted {
    const own = this.#byRequest.get(name)
    if (own !== undefined) return own
    if (this.#byRequest.size >= NAMED && name !== OTHERS) return this.#countedOf(OTHERS)
    const counted = { requests: 0, failed: 0, latencies: new Latencies(2) }
    this.#byRequest.set(name, counted)
    return counted
  }
}
