/** The last minutes of all graphs, in memory. */
import type { GraphFigures, GraphName, RouterUsage } from '@switchyard/contracts'
import { addMessage, type Counts, noCounts, totalsOf } from './counts.ts'

export const MOST_MINUTES = 120
const MINUTE_MS = 60_000
const MOST_GRAPHS = 1000
const MOST_FLAGS = 2000

type Minute = { readonly routers: Set<string>; readonly flags: Map<string | null, Counts> }

export class RecentMinutes {
  readonly #graphs = new Map<string, Map<number, Minute>>()

  /** Adds a message. `now` is Unix time in minutes. */
  add(message: RouterUsage, now: number): void {
    if (message.minute <= now - MOST_MINUTES || message.minute > now) return
    const key = keyOf(message)
    const minutes = this.#graphs.get(key) ?? new Map<number, Minute>()
    if (!this.#graphs.has(key) && this.#graphs.size >= MOST_GRAPHS) return
    this.#graphs.set(key, minutes)
    for (const minute of minutes.keys()) if (minute <= now - MOST_MINUTES) minutes.delete(minute)
    const minute = minutes.get(message.minute) ?? { routers: new Set(), flags: new Map() }
    minutes.set(message.minute, minute)
    const router = JSON.stringify([message.instance, message.boot])
    if (minute.routers.has(router)) return
    minute.routers.add(router)
    for (const row of [...message.rows, ...message.rest]) {
      const flag = message.compositions[row.composition]?.flag ?? null
      if (!minute.flags.has(flag) && minute.flags.size >= MOST_FLAGS) continue
      const counts = minute.flags.get(flag) ?? noCounts()
      minute.flags.set(flag, counts)
      addMessage(counts, row, message.minute)
    }
  }

  /** The last minutes of a graph before `now`, oldest first. */
  of(graph: GraphName, count: number, now: number): GraphFigures {
    const known = this.#graphs.get(keyOf(graph))
    const minutes = Array.from({ length: count }, (_, index) => now - count + index)
    return {
      minutes: minutes.map((time) => {
        const { routers, flags } = known?.get(time) ?? { routers: new Set(), flags: new Map() }
        const compositions = [...flags].map(([flag, counts]) => ({ flag, ...totalsOf(counts) }))
        compositions.sort((a, b) => b.requests - a.requests)
        return { time: time * MINUTE_MS, routers: routers.size, compositions }
      }),
    }
  }
}

function keyOf({ namespace, graph }: GraphName): string {
  return JSON.stringify([namespace, graph])
}
