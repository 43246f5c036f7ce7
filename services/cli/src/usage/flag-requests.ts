import type { FeatureFlagDetail } from '@switchyard/contracts'
import type { Detail } from '../output/details.ts'
import { clientLabel } from './print-usage.ts'

/** The detail that says who asked for a flag in the last 24 hours; none if the registry does not know. */
export function requestLines({ lastDay }: Pick<FeatureFlagDetail, 'lastDay'>): readonly Detail[] {
  if (lastDay === undefined || lastDay.length === 0) return []
  const lines = lastDay.map(({ graph, requests, clients }) => {
    const who = clients.map((client) => `${clientLabel(client)} ${client.requests}`).join(', ')
    return `${graph}: ${requests}${who === '' ? '' : ` (${who})`}`
  })
  return [['requests in 24 h', lines]]
}
