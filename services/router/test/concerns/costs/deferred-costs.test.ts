/** What answers in parts have cost: each item of the warehouse and each place costs 1, and leaves nothing. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { post, type TestRouter, until } from '../../support/router.ts'
import { overHttp1 } from '../../support/streams.ts'
import { type Trouble, Warehouse } from '../../support/warehouse.ts'
import { TRACED, tracesIn } from '../../tracing/recorder/traced.ts'

const STREAM = { accept: 'multipart/mixed' }

let warehouse: Warehouse
let free: Warehouse
let router: TestRouter
beforeAll(async () => {
  warehouse = await Warehouse.start('costs: { mode: measure, list_size: 2 }\ndev_mode: true')
  free = await Warehouse.start()
  router = await warehouse.router()
})
afterAll(async () => {
  await warehouse[Symbol.asyncDispose]()
  await free[Symbol.asyncDispose]()
})

/** What the access log says of the request that `ask` makes. */
async function logged(ask: () => Promise<unknown>, on = router) {
  const before = on.logs.length
  await ask()
  return await until(
    () => on.logs.slice(before).find(({ event }) => event === 'request.answered'),
    'the request is logged',
  )
}

async function actualCost(query: string, trouble: Trouble | null = null): Promise<unknown> {
  warehouse.suffer(trouble)
  return (await logged(() => post(router, { query }, STREAM)))['actualCost']
}

describe('a deferred answer', () => {
  it.each([
    ['{ items { name ...@defer { count place { shelf } } } }', 4],
    ['{ items { name ...@defer { place { shelf } ...@defer { stars place { row } } } } }', 4],
    ['{ items { place { shelf } ...@defer { place { shelf row } } ...@defer { place { row } stars } } }', 4],
    ['{ grid { ...@defer { place { shelf } } ...@defer { name place { shelf } } } }', 4],
    ['{ ...@defer { item { name ...@defer { place { shelf } } } } items { id } }', 4],
    ['mutation { order { name ...@defer { place { shelf } } } }', 12],
  ])('%s has cost what the same answer costs in one piece', async (query, cost) => {
    expect(await actualCost(query.replaceAll('@defer', ''))).toBe(cost)
    expect(await actualCost(query)).toBe(cost)
  })

  it('has cost what was delivered where fragments failed', async () => {
    const query = '{ items { name ...@defer { must place { shelf } } ...@defer { stars } } }'
    expect(await actualCost(query, { subgraph: 'stock', field: 'must', fault: 'null' })).toBe(2 + 1)
    expect(await actualCost(query, { subgraph: 'stock', field: 'must', fault: 'HTTP 500' })).toBe(2)
    const nullable = query.replace('must ', '')
    expect(await actualCost(nullable, { subgraph: 'stock', field: 'place', fault: 'error' })).toBe(2 + 1)
  })

  it('has cost what was sent to a client that leaves', async () => {
    warehouse.suffer(null)
    warehouse.hold('stars')
    const line = await logged(async () => {
      const query = '{ items { name ...@defer { place { shelf } ...@defer { stars } } } sure { id } }'
      const stream = await overHttp1(router, query)
      for (let part = 0; part < 2; part++) expect(await stream.next()).toMatchObject({ hasNext: true })
      stream.leave()
    })
    warehouse.release('stars')
    expect(line).toMatchObject({ aborted: true, parts: 2, cost: 2 + 2 + 1, actualCost: 2 + 2 + 1 })

    warehouse.hold('stock')
    const early = await logged(async () => {
      const stream = await overHttp1(router, '{ items { name ...@defer { place { shelf } } } }')
      expect(await stream.next()).toMatchObject({ hasNext: true })
      stream.leave()
    })
    warehouse.release('stock')
    expect(early).toMatchObject({ aborted: true, parts: 1, cost: 4, actualCost: 2 })
  })

  it('says in each trace what it has cost with the part that carries the trace', async () => {
    warehouse.suffer(null)
    const query = '{ items { name ...@defer { place { shelf } } ...@defer { stars } } }'
    const traces = tracesIn(await post(router, { query }, { ...STREAM, ...TRACED }))
    expect(traces.map(({ cost }) => cost)).toEqual([
      { estimated: 4, actual: 2, exceeded: null },
      { estimated: 4, actual: 4, exceeded: null },
    ])
  })

  it('is not counted where costs are not measured', async () => {
    free.suffer(null)
    const query = '{ items { name ...@defer { place { shelf } } } }'
    const without = await free.router()
    const line = await logged(() => post(without, { query }, STREAM), without)
    expect(Object.keys(line)).toContain('parts')
    expect(Object.keys(line)).not.toContain('actualCost')
  })
})
