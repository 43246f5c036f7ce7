/** Which requests a router counts for a guarded rollout, over HTTP. */
import { request as httpRequest } from 'node:http'
import { clusterOf, type RouterFigures } from '@switchyard/guards'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConfigWorld } from '../../support/config-world.ts'
import { FLEET_KEY, guarded, type GuardedRouter, startGuarded, USERS } from '../../support/guarded-router.ts'
import { rollout } from '../../support/rollouts.ts'
import { post, routerOn, send, until } from '../../support/router.ts'
import { type Shop, startShop } from '../../support/shop.ts'

const [ann = '', bea = ''] = USERS.inside
const [cid = '', dan = ''] = USERS.outside

let shop: Shop
beforeAll(async () => {
  shop = await startShop()
})
afterAll(() => shop[Symbol.asyncDispose]())

const totalOf = ({ figures: { inside, control } }: RouterFigures) => inside.requests + control.requests
const countsOf = ({ figures: { inside, control } }: RouterFigures) => ({
  inside: [inside.requests, inside.errors],
  control: [control.requests, control.errors],
})

/** Asks until a report has it that a last request came after all others, which is returned. */
async function afterOthers(router: GuardedRouter, before: number): Promise<RouterFigures> {
  await router.ask('query Last { version }', cid)
  return router.reported((figures) => totalOf(figures) === before + 1, 'the last request is reported')
}

describe('the figures of a guarded rollout', () => {
  it('tell requests inside the percentage, and those of its audience outside it', async () => {
    await using router = await startGuarded(shop, [
      guarded({ where: [{ on: 'header:X-Plan', equals: 'pro' }] }),
    ])
    const pro = { 'x-plan': 'pro' }
    await router.ask('query Version { version }', ann, pro)
    await router.ask('query Version { version }', bea, pro)
    await router.ask('query Version { version }', cid, pro)
    await router.ask('{ version }', ann)
    await router.ask('query Fails { fails }', ann, pro)
    const message = await router.reported((figures) => totalOf(figures) === 4, 'four requests')
    expect(message).toMatchObject({
      instance: 'r1',
      namespace: 'default',
      graph: 'shop',
      rollout: 'catalogue',
      step: 7,
      epoch: 1,
      revision: 1,
    })
    expect(message.stopped).toBeUndefined()
    const { figures } = message
    expect(countsOf(message)).toEqual({ inside: [3, 1], control: [1, 0] })
    expect(figures.inside.codes).toEqual([['DB_DOWN', 1]])
    expect(figures.inside.clusterRequests[clusterOf(ann)]).toBe(2)
    expect(figures.inside.clusterErrors[clusterOf(ann)]).toBe(1)
    expect(figures.control.clusterRequests[clusterOf(cid)]).toBe(1)
    expect(figures.operations).toEqual([
      { name: 'Version', inside: [2, 0], control: [1, 0] },
      { name: 'Fails', inside: [1, 1], control: [0, 0] },
    ])
    // The process is the one of its heartbeats.
    expect(router.world.heartbeats.at(-1)).toMatchObject({ instance: 'r1', boot: message.boot })
  })

  it('leave out requests that name a flag, have no key, are traced, or are refused for what the client did', async () => {
    await using router = await startGuarded(shop, [guarded()], {
      settings: 'dev_mode: true\nlimits: { max_depth: 5 }',
    })
    const { ask } = router
    await ask('{ version }', cid, { 'x-feature-flag': 'next' })
    await ask('{ version }', ann, { 'x-feature-flag': 'unknown' })
    await post(router.router, { query: '{ version }' })
    await ask('{ version }', ann, { 'x-vendor-trace': 'true' })
    await ask('{ version', ann)
    await ask('subscription { a }', ann)
    await ask('query A { version } query B { version }', ann)
    await ask('', ann)
    await post(router.router, 'not JSON', { 'x-user': ann })
    await send(`${router.router.graphqlUrl}?query=%7Bversion%7D`, {
      headers: { 'x-user': ann, cookie: 'a=b' },
    })
    expect(countsOf(await afterOthers(router, 0))).toEqual({ inside: [0, 0], control: [1, 0] })
  })

  it('leave out requests whose clients left, and those that joined the execution for another', async () => {
    await using router = await startGuarded(shop, [guarded()])
    const { graphqlUrl, logs } = router.router
    const body = JSON.stringify({ query: 'query Slow { slow(milliseconds: 300) }' })
    const headers = { 'content-type': 'application/json', 'x-user': ann }
    const leaving = httpRequest(graphqlUrl, { method: 'POST', headers }).on('error', () => {})
    leaving.end(body)
    const asked = () => shop.next.requests.filter((request) => request.body.includes('300')).length
    await until(() => asked() > 0, 'the subgraph is asked')
    leaving.destroy()
    const answered = (field: string) =>
      logs.filter((line) => line.event === 'request.answered' && line[field] === true).length
    await until(() => answered('aborted') === 1, 'the client is gone')
    const many = () => router.ask('query Many { slow(milliseconds: 400) }', ann)
    await Promise.all([many(), many(), many()])
    expect(answered('joined')).toBe(2)
    const { figures } = await afterOthers(router, 1)
    expect([figures.inside.requests, figures.control.requests]).toEqual([1, 1])
    expect(figures.operations.map(({ name }) => name)).toEqual(['Last', 'Many'])
    // It took 400 ms, at the least: all of the bounds below that were reached.
    expect(figures.inside.clusterSlow[clusterOf(ann)]?.slice(0, 8)).toEqual([1, 1, 1, 1, 1, 1, 1, 1])
  })

  it('count as errors what does not fit one composition, and what subgraphs and their resolvers report', async () => {
    await using router = await startGuarded(shop, [guarded()], {
      settings: 'traffic: { share_inflight: false }\nsubgraphs: { timeout: 200ms }',
    })
    const { ask } = router
    // Only the flag has the field.
    const discount = 'query Discount { product(upc: "1") { discount } }'
    expect((await ask(discount, ann)).json.errors).toBeUndefined()
    expect((await ask(discount, cid)).json.errors?.[0]?.extensions['code']).toBe('GRAPHQL_VALIDATION_FAILED')
    await ask('query Fails { fails }', ann)
    await ask('query Slow { slow(milliseconds: 2000) }', bea)
    await ask('query Variable($upc: ID!) { product(upc: $upc) { upc } }', dan)
    const { figures, ...rest } = await router.reported((message) => totalOf(message) === 5, 'five requests')
    expect(countsOf({ figures, ...rest })).toEqual({ inside: [3, 2], control: [2, 2] })
    expect(new Map(figures.inside.codes)).toEqual(
      new Map([
        ['DB_DOWN', 1],
        ['SUBGRAPH_TIMEOUT', 1],
      ]),
    )
    expect(new Map(figures.control.codes)).toEqual(
      new Map([
        ['GRAPHQL_VALIDATION_FAILED', 1],
        ['BAD_USER_INPUT', 1],
      ]),
    )
  })

  it('count each operation of a batch, and an answer in parts by its first part', async () => {
    await using router = await startGuarded(shop, [guarded()], {
      settings: 'batching: { enabled: true }\nengine: { enable_defer: true }',
    })
    const batch = ['query One { version }', 'query Two { fails }'].map((query) => ({ query }))
    await post(router.router, JSON.stringify(batch), { 'x-user': ann })
    const sent = performance.now()
    const parts = await fetch(router.router.graphqlUrl, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'multipart/mixed;incrementalSpec=v0.2',
        'x-user': cid,
      },
      body: JSON.stringify({
        query: 'query Parts { topProducts { upc } ... @defer { slow(milliseconds: 1200) } }',
      }),
    })
    const reader = parts.body?.getReader()
    const first = Buffer.from((await reader?.read())?.value ?? '').toString()
    const firstAfter = performance.now() - sent
    expect(first).toContain('topProducts')
    while ((await reader?.read())?.done === false);
    const message = await router.reported((figures) => totalOf(figures) === 3, 'three requests')
    expect(countsOf(message)).toEqual({ inside: [2, 1], control: [1, 0] })
    // The client had the first part, which took that long, and the other one took 1200 ms at the least.
    const bounds = message.figures.control.clusterSlow[clusterOf(cid)] ?? []
    expect(2 ** bounds.length).toBeLessThanOrEqual(Math.max(1, firstAfter))
  })

  it('begin anew with another step, and go on with another revision of the same one', async () => {
    await using router = await startGuarded(shop, [guarded()])
    await router.ask('{ version }', ann)
    await router.serve(2, [guarded()])
    await router.ask('{ version }', ann)
    const same = await router.reported(
      ({ revision, figures }) => revision === 2 && figures.inside.requests === 2,
      'both',
    )
    expect(same.step).toBe(7)
    await router.serve(3, [guarded({ percent: 60, guard: { step: 9 } })])
    await router.ask('{ version }', ann)
    const next = await router.reported(
      ({ step, figures }) => step === 9 && figures.inside.requests > 0,
      'the step',
    )
    expect([next.revision, countsOf(next)]).toEqual([3, { inside: [1, 0], control: [0, 0] }])
    expect(next.beat).toBeGreaterThan(same.beat)
  })

  it('leave out a request that began in one step and ended in the next', async () => {
    await using router = await startGuarded(shop, [guarded()])
    const slow = router.ask('query Late { slow(milliseconds: 1500) }', ann)
    const asked = () => shop.next.requests.some((request) => request.body.includes('1500'))
    await until(asked, 'the subgraph is asked')
    await router.serve(2, [guarded({ guard: { step: 8 } })])
    expect((await slow).status).toBe(200)
    const { figures } = await afterOthers(router, 0)
    expect(figures.operations.map(({ name }) => name)).toEqual(['Last'])
  })

  it('leave out requests that got base since the flag cannot be served', async () => {
    await using router = await startGuarded(shop, [guarded({ flag: 'broken' })])
    const reasons = () => router.router.logs.map((line) => line['flagReason'])
    await router.ask('{ version }', ann)
    await until(() => reasons().includes('rollout-not-ready'), 'it got base')
    expect(countsOf(await afterOthers(router, 0))).toEqual({ inside: [0, 0], control: [1, 0] })
  })

  it('are told of each guarded rollout, and of no other', async () => {
    const rollouts = [
      guarded({ name: 'first', where: [{ on: 'header:X-Plan', equals: 'pro' }] }),
      rollout({ name: 'plain', where: [{ on: 'header:X-Plan', equals: 'free' }] }),
      guarded({ name: 'last', guard: { step: 12 } }),
    ]
    await using router = await startGuarded(shop, rollouts)
    await router.ask('{ version }', ann, { 'x-plan': 'pro' })
    await router.ask('{ version }', ann, { 'x-plan': 'free' })
    await router.ask('{ version }', ann)
    const first = await router.reported(
      (figures) => figures.rollout === 'first' && totalOf(figures) === 1,
      'first',
    )
    const last = await router.reported(
      (figures) => figures.rollout === 'last' && totalOf(figures) === 1,
      'last',
    )
    expect([first.step, last.step]).toEqual([7, 12])
    expect(new Set(router.heard.map((figures) => figures.rollout))).toEqual(new Set(['first', 'last']))
  })
})

describe('a router', () => {
  it('reports nothing without a fleet key, and nothing before a guarded rollout runs', async () => {
    await using world = await ConfigWorld.create()
    const subjects: string[] = []
    world.announcer.subscribe('router.figures.>', (_message, subject) => subjects.push(subject))
    const flags = { next: shop.flag }
    await world.publish({ revision: 1, base: shop.base, flags, rollouts: [guarded()] })
    await using silent = await routerOn(world, { instance: 'silent' })
    await using told = await routerOn(world, { instance: 'told', fleetKey: FLEET_KEY })
    await Promise.all([silent.ready, told.ready])
    for (const router of [silent, told]) await post(router, { query: '{ version }' }, { 'x-user': ann })
    const toldOf = (name: string) => subjects.filter((subject) => subject.endsWith(`.${name}`)).length
    await until(() => toldOf('told') >= 2, 'the router with a key reports')
    expect(toldOf('silent')).toBe(0)
    await world.publish({ revision: 2, base: shop.base, flags, rollouts: [rollout()] })
    const served = () => world.heartbeats.findLast(({ instance }) => instance === 'told')?.revision === 2
    await until(served, 'the ramp is over')
    const before = toldOf('told')
    await told[Symbol.asyncDispose]()
    expect(toldOf('told')).toBe(before)
  })

  it('reports a last time when it stops, so that nothing is lost', async () => {
    await using router = await startGuarded(shop, [guarded()])
    await router.ask('{ version }', ann)
    await router.ask('{ version }', cid)
    await router.router[Symbol.asyncDispose]()
    const last = router.heard.at(-1)
    expect(last === undefined ? null : countsOf(last)).toEqual({ inside: [1, 0], control: [1, 0] })
  })
})
