/** One request on its way: what became of it, exactly once. Nothing is sent a second time. */
import type { Dispatcher } from 'undici'
import type { Received } from './answer.ts'
import type { FailureKind } from './load-report.ts'

export type Outcome =
  | {
      readonly kind: 'received'
      readonly received: Received
      readonly firstByte: number
      readonly sentAt: number
    }
  | {
      readonly kind: 'failed'
      readonly failure: FailureKind
      readonly message: string
      readonly sentAt: string | null
    }

/** Larger ones are of no use for a load, and a few of them would fill the memory. */
const LARGEST_ANSWER = 64 * 1024 * 1024

/** Never rejects. `timeout` in milliseconds. */
export function send(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  timeout: number,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const call = new Call(timeout, resolve)
    try {
      dispatcher.dispatch(options, call)
    } catch (error) {
      call.onResponseError(null, error)
    }
  })
}

class Call implements Dispatcher.DispatchHandler {
  readonly #settle: (outcome: Outcome) => void
  readonly #timer: NodeJS.Timeout
  readonly #chunks: Buffer[] = []
  #controller: Dispatcher.DispatchController | null = null
  #sentAt: number | null = null
  #status = 0
  #headers: Received['headers'] = {}
  #length = 0
  #firstByte = 0
  #isSettled = false

  constructor(timeout: number, settle: (outcome: Outcome) => void) {
    this.#settle = settle
    // After a turn of the event loop in which what has arrived is read: where the load generator stood still,
    // that is not the server's fault.
    this.#timer = setTimeout(() => setImmediate(() => this.#timedOut(timeout)), timeout)
  }

  /** Notes the time, since the request is written to a connection now. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isSettled) controller.abort(GIVEN_UP)
    else this.#sentAt = Date.now()
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Received['headers'],
  ): void {
    this.#status = status
    this.#headers = headers
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#length === 0) this.#firstByte = performance.now()
    this.#length += chunk.length
    if (this.#length <= LARGEST_ANSWER) this.#chunks.push(chunk)
    else this.#fail('wrong-data', `the answer is larger than ${LARGEST_ANSWER} bytes`)
  }

  onResponseEnd(): void {
    const [only] = this.#chunks
    const body = this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks)
    const received = { status: this.#status, headers: this.#headers, body }
    this.#end({ kind: 'received', received, firstByte: this.#firstByte, sentAt: this.#sentAt ?? 0 })
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: unknown): void {
    const reason = messageOf(error)
    if (this.#status === 0) this.#fail('connection', reason)
    else this.#fail('cut-stream', `${reason} after HTTP ${this.#status} and ${this.#length} bytes`)
  }

  #timedOut(timeout: number): void {
    const got = this.#status === 0 ? 'no answer' : `HTTP ${this.#status} and ${this.#length} bytes`
    this.#fail('timeout', `${got} within ${timeout} ms`)
  }

  #fail(failure: FailureKind, message: string): void {
    if (this.#isSettled) return
    const sentAt = this.#sentAt === null ? null : new Date(this.#sentAt).toISOString()
    this.#end({ kind: 'failed', failure, message, sentAt })
    this.#controller?.abort(GIVEN_UP)
  }

  #end(outcome: Outcome): void {
    if (this.#isSettled) return
    this.#isSettled = true
    clearTimeout(this.#timer)
    this.#settle(outcome)
  }
}

const GIVEN_UP = new Error('The load generator gave this request up.')

function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ')
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : ''
  return `${error.message}${error.message.includes(code.slice(2, -1)) ? '' : code}`
}
