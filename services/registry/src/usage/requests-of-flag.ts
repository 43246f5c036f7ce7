import type { FlagRequests } from '@switchyard/contracts'
import { StorageUnavailableError } from '@switchyard/event-log'
import type { UsageAnswers } from './usage-answers.ts'

const HOURS = 24
const MOST_CLIENTS = 10

/** Who asked for a flag in the last 24 hours, in each of these graphs. Null if that cannot be read now. */
export async function requestsOfFlag(
  answers: UsageAnswers,
  namespace: string,
  graphs: readonly string[],
  flag: string,
): Promise<FlagRequests[] | null> {
  const asked = { hours: HOURS, groups: ['client'], filter: { flag }, limit: MOST_CLIENTS } as const
  const all: FlagRequests[] = []
  try {
    for (const graph of graphs) {
      const { totals, groups } = await answers.report({ namespace, graph }, null, asked)
      const clients = groups.flatMap(({ client, requests }) =>
        client === undefined ? [] : [{ ...client, requests }],
      )
      all.push({ graph, requests: totals.requests, clients })
    }
    return all
  } catch (error) {
    // A flag is shown with what is known of it.
    if (error instanceof StorageUnavailableError) return null
    throw error
  }
}
