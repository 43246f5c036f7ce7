/**
 * However many calls of a subgraph fail, those that are made again are a tenth of them at most, once the ten
 * are spent that a router may begin with; and calls of mutations are never made again.
 */
import { isLongRun, sampled } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { type IllWorld, ITEMS, startIllWorld, type Way, WAYS } from './ill-world.ts'
import { ILLNESSES, type Illness } from './illnesses.ts'

const SILENT = 'accepts and never answers'
/** Those whose calls may be made again, and one of each kind whose calls may not. */
const NAMES = [
  SILENT,
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
const SAVED = 10
const REQUESTS = isLongRun() ? 100 : 50

function illnessOf(name: string): Illness {
  const found = ILLNESSES.find((illness) => illness.name === name)
  if (found === undefined) throw new Error(`there is no illness "${name}"`)
  return found
}

/** `REQUESTS` at the same time; each is a call of its own. Returns how many attempts the subgraph got. */
async function attempts(world: IllWorld, { connected }: Illness, query: string): Promise<number> {
  const { stock } = world
  const before = { requests: stock.requests, connections: stock.connections }
  const replies = await Promise.all(Array.from({ length: REQUESTS }, () => world.ask(query)))
  for (const { json } of replies) {
    expect(json.errors).toHaveLength(1)
    if (json.data?.['items'] !== undefined) expect(json.data['items']).toEqual(ITEMS)
  }
  // Where connections are reset before anything is asked on them, they are the attempts.
  if (connected !== undefined) return stock.connections - before.connections
  // Calls may be given up before the subgraph, in the same thread, has come to read them.
  await stock.caughtUp()
  return stock.requests - before.requests
}

/** `make test` and CI look at every second, and by HTTPS at fewer. */
const namesFor = (way: Way) => sampled(NAMES, (isLongRun() ? 1 : 2) * (way === 'HTTP' ? 1 : 3))

describe.each(WAYS)('called by %s with retries, a subgraph that', (way) => {
  it.concurrent.each(namesFor(way))('%s gets at most 1.1 times as many calls', async (name) => {
    // It is asked again where the router does not wait for the whole time limit.
    const patience = name === SILENT ? ', overrides: { stock: { first_byte_timeout: 500ms } }' : ''
    const settings = `timeout: 60s, share_inflight: false, ${RETRY}${patience}`
    await using world = await startIllWorld(settings, way)
    const illness = illnessOf(name)
    world.stock.fallIll(illness)
    const query = '{ items { id name } report { title } }'
    const mutations = await attempts(world, illness, 'mutation { restock(id: "1") }')
    expect(mutations).toBe(REQUESTS)
    // The first requests spend what is saved.
    expect(await attempts(world, illness, query)).toBeLessThanOrEqual(REQUESTS * 1.1 + SAVED)
    const isRetried = world.events('subgraph.retried').length > 0
    const later = await attempts(world, illness, query)
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
