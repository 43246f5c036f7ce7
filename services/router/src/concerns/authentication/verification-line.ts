/**
 * Verifies tokens in a line. A signature takes a tenth of a millisecond of a thread, which anybody can ask
 * for with a token that looks right. So a few tokens are verified at a time, and clients take turns, so that
 * nobody waits for more than the tokens of their own and one of every other client.
 */
import type { Client } from '../../fairness/client.ts'
import { FairLine } from '../../fairness/fair-line.ts'
import type { HttpError } from '../../errors/http-error.ts'
import { tooManyTokens } from './refusals.ts'

/** Verifications at a time. The others of libuv's four threads are left for files and look-ups of names. */
const AT_ONCE = 2
const MAX_WAITING = 1000

/** The verification of one token, for all requests that sent it. */
export type Verification<Result> = {
  readonly promise: Promise<Result>
  readonly begin: () => void
  readonly refuse: (error: HttpError) => void
}

/** Begins verifications one after the other. */
export class VerificationLine<Result> {
  readonly #line = new FairLine<Verification<Result>>()
  #running = 0

  /**
   * Begins a verification at once or in its turn. Resolves to the result of `verify`. If too many wait, a
   * verification of the client that has most in the line is rejected with HttpError.
   */
  begin(client: Client, verify: () => Promise<Result>): Verification<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const verification: Verification<Result> = {
      promise,
      refuse: reject,
      begin: () => {
        this.#running++
        const done = (): void => {
          this.#running--
          this.#next()
        }
        verify().then(resolve, reject).finally(done)
      },
    }
    if (this.#running < AT_ONCE) verification.begin()
    else this.#wait(client, verification)
    return verification
  }

  /** Lets one more client wait for a verification. */
  join(client: Client, verification: Verification<Result>): void {
    if (this.#line.has(verification)) this.#line.add(client, verification)
  }

  #wait(client: Client, verification: Verification<Result>): void {
    this.#line.add(client, verification)
    if (this.#line.size <= MAX_WAITING) return
    const { item } = this.#line.takeFromLargest() ?? {}
    if (item === undefined || this.#line.has(item)) return
    item.refuse(tooManyTokens())
  }

  #next(): void {
    const turn = this.#line.take()
    if (turn === null) return
    this.#line.withdraw(turn.item)
    turn.item.begin()
  }
}
