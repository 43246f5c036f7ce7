/**
 * Completes an event once for all subscriptions whose results must be equal: same composition, same request,
 * same headers for subgraphs, same token. The first one that takes an event completes it, and the others get
 * its result.
 */
import type { FanOut } from '../turns/fan-out.ts'
import type { WaitingEvent } from './event-queue.ts'
import type { CompletedEvent, CompleteEvent, Completing } from './subscription.ts'

/** Results of a group that are kept for members that take the event later. */
const MOST_KEPT = 8
/** Characters of a result that is kept. */
const LONGEST_KEPT = 16 * 1024
/** Members up to which a result is handed on in one turn of the event loop. */
const FEW = 16

type Take = (completed: CompletedEvent | null) => void

/**
 * Makes what completes an event. `isGone` returns true if nobody waits for the result any more;
 * `subscriptions` is the number of those that the event is completed for.
 */
export type OwnCompletion = (isGone: () => boolean, subscriptions: number) => CompleteEvent

/** A subscription as a member of its group. */
export type CompletionMember = Disposable & {
  /** Gets the result of an event, which is completed by `own` unless another member does or did. */
  complete(event: WaitingEvent, own: OwnCompletion, take: Take, isGone: () => boolean): Completing
}

/** The completion of one event for several subscriptions. */
class SharedCompletion {
  readonly body: unknown
  /** The number of members that have the result. */
  taken = 0
  readonly #waiting = new Set<Take>()
  readonly #group: CompletionGroup
  #execution: Completing | null = null
  /** Undefined while the event is being completed. */
  #result: CompletedEvent | null | undefined

  constructor(body: unknown, group: CompletionGroup) {
    this.body = body
    this.#group = group
  }

  begin(event: WaitingEvent, own: OwnCompletion): void {
    const isGone = (): boolean => this.#waiting.size === 0
    const execution = own(isGone, this.#group.members)(event, (result) => this.#finish(result))
    if (this.#result === undefined) this.#execution = execution
  }

  /** May call `take` at once. */
  join(take: Take): Completing {
    if (this.#result === undefined) {
      this.#waiting.add(take)
      return { abort: () => this.#leave(take) }
    }
    this.#give(take, this.#result)
    return NOTHING
  }

  #leave(take: Take): void {
    if (!this.#waiting.delete(take) || this.#waiting.size > 0 || this.#result !== undefined) return
    this.#group.forget(this)
    this.#execution?.abort()
  }

  #finish(result: CompletedEvent | null): void {
    this.#result = result
    this.#execution = null
    this.#group.finished(this, result)
    const left = this.#waiting.values()
    if (this.#waiting.size > FEW) this.#group.fanOut.add(() => this.#giveNext(left, result))
    else while (this.#giveNext(left, result));
  }

  /** Gives the result to the next member that waits. Returns whether there may be more. */
  #giveNext(left: Iterator<Take>, result: CompletedEvent | null): boolean {
    const { value: take, done } = left.next()
    if (done === true) {
      this.#waiting.clear()
      return false
    }
    try {
      this.#give(take, result)
    } catch (error) {
      this.#group.onDefect(error)
    }
    return true
  }

  #give(take: Take, result: CompletedEvent | null): void {
    this.taken++
    if (this.taken >= this.#group.members) this.#group.forget(this)
    take(result)
  }
}

const NOTHING: Completing = { abort: () => {} }

/** Subscriptions whose results are equal. */
class CompletionGroup {
  readonly fanOut: FanOut
  readonly onDefect: (error: unknown) => void
  readonly #onEmpty: () => void
  #members = 0
  readonly #inProgress = new Map<unknown, SharedCompletion>()
  /** Completions by their events, the oldest first. */
  readonly #kept = new Map<unknown, SharedCompletion>()

  constructor(fanOut: FanOut, onDefect: (error: unknown) => void, onEmpty: () => void) {
    this.fanOut = fanOut
    this.onDefect = onDefect
    this.#onEmpty = onEmpty
  }

  get members(): number {
    return this.#members
  }

  joined(): void {
    this.#members++
  }

  left(): void {
    if (--this.#members === 0) this.#onEmpty()
  }

  complete(event: WaitingEvent, own: OwnCompletion, take: Take): Completing {
    const { body } = event
    const known = this.#inProgress.get(body) ?? this.#kept.get(body)
    if (known !== undefined) return known.join(take)
    const completion = new SharedCompletion(body, this)
    this.#inProgress.set(body, completion)
    const joined = completion.join(take)
    completion.begin(event, own)
    return joined
  }

  finished(completion: SharedCompletion, result: CompletedEvent | null): void {
    this.#inProgress.delete(completion.body)
    const isShort =
      result !== null && typeof result.printed === 'string' && result.printed.length <= LONGEST_KEPT
    if (!isShort) return
    this.#kept.set(completion.body, completion)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > MOST_KEPT) this.#kept.delete(oldest)
  }

  forget({ body }: SharedCompletion): void {
    this.#inProgress.delete(body)
    this.#kept.delete(body)
  }
}

class Member implements CompletionMember {
  readonly #group: CompletionGroup

  constructor(group: CompletionGroup) {
    this.#group = group
    group.joined()
  }

  complete(event: WaitingEvent, own: OwnCompletion, take: Take, isGone: () => boolean): Completing {
    // What one client has missed concerns nobody else.
    if (event.missed !== 0 || this.#group.members === 1) return own(isGone, 1)(event, take)
    return this.#group.complete(event, own, take)
  }

  [Symbol.dispose](): void {
    this.#group.left()
  }
}

/** The groups of equal subscriptions. */
export class SharedCompletions {
  readonly #fanOut: FanOut
  readonly #onDefect: (error: unknown) => void
  readonly #groups = new WeakMap<object, Map<string, CompletionGroup>>()

  constructor(fanOut: FanOut, onDefect: (error: unknown) => void) {
    this.#fanOut = fanOut
    this.#onDefect = onDefect
  }

  /**
   * Lets a subscription share with those of the same composition and the same key. `key` has to be short:
   * long texts take long to find.
   */
  join(generation: object, key: string): CompletionMember {
    let groups = this.#groups.get(generation)
    if (groups === undefined) this.#groups.set(generation, (groups = new Map<string, CompletionGroup>()))
    const known = groups.get(key)
    const group = known ?? new CompletionGroup(this.#fanOut, this.#onDefect, () => void groups.delete(key))
    if (known === undefined) groups.set(key, group)
    return new Member(group)
  }
}

/** The member of no group, whose events are completed for itself. */
export const ALONE: CompletionMember = {
  complete: (event, own, take, isGone) => own(isGone, 1)(event, take),
  [Symbol.dispose]: () => {},
}
