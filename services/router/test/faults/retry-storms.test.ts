/**
 * However many calls of a subgraph fail, those that are made again are a tenth of them at most, once the ten
 * are spent that a router may begin with; and calls of mutations are never made again.
 */
import { describe, expect, it } from 'vitest'
import { type IllWorld, ITEMS, startIllWorld } from './ill-world.ts'
import { ILLNESSES, type Illness } from './illnesses.ts'

/** Those whose calls may be made again, and one of each kind whose calls may not. */
const NAMES = [
  'resets each new connection',
  'resets when it is asked',
  'closes when it is asked',
  'resets after its headers',
  'sends a header of 10 GB',
  'answers HTML with 200',
  'answers HTML with 502',
  'redirects to itself (307)',
  'answers 503 and asks to wait (Retry-After: 99999999999999999999)',
  'answers 503 and asks to wait (Retry-After: -5)',
  'answers 503 and asks to wait (Retry-After: soon)',
]
const RETRY = 'retry: { max_retries: 3, backoff: 1ms, max_backoff: 2ms }'
const CLIENTS = ['lean', 'undici'] as const
const SAVED = 10
const REQUESTS = 100

function illness(name: string): Illness {
  const found = ILLNESSES.find((other) => other.name === name)
  if (found === undefined) throw new Error(`there is no illness "${name}"`)
  return found
}

/** Requests at the same time; each is a call of its own. Returns how many attempts the subgraph got. */
async function attempts(world: IllWorld, query: string, requests: number): Promise<number> {
  const { stock } = world
  const before = { requests: stock.requests, connections: stock.connections }
  const replies = await Promise.all(Array.from({ length: requests }, () => world.ask(query)))
  for (const { json } of replies) {
    expect(json.errors).toHaveLength(1)
    if (json.data?.['items'] !== undefined) expect(json.data['items']).toEqual(ITEMS)
  }
  const asked = stock.requests - before.requests
  // A subgraph that resets connections before anything is asked on them knows of attempts by those.
  return asked === 0 ? stock.connections - before.connections : asked
}

describe.each(CLIENTS)('called by %s with retries, a subgraph that', (client) => {
  it.concurrent.each(NAMES)('%s gets at most 1.1 times as many calls', async (name) => {
    const settings = `http_client: ${client}, timeout: 60s, share_inflight: false, ${RETRY}`
    await using world = await startIllWorld(settings)
    world.stock.symptoms = illness(name)
    const query = '{ items { id name } report { title } }'
    const mutations = await attempts(world, 'mutation { restock(id: "1") }', REQUESTS)
    expect(mutations).toBe(REQUESTS)
    // The first requests spend what is saved.
    expect(await attempts(world, query, REQUESTS)).toBeLessThanOrEqual(REQUESTS * 1.1 + SAVED)
    const isRetried = world.events('subgraph.retried').length > 0
    const later = await attempts(world, query, REQUESTS)
    if (isRetried) {
      expect(world.events('subgraph.retries-spent').length).toBeGreaterThan(0)
      expect(later).toBeGreaterThan(REQUESTS)
      expect(later).toBeLessThanOrEqual(REQUESTS * 1.1)
    } else expect(later).toBe(REQUESTS)
    world.stock.recover()
    const { json } = await world.ask(query)
    expect(json.errors).toBeUndefined()
  })
})
