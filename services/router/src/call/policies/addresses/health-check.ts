/**
 * Asks one of several addresses of a subgraph now and then whether it works, apart from the calls that
 * requests make. An address that is set aside, so that nobody calls it, is found to work again without a
 * client that waits for it.
 */
import type { CallController, CallHandler, CallPool } from '../../../transport/dispatch/call-pool.ts'
import type { Lease } from '../../../memory/leased-values.ts'
import type { AddressState } from './address-state.ts'

const BODY = '{"query":"{__typename}"}'
/**
 * The part of the interval that is shortened at random, so that routers which started together do not ask
 * together.
 */
const JITTER = 0.2
/** Bytes of an answer to a health check, which usually has about thirty. */
const MOST_BYTES = 16 * 1024
const NOT_READ = new Error('The answer to a health check is read no further.')

/** The times of health checks, in milliseconds. */
export type HealthCheckTimes = { readonly interval: number; readonly timeout: number }

export type HealthCheckOptions = HealthCheckTimes & {
  readonly state: Pick<AddressState, 'began' | 'ended'>
  /** The connections to the address, leased until the check ends. */
  readonly pool: Lease<Pick<CallPool, 'dispatch'>>
  readonly path: string
  /** Makes the headers of one check: names and values alternately. */
  readonly headers: () => string[]
  /** Returns a number from 0 to 1; tests have their own. */
  readonly random?: () => number
}

/** Checks one address again and again until it is disposed. */
export class AddressCheck implements Disposable {
  readonly #options: HealthCheckOptions
  #timer: NodeJS.Timeout | null = null
  #running: Check | null = null
  #isOver = false

  constructor(options: HealthCheckOptions) {
    this.#options = options
    this.#wait()
  }

  #wait(): void {
    if (this.#isOver) return
    const { interval, random = Math.random } = this.#options
    this.#timer = setTimeout(() => this.#ask(), interval * (1 - JITTER * random())).unref()
  }

  #ask(): void {
    const { state, pool, path, headers, timeout } = this.#options
    state.began()
    const check = new Check((isWell) => {
      clearTimeout(limit)
      this.#running = null
      state.ended(this.#isOver ? 'unknown' : isWell ? 'answered' : 'failed')
      this.#wait()
    })
    this.#running = check
    const limit = setTimeout(() => check.end(false), timeout).unref()
    try {
      pool.value.dispatch({ path, method: 'POST', headers: headers(), body: BODY }, check)
    } catch {
      check.end(false)
    }
  }

  [Symbol.dispose](): void {
    this.#isOver = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#running?.end(false)
    this.#options.pool[Symbol.dispose]()
  }
}

/** One health check. An address works if it answers with a status below 500. */
class Check implements CallHandler {
  readonly #ended: (isWell: boolean) => void
  #controller: CallController | null = null
  #status = 0
  #bytes = 0
  #isOver = false

  constructor(ended: (isWell: boolean) => void) {
    this.#ended = ended
  }

  end(isWell: boolean): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#ended(isWell)
    this.#controller?.abort(NOT_READ)
  }

  onRequestStart(controller: CallController): void {
    this.#controller = controller
    if (this.#isOver) controller.abort(NOT_READ)
  }

  onResponseStart(_controller: CallController, status: number): void {
    this.#status = status
  }

  onResponseData(_controller: CallController, chunk: Buffer): void {
    this.#bytes += chunk.length
    if (this.#bytes > MOST_BYTES) this.end(false)
  }

  onResponseEnd(): void {
    if (this.#isOver) return
    this.#controller = null
    this.end(this.#status < 500)
  }

  onResponseError(): void {
    this.#controller = null
    this.end(false)
  }
}
