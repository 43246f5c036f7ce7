/** Announces the minutes that a router counted. */
import { type GraphName, type RouterUsage, routerUsageSubject } from '@switchyard/contracts'
import type { UsageOfMinute } from './usage-reports.ts'

/** Seconds after a minute in which routers tell it, each at its own. */
const SECONDS = 60

/** The router whose usage is announced. */
export type CountedRouter = {
  readonly announcer: { announce(subject: string, message: object): void }
  /** Signs what is told; null if it is told unsigned. */
  readonly fleetKey: { signer(): (subject: string, message: object) => object } | null
  readonly instance: string
  /** As in heartbeats. */
  readonly boot: string
  /** Null while it is not known. */
  readonly graph: () => GraphName | null
}

/** Makes a function that announces minutes of a router. */
export function announceUsage(router: CountedRouter): (usage: UsageOfMinute) => void {
  const { announcer, fleetKey, instance, boot, graph } = router
  const sign = fleetKey?.signer() ?? null
  return (usage) => {
    const of = graph()
    if (of === null) return
    const message: RouterUsage = {
      instance,
      boot,
      namespace: of.namespace,
      graph: of.graph,
      ...usage,
    }
    const subject = routerUsageSubject(of, instance)
    announcer.announce(subject, sign?.(subject, message) ?? message)
  }
}

/** Chooses the second at which a router tells minutes: not before `earliest`. */
export function usageSecond(random: () => number, earliest = 0): number {
  return earliest + Math.floor(random() * (SECONDS - earliest))
}
