/** Keeps a subscription: begins it again when its connection is lost, and says so. */
import { setTimeout as sleep } from 'node:timers/promises'
import { SubscriptionLost } from '../run/errors.ts'
import { endedByErrors } from './faults.ts'
import type { EventResult, Subscribe, Subscription } from './subscription.ts'

const FIRST_PAUSE = 500
const LONGEST_PAUSE = 15_000
/** Milliseconds in which the end comes that belongs to errors without data. */
const END_FOLLOWS = 250

/** A turn of a subscription's life, besides its events. */
export type Turn =
  | { readonly kind: 'opened' }
  /** It is begun again after `pause` milliseconds. */
  | { readonly kind: 'lost'; readonly reason: string; readonly pause: number }
  | { readonly kind: 'reopened' }

export type Following = {
  /** Milliseconds for which a lost connection is opened again. 0 for a query or a mutation. */
  readonly window: number
  readonly told: (turn: Turn) => void
}

/**
 * The results of a subscription. They end when the server completes it, and when the signal aborts. Throws
 * SubscriptionFailed, and SubscriptionLost if the first connection fails or the window ends.
 */
export async function* followSubscription(
  subscribe: Subscribe,
  subscription: Omit<Subscription, 'opened'>,
  { window, told }: Following,
): AsyncGenerator<EventResult, undefined> {
  const { signal } = subscription
  let wasOpen = false
  let lostAt: number | null = null
  let pause = FIRST_PAUSE
  const opened = (): void => {
    told({ kind: wasOpen ? 'reopened' : 'opened' })
    wasOpen = true
    lostAt = null
  }
  for (;;) {
    try {
      for await (const result of untilErrors(subscribe, { ...subscription, opened })) {
        pause = FIRST_PAUSE
        yield result
      }
      return undefined
    } catch (error) {
      if (signal.aborted) return undefined
      if (!wasOpen || !(error instanceof SubscriptionLost)) throw error
      lostAt ??= performance.now()
      if (performance.now() - lostAt + pause > window) throw error
      told({ kind: 'lost', reason: error.message, pause })
      await sleep(pause * (0.75 + Math.random() / 2), undefined, { signal }).catch(() => {})
      if (signal.aborted) return undefined
      pause = Math.min(LONGEST_PAUSE, pause * 2)
    }
  }
}

/**
 * Subscribes once. Errors without data that the end follows are the reason of the end, and thrown: servers
 * refuse an operation so on an event stream. If no end follows, they belong to an event.
 */
async function* untilErrors(
  subscribe: Subscribe,
  subscription: Subscription,
): AsyncGenerator<EventResult, undefined> {
  const over = new AbortController()
  const signal = AbortSignal.any([subscription.signal, over.signal])
  const results = subscribe({ ...subscription, signal })
  try {
    let next = results.next()
    for (;;) {
      const { done, value } = await next
      if (done === true) return undefined
      if (isRefusal(value)) {
        next = results.next()
        // It is awaited in the next turn, unless nobody takes this result.
        next.catch(() => {})
        if (await endsSoon(next)) throw endedByErrors(value['errors'])
        yield value
      } else {
        yield value
        next = results.next()
      }
    }
  } finally {
    over.abort()
    // What waits for an event ends by the signal.
    void results.return(undefined).catch(() => {})
  }
}

function isRefusal(result: EventResult): boolean {
  return !('data' in result) && Array.isArray(result['errors'])
}

async function endsSoon(next: Promise<IteratorResult<unknown, undefined>>): Promise<boolean> {
  const following = await Promise.race([next.catch(() => null), sleep(END_FOLLOWS, null, { ref: false })])
  return following?.done === true
}
