/** Queries that go on while something is wrong: on both routers, base and flagged, each answer checked. */
import { startLoad } from '@switchyard/e2e'

export type Asked = {
  readonly total: number
  /** What was wrong with an answer, or with getting one, and how often. */
  readonly failed: ReadonlyMap<string, number>
}

export function startQueries(routerUrls: readonly string[]): { stop(): Promise<Asked> } {
  const load = startLoad(routerUrls)
  return {
    async stop() {
      const { answers, total } = await load.stop()
      const right = new Set(['base', 'next'])
      return { total, failed: new Map([...answers].filter(([kind]) => !right.has(kind))) }
    },
  }
}
