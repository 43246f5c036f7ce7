import { describe, expect, it } from 'vitest'
import { loadRouterConfig, type RouterConfig } from '../../src/config/router-config.ts'
import { divideLimits } from '../../src/workers/divide-limits.ts'

/** Numbers by the path to them. */
function numbersOf(value: unknown, path = ''): Record<string, number> {
  if (typeof value === 'number') return { [path]: value }
  if (typeof value !== 'object' || value === null || value instanceof Map || value instanceof Set) return {}
  return Object.assign({}, ...Object.entries(value).map(([key, inner]) => numbersOf(inner, `${path}.${key}`)))
}

function changed(config: RouterConfig, workers: number): Record<string, readonly [number, number]> {
  const before = numbersOf(config)
  const after = numbersOf(divideLimits(config, workers))
  return Object.fromEntries(
    Object.entries(before).flatMap(([path, value]) =>
      after[path] === value ? [] : [[path, [value, after[path] ?? Number.NaN]]],
    ),
  )
}

const SETTINGS = `
traffic: { max_unsent_size: 8MiB, max_unanswered_size: 16MiB }
subgraphs: { max_receiving_size: 4MiB }
`

describe('the settings of one of several workers', () => {
  const config = loadRouterConfig({ file: { path: 'router.yaml', text: SETTINGS } })

  it('have a share of what bounds the router as a whole, and everything else undivided', () => {
    const MIB = 1024 * 1024
    expect(changed(config, 4)).toEqual({
      '.traffic.maxConcurrentRequests': [10_000, 2500],
      '.traffic.maxConnections': [20_000, 5000],
      '.traffic.maxConnectionsPerClient': [10_000, 2500],
      '.traffic.maxUnreadRequests': [4000, 1000],
      '.traffic.maxUnreadRequestsPerClient': [1000, 250],
      '.traffic.unsentSize.total': [8 * MIB, 2 * MIB],
      '.traffic.unsentSize.perClient': [4 * MIB, MIB],
      '.traffic.unansweredSize.total': [16 * MIB, 4 * MIB],
      '.traffic.unansweredSize.perClient': [8 * MIB, 2 * MIB],
      '.documents.apq.maxSize': [16 * MIB, 4 * MIB],
      '.planning.threads': [2, 1],
      '.subgraphs.maxConnections': [64, 16],
      '.subgraphs.receivingSize': [4 * MIB, MIB],
    })
  })

  it('have no limit of zero, however many workers there are', () => {
    const divided = Object.values(changed(config, 256)).map(([, share]) => share)
    expect(Math.min(...divided)).toBeGreaterThanOrEqual(1)
  })
})
