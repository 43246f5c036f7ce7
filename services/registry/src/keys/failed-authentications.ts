/**
 * Limits how many wrong API keys may be offered: some at once and then a few a minute, per client address and
 * for all addresses together.
 *
 * A wrong key costs a read of the event log and a log line, and nobody with good intentions offers many. Only
 * answers to wrong keys are limited. Valid keys are never counted and always work, also from the same
 * address, so a client behind the same proxy or NAT as an attacker is not locked out.
 *
 * Each limit is one number, the time at which all counted failures will be forgiven (GCRA). A failure moves
 * it one interval ahead, and a failure is over the limit while it is more than `burst` intervals ahead.
 */
import { clientGroupOf } from '@switchyard/service-kit'

export type FailureLimit = {
  /** Failures in a row that are still answered normally. */
  readonly burst: number
  /** Milliseconds after which one more failure is allowed. */
  readonly everyMs: number
}

export type FailedAuthenticationsOptions = {
  /** Milliseconds, monotonic. */
  readonly monotonicNow: () => number
  readonly perAddress?: FailureLimit
  readonly altogether?: FailureLimit
  /** Addresses remembered at the same time; the one that failed longest ago is forgotten first. */
  readonly addresses?: number
}

const PER_ADDRESS: FailureLimit = { burst: 20, everyMs: 3000 }
const ALTOGETHER: FailureLimit = { burst: 500, everyMs: 20 }
const ADDRESSES = 10_000

export class FailedAuthentications {
  readonly #now: () => number
  readonly #perAddress: FailureLimit
  readonly #altogether: FailureLimit
  readonly #capacity: number
  /**
   * The time at which the failures of each address will be forgiven. The last address to fail is at the end.
   */
  readonly #paidOffAt = new Map<string, number>()
  #allPaidOffAt = 0

  constructor(options: FailedAuthenticationsOptions) {
    this.#now = options.monotonicNow
    this.#perAddress = options.perAddress ?? PER_ADDRESS
    this.#altogether = options.altogether ?? ALTOGETHER
    this.#capacity = options.addresses ?? ADDRESSES
  }

  get size(): number {
    return this.#paidOffAt.size
  }

  /** Milliseconds until this address may fail again; 0 while it may. */
  waitFor(address: string): number {
    const now = this.#now()
    const own = waitUntilBelow(this.#paidOffAt.get(clientGroupOf(address)) ?? 0, this.#perAddress, now)
    return Math.max(own, waitUntilBelow(this.#allPaidOffAt, this.#altogether, now))
  }

  /**
   * Counts a failure before it is known to be one, or else a thousand simultaneous attempts would all pass.
   * Not to be called while `waitFor` says to wait: an attempt that is refused unseen does not count.
   */
  failed(address: string): void {
    const now = this.#now()
    const group = clientGroupOf(address)
    const before = this.#paidOffAt.get(group) ?? 0
    this.#paidOffAt.delete(group)
    this.#paidOffAt.set(group, Math.max(before, now) + this.#perAddress.everyMs)
    this.#allPaidOffAt = Math.max(this.#allPaidOffAt, now) + this.#altogether.everyMs
    for (const [oldest, paidOffAt] of this.#paidOffAt) {
      if (paidOffAt > now && this.#paidOffAt.size <= this.#capacity) return
      this.#paidOffAt.delete(oldest)
    }
  }

  /** Takes back what `failed` counted: the key turned out to be good. */
  succeeded(address: string): void {
    const group = clientGroupOf(address)
    const paidOffAt = this.#paidOffAt.get(group)
    if (paidOffAt !== undefined) this.#paidOffAt.set(group, paidOffAt - this.#perAddress.everyMs)
    this.#allPaidOffAt -= this.#altogether.everyMs
  }
}

function waitUntilBelow(paidOffAt: number, { burst, everyMs }: FailureLimit, now: number): number {
  return Math.max(0, paidOffAt - now - (burst - 1) * everyMs)
}
