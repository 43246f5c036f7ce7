/** Constant load on the routers: every answer is checked, nothing is dropped from the count. */
import { inspect } from 'node:util'
import { query, variantOf } from './shop.ts'

export type LoadReport = {
  /** Answers by what they were: `base`, `next`, or what was wrong. */
  readonly answers: ReadonlyMap<string, number>
  readonly total: number
}

/** Runs until `stop` is called: per router one loop that names the flag and one that does not. */
export function startLoad(routerUrls: readonly string[]): { stop(): Promise<LoadReport> } {
  const answers = new Map<string, number>()
  const stopped = new AbortController()
  let total = 0
  const loop = async (
    url: string,
    headers: Record<string, string>,
    allowed: readonly string[],
  ): Promise<void> => {
    while (!stopped.signal.aborted) {
      let answer: string
      try {
        answer = variantOf(await query(url, headers))
      } catch (error) {
        answer = `no answer: ${inspect(error, { depth: 2 })}`
      }
      total++
      const kind = allowed.includes(answer) ? answer : `WRONG (${allowed.join(' or ')} expected) ${answer}`
      answers.set(kind, (answers.get(kind) ?? 0) + 1)
      // Leaves the second core to the system under test.
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  const loops = routerUrls.flatMap((url) => [
    loop(url, { 'X-Feature-Flag': 'next' }, ['base', 'next']),
    loop(url, {}, ['base']),
  ])
  return {
    async stop() {
      stopped.abort()
      await Promise.all(loops)
      return { answers, total }
    },
  }
}

export function wrongAnswers(report: LoadReport): readonly string[] {
  return [...report.answers]
    .filter(([kind]) => kind !== 'base' && kind !== 'next')
    .map(([kind, n]) => `${n} × ${kind}`)
}
