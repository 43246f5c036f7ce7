import type { Announcer } from '../log/event-log.ts'
import { checkAnnouncementPattern, checkAnnouncementSubject, matchesPattern } from '../log/subjects.ts'

export type AnnouncerOptions = {
  /** Called for handlers that throw and messages that are not JSON. */
  readonly onError?: (error: unknown, subject: string) => void
}

type Subscription = {
  readonly pattern: string
  readonly handler: (message: unknown, subject: string) => void
}

/**
 * Notices inside one process. Delivery is asynchronous and by copy, as over a network, so nobody comes to
 * depend on running inside the announcer's call or on sharing an object with it.
 */
export function createMemoryAnnouncer({ onError = () => {} }: AnnouncerOptions = {}): Announcer {
  const subscriptions = new Set<Subscription>()

  const deliver = (subscription: Subscription, subject: string, text: string): void => {
    if (!subscriptions.has(subscription)) return
    try {
      subscription.handler(JSON.parse(text), subject)
    } catch (error) {
      onError(error, subject)
    }
  }

  return {
    announce(subject, message) {
      checkAnnouncementSubject(subject)
      const text = JSON.stringify(message ?? null)
      for (const subscription of subscriptions) {
        if (matchesPattern(subscription.pattern, subject)) {
          setImmediate(deliver, subscription, subject, text)
        }
      }
    },
    subscribe(pattern, handler) {
      checkAnnouncementPattern(pattern)
      const subscription: Subscription = { pattern, handler }
      subscriptions.add(subscription)
      return {
        [Symbol.dispose]() {
          subscriptions.delete(subscription)
        },
      }
    },
    async [Symbol.asyncDispose]() {
      subscriptions.clear()
    },
  }
}
