/**
 * Requests and errors of each graph by the second, from the totals that its routers tell in heartbeats. A
 * rate is that between two heartbeats of one process, so that it does not depend on when somebody asks.
 */
import type { GraphName, RouterHeartbeat } from '@switchyard/contracts'
import { Heard } from '@switchyard/service-kit'

/** Milliseconds between two totals of a rate: heartbeats may also follow each other at once. */
const LEAST_BETWEEN_MS = 2000

export type GraphRate = GraphName & {
  /** Living routers that are not about to stop. */
  readonly routers: number
  readonly requestsPerSecond: number
  readonly errorsPerSecond: number
}

export type RouterRates = Pick<GraphRate, 'requestsPerSecond' | 'errorsPerSecond'>

type Totals = { readonly at: number; readonly requests: number; readonly errors: number }
type RouterRate = GraphName & {
  readonly boot: string
  readonly isLeaving: boolean
  /** The totals that the next rate counts from. */
  readonly from: Totals
  /** Whether there were two totals to tell a rate. */
  readonly isKnown: boolean
  readonly requestsPerSecond: number
  readonly errorsPerSecond: number
}

export class GraphRates {
  readonly #monotonicNow: () => number
  readonly #routers: Heard<RouterRate>

  constructor(monotonicNow: () => number) {
    this.#monotonicNow = monotonicNow
    this.#routers = new Heard({ monotonicNow })
  }

  hear(subject: string, { namespace, graph, boot, state, load }: RouterHeartbeat): void {
    const totals = { at: this.#monotonicNow(), requests: load?.requests ?? 0, errors: load?.errors ?? 0 }
    const heard = this.#routers.get(subject)
    const before = heard?.boot === boot ? heard : null
    const common = { namespace, graph, boot, isLeaving: state === 'draining' }
    this.#routers.hear(subject, { ...common, ...rateOf(before, totals) })
  }

  forget(subject: string): void {
    this.#routers.forget(subject)
  }

  /** Returns the rates of one router. Null until two heartbeats of its process told totals. */
  of(subject: string): RouterRates | null {
    const rate = this.#routers.get(subject)
    if (rate === undefined || !rate.isKnown) return null
    return {
      requestsPerSecond: rounded(rate.requestsPerSecond),
      errorsPerSecond: rounded(rate.errorsPerSecond),
    }
  }

  /** The graphs that have routers. */
  list(): readonly GraphRate[] {
    const graphs = new Map<string, GraphRate>()
    for (const { value } of this.#routers.list()) {
      const { namespace, graph, isLeaving, requestsPerSecond, errorsPerSecond } = value
      const key = `${namespace}\n${graph}`
      const sum = graphs.get(key)
      graphs.set(key, {
        namespace,
        graph,
        routers: (sum?.routers ?? 0) + (isLeaving ? 0 : 1),
        requestsPerSecond: (sum?.requestsPerSecond ?? 0) + requestsPerSecond,
        errorsPerSecond: (sum?.errorsPerSecond ?? 0) + errorsPerSecond,
      })
    }
    return [...graphs.values()]
  }
}

/** `before` is null for a process that is heard for the first time: nobody knows since when it counts. */
function rateOf(before: RouterRate | null, totals: Totals) {
  if (before === null) return { from: totals, isKnown: false, requestsPerSecond: 0, errorsPerSecond: 0 }
  const { from, isKnown, requestsPerSecond, errorsPerSecond } = before
  const milliseconds = totals.at - from.at
  if (milliseconds < LEAST_BETWEEN_MS) return { from, isKnown, requestsPerSecond, errorsPerSecond }
  const perSecond = (now: number, then: number) => Math.max(0, ((now - then) * 1000) / milliseconds)
  return {
    from: totals,
    isKnown: true,
    requestsPerSecond: perSecond(totals.requests, from.requests),
    errorsPerSecond: perSecond(totals.errors, from.errors),
  }
}

/** A rate as it is told. */
export function rounded(rate: number): number {
  return Math.round(rate * 1000) / 1000
}
