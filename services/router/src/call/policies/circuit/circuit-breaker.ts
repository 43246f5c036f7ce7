/**
 * Decides whether a subgraph is called at all. While its circuit is *closed*, it is. If too many of its last
 * calls fail, the circuit is *opened*, and fetches fail at once, which spares them the wait and the subgraph
 * the load. After a while the circuit is *half-open*: a few calls are made as probes. The circuit is closed
 * when all of them are answered, and opened again when the first one fails.
 */
import type { CircuitBreakerConfig } from './settings.ts'
import type { SubgraphCircuitEvents } from './events.ts'
import { RollingRate } from './rolling-rate.ts'

/** The result of a call. `unknown`: it was given up, or says nothing about the subgraph. */
export type CallResult = 'answered' | 'failed' | 'unknown'

/** The permission to make a call: the period of the circuit breaker in which the call began. */
export type CircuitPeriod = number

/** The breaker of one subgraph at one origin. */
export class CircuitBreaker implements Disposable {
  readonly #config: CircuitBreakerConfig
  readonly #events: SubgraphCircuitEvents
  readonly #now: () => number
  readonly #rate: RollingRate
  #state: 'closed' | 'open' | 'half-open' = 'closed'
  /** Grows with each change of the state. Calls that began before the last change are not counted. */
  #period: CircuitPeriod = 0
  #reopensAt = 0
  #probesBegun = 0
  #probesAnswered = 0

  /** `now` returns the milliseconds of a clock that never goes back. */
  constructor(
    config: CircuitBreakerConfig,
    events: SubgraphCircuitEvents,
    now: () => number = () => performance.now(),
  ) {
    this.#config = config
    this.#events = events
    this.#now = now
    this.#rate = new RollingRate(config.window)
  }

  /** True if no call may be made at the moment. */
  get isRefusing(): boolean {
    if (this.#state === 'open') return this.#now() < this.#reopensAt
    return this.#state === 'half-open' && this.#probesBegun >= this.#config.probes
  }

  /** True if calls are made as usual, without probes. */
  get isClosed(): boolean {
    return this.#state === 'closed'
  }

  /**
   * Asks for a call. Returns null if it must not be made; otherwise `ended` has to be called with the
   * period.
   */
  begin(): CircuitPeriod | null {
    if (this.#state === 'closed') return this.#period
    if (this.#state === 'open' && this.#now() >= this.#reopensAt) this.#change('half-open')
    if (this.#state === 'open' || this.#probesBegun >= this.#config.probes) {
      this.#events.refused()
      return null
    }
    this.#probesBegun++
    return this.#period
  }

  ended(period: CircuitPeriod, result: CallResult): void {
    if (period !== this.#period) return
    if (this.#state === 'closed') this.#count(result)
    else this.#probed(result)
  }

  /** Called when the subgraph is not called any more. */
  [Symbol.dispose](): void {
    if (this.#state !== 'closed') this.#events.forgotten()
  }

  #count(result: CallResult): void {
    if (result === 'unknown') return
    const now = this.#now()
    this.#rate.add(result === 'failed', now)
    if (result !== 'failed') return
    const { calls, failures } = this.#rate.within(now)
    const { minCalls, failureRate } = this.#config
    if (calls < minCalls || failures < calls * failureRate) return
    this.#events.opened(calls, failures)
    this.#open()
  }

  #probed(result: CallResult): void {
    if (result === 'failed') return this.#open()
    if (result === 'unknown') this.#probesBegun--
    else if (++this.#probesAnswered === this.#config.probes) {
      this.#rate.clear()
      this.#events.closed()
      this.#change('closed')
    }
  }

  #open(): void {
    this.#reopensAt = this.#now() + this.#config.openFor
    this.#change('open')
  }

  #change(state: 'closed' | 'open' | 'half-open'): void {
    this.#state = state
    this.#period++
    this.#probesBegun = 0
    this.#probesAnswered = 0
  }
}
