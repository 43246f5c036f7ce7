/**
 * Subscriptions through a router at subgraphs in several frameworks. The tests of a framework that cannot be
 * run on this machine are skipped by name and reason.
 */
import { waitFor } from '@switchyard/testkit'
import { createClient } from 'graphql-sse'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EventGraph, openEventGraph } from '../src/event-graph.ts'
import { EVENT_SUBGRAPHS } from '../src/framework-subgraphs.ts'
import type { SubgraphProcess } from '../src/subgraph-process.ts'

let graph: EventGraph

beforeAll(async () => {
  graph = await openEventGraph()
})
afterAll(() => graph?.[Symbol.asyncDispose]())

type Heard = { readonly results: unknown[]; isOver: boolean; readonly stop: () => void }

/** Subscribes through the router. */
function subscribe(query: string): Heard {
  const client = createClient({ url: graph.url, retryAttempts: 0 })
  const results: unknown[] = []
  const end = (): void => void (heard.isOver = true)
  const stop = client.subscribe(
    { query },
    { next: (result) => void results.push(result), error: end, complete: end },
  )
  const heard: Heard = { results, isOver: false, stop }
  return heard
}

describe.each(
  EVENT_SUBGRAPHS.map((one) => ({
    ...one,
    title: `${one.framework} over ${one.protocol}${one.missing === null ? '' : ` (cannot be run here: ${one.missing})`}`,
  })),
)('$title', ({ prefix, missing, hasWholePaths }) => {
  const field = `${prefix}Changed`
  const EVENTS = `subscription { ${field} { upc price fragile: ${prefix}Fragile } }`
  const event = (upc: string) => ({ upc, price: upc.length * 10, fragile: `fragile ${upc}` })
  const subgraph = (): SubgraphProcess => {
    const found = graph.subgraphs.get(prefix)
    if (found === undefined) throw new Error(`There is no subgraph ${prefix}`)
    return found
  }
  const asked = async (query: string, name: string): Promise<unknown> => {
    const { body } = await subgraph().ask({ query })
    return Object(Object(body).data)[name]
  }
  const send = (what: string) =>
    asked(`mutation { ${prefix}Send(what: ${JSON.stringify(what)}) }`, `${prefix}Send`)
  const open = (count: number) =>
    waitFor(
      `${count} subscriptions`,
      async () => (await asked(`{ ${prefix}Open }`, `${prefix}Open`)) === count,
    )
  const has = (heard: Heard, count: number) =>
    waitFor(`${count} events`, () => heard.results.length >= count || heard.isOver)

  it.skipIf(missing !== null)('sends events, which other subgraphs complete, and ends them', async () => {
    const heard = subscribe(EVENTS)
    await open(1)
    for (const upc of ['1', '22', 'ünïcode ✂']) await send(upc)
    await send('end')
    await waitFor('the end', () => heard.isOver)
    expect(heard.results).toEqual(['1', '22', 'ünïcode ✂'].map((upc) => ({ data: { [field]: event(upc) } })))
    await open(0)
  })

  it.skipIf(missing !== null)('sends an error of a field, and goes on', async () => {
    const heard = subscribe(EVENTS)
    await open(1)
    await send('bad')
    await send('3')
    await has(heard, 2)
    expect(heard.results).toEqual([
      {
        data: { [field]: { ...event('bad'), fragile: null } },
        errors: [expect.objectContaining({ path: hasWholePaths ? [field, 'fragile'] : [field] })],
      },
      { data: { [field]: event('3') } },
    ])
    heard.stop()
    await open(0)
  })

  it.skipIf(missing !== null)('whose source breaks ends with an error', async () => {
    const heard = subscribe(EVENTS)
    await open(1)
    await send('4')
    await has(heard, 1)
    await send('throw')
    await waitFor('the end', () => heard.isOver)
    expect(heard.results).toMatchObject([
      { data: { [field]: event('4') } },
      { errors: [{ message: expect.any(String) }] },
    ])
    await open(0)
  })

  it.skipIf(missing !== null)('that is killed and started again is subscribed to again', async () => {
    const heard = subscribe(EVENTS)
    await open(1)
    await send('5')
    await has(heard, 1)
    await subgraph().restart()
    await open(1)
    await send('6')
    await send('7')
    await has(heard, 3)
    expect(heard.results).toEqual([
      { data: { [field]: event('5') } },
      { data: { [field]: event('6') }, extensions: { missed: 'unknown' } },
      { data: { [field]: event('7') } },
    ])
    heard.stop()
    await open(0)
  })
})
