/** Load on GraphQL endpoints, until it is stopped. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Agent, type Dispatcher } from 'undici'
import { type Outcome, send } from './call.ts'
import { DEFAULT_REQUESTS } from './default-requests.ts'
import { Latencies, percentilesOf } from './latencies.ts'
import type { LoadOptions } from './load-options.ts'
import type { Failure, LoadReport } from './load-report.ts'
import { type Pacing, startPacing } from './pace.ts'
import type { PreparedRequest } from './prepared-request.ts'
import { requestsInTurn, sendable } from './requests-in-turn.ts'
import { RouterMetrics } from './router-metrics.ts'
import { Tally } from './tally.ts'

export type Load = AsyncDisposable & {
  /** The findings so far. */
  readonly report: LoadReport
  /** The report, once the time is over or `stop` was called. Never rejects. */
  readonly finished: Promise<LoadReport>
  /** Sends nothing any more, waits for the answers that are missing, and reports. */
  stop(): Promise<LoadReport>
}

const TIMEOUT_MS = 10_000
const MAX_IN_FLIGHT = 2000
/** Milliseconds between two looks at the event loop. */
const RESOLUTION = 10
const NANOSECONDS_IN_MS = 1e6

/** Throws TypeError where there is nothing to ask or nobody to be asked. */
export function startLoad(options: LoadOptions): Load {
  return new RunningLoad(options)
}

class RunningLoad implements Load {
  readonly finished: Promise<LoadReport>
  readonly #options: LoadOptions
  readonly #timeout: number
  readonly #dispatcher: Dispatcher
  readonly #next: () => PreparedRequest
  readonly #tally = new Tally()
  readonly #sendDelays = new Latencies(2)
  readonly #eventLoop = monitorEventLoopDelay({ resolution: RESOLUTION })
  readonly #routers: readonly RouterMetrics[]
  readonly #began = performance.now()
  readonly #cpuBefore = process.cpuUsage()
  readonly #underway = new Set<Promise<unknown>>()
  readonly #pacing: Pacing
  readonly #finish: (report: LoadReport) => void
  #timer: NodeJS.Timeout | undefined
  #sent = 0
  #stoppedAt: number | null = null
  #stopping: Promise<LoadReport> | null = null

  constructor(options: LoadOptions) {
    const { urls, requests = DEFAULT_REQUESTS, metricsUrls = [] } = options
    const asked = typeof requests === 'function' ? requests : sendable(options, requests)
    if (urls.length === 0) throw new TypeError('A load needs a URL.')
    if (asked.length === 0 && typeof asked !== 'function')
      throw new TypeError('A load needs a request, besides those that need a trace token.')
    this.#options = options
    this.#timeout = options.timeout ?? TIMEOUT_MS
    // Its own limits of time are off: `send` has one for the whole of a request.
    this.#dispatcher = new Agent({
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: { timeout: this.#timeout },
      allowH2: false,
    })
    this.#next = requestsInTurn(asked, urls, options)
    this.#routers = metricsUrls.map((url) => new RouterMetrics(url))
    this.#eventLoop.enable()
    const { promise, resolve } = Promise.withResolvers<LoadReport>()
    this.finished = promise
    this.#finish = resolve
    this.#pacing = startPacing(options.pace, options.maxInFlight ?? MAX_IN_FLIGHT, (due) =>
      this.#request(due),
    )
    if (options.duration !== undefined) this.#timer = setTimeout(() => void this.stop(), options.duration)
  }

  get report(): LoadReport {
    const seconds = ((this.#stoppedAt ?? performance.now()) - this.#began) / 1000
    const { user, system } = process.cpuUsage(this.#cpuBefore)
    return {
      urls: this.#options.urls,
      pace: this.#options.pace,
      seconds,
      perSecond: this.#sent / seconds,
      ...this.#tally.report,
      generator: {
        eventLoopDelay: percentilesOf(this.#eventLoop, NANOSECONDS_IN_MS, RESOLUTION),
        sendDelay: this.#sendDelays.percentiles,
        cpuSeconds: (user + system) / 1e6,
      },
      routers: this.#routers.map(({ report }) => report),
    }
  }

  stop(): Promise<LoadReport> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }

  async #stop(): Promise<LoadReport> {
    clearTimeout(this.#timer)
    this.#stoppedAt = performance.now()
    for (const due of this.#pacing.stop()) this.#count(this.#next(), due, NEVER_SENT)
    await Promise.all(this.#underway)
    await Promise.all(this.#routers.map((router) => router.stop()))
    this.#eventLoop.disable()
    const { report } = this
    await this.#dispatcher.destroy()
    this.#finish(report)
    return report
  }

  async #request(due: number): Promise<{ wasRefused: boolean }> {
    const request = this.#next()
    this.#sent++
    this.#sendDelays.add(performance.now() - due)
    const sending = send(this.#dispatcher, request.options, this.#timeout)
    const over = sending.then((outcome) => this.#count(request, due, outcome))
    this.#underway.add(over)
    const failure = await over
    this.#underway.delete(over)
    return { wasRefused: failure?.kind === 'connection' }
  }

  #count(request: PreparedRequest, due: number, outcome: Outcome): Failure | null {
    const after = performance.now() - due
    const failure = failureOf(request, after, outcome)
    const firstPart = request.isStream && outcome.kind === 'received' ? outcome.firstByte - due : null
    this.#tally.add({ request: request.name, after, failure, firstPart })
    if (failure !== null) this.#options.onFailure?.(failure)
    return failure
  }
}

const NEVER_SENT: Outcome = {
  kind: 'failed',
  failure: 'not-sent',
  message: 'it was due, and too many others were waiting for their answers',
  sentAt: null,
}

function failureOf(request: PreparedRequest, after: number, outcome: Outcome): Failure | null {
  const at = new Date().toISOString()
  const facts = { request: request.name, url: request.url, at, after }
  if (outcome.kind === 'failed')
    return { ...facts, kind: outcome.failure, message: outcome.message, sentAt: outcome.sentAt }
  const complaint = request.judge(outcome.received)
  return complaint === null
    ? null
    : { ...facts, ...complaint, sentAt: new Date(outcome.sentAt).toISOString() }
}
