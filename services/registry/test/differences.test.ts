/** What a registry tells of answers that routers compared. */
import {
  CreatedApiKey,
  RolloutDifferences,
  type RolloutResults,
  type RouterDifferences,
  routerDifferencesSubject,
} from '@switchyard/contracts'
import { FleetKey } from '@switchyard/service-kit'
import { PATIENTLY } from '@switchyard/testkit'
import { describe, expect, it, vi } from 'vitest'
import { type Client, GRAPH, openStorage, setUpFlag, startClient, type Storage } from './harness.ts'

const SIDE = { type: 'number', hash: 'aaaa' }

function results(change: Partial<RolloutResults> = {}): RolloutResults {
  const row = { operation: 'Products', path: 'products.*.price', cause: 'value', code: null } as const
  return {
    rollout: 'compare',
    flag: 'next',
    since: 1000,
    operations: [
      {
        operation: 'Products',
        compared: 10,
        equal: 8,
        reordered: 0,
        different: 2,
        slower: 1,
        unanswerable: 0,
        notComparable: { 'not-recorded': 1 },
        baseMs: 100,
        flagMs: 150,
      },
    ],
    differences: [{ ...row, count: 2, first: 1500, last: 2000, base: SIDE, flag: SIDE }],
    noise: [],
    dropped: 3,
    leftOut: 0,
    ...change,
  }
}

function messageOf(rollouts: RolloutResults[], boot = 'b1', instance = 'r1'): RouterDifferences {
  return { instance, boot, namespace: GRAPH.namespace, graph: GRAPH.graph, rollouts }
}

type World = AsyncDisposable & { readonly client: Client; readonly storage: Storage }

async function world(fleetKey?: FleetKey): Promise<World> {
  await using stack = new AsyncDisposableStack()
  const storage = stack.use(await openStorage())
  const client = stack.use(await startClient(storage, fleetKey === undefined ? {} : { fleetKey }))
  await setUpFlag(client)
  const made = await client.post('/v1/rollouts/default?wait=0', {
    name: 'compare',
    graph: 'shop',
    flag: 'next',
    mode: 'shadow',
    percent: 10,
    shadow: { operations: ['Products'] },
  })
  expect(made.status).toBeLessThan(300)
  const parts = stack.move()
  return { client, storage, [Symbol.asyncDispose]: () => parts.disposeAsync() }
}

async function differences({ client }: World): Promise<RolloutDifferences> {
  const { body } = await client.get('/v1/rollouts/default/compare/differences')
  return RolloutDifferences.parse(body)
}

const SUBJECT = routerDifferencesSubject(GRAPH, 'r1')

describe('differences of a rollout', () => {
  it('are none before a router has told any', async () => {
    await using one = await world()
    expect(await differences(one)).toMatchObject({ routers: 0, since: null, operations: [], differences: [] })
  })

  it('are the newest ones of each process, added up', async () => {
    await using one = await world()
    const { announcer } = one.storage
    announcer.announce(SUBJECT, messageOf([results({ dropped: 1 })]))
    announcer.announce(SUBJECT, messageOf([results()]))
    announcer.announce(SUBJECT, messageOf([results({ since: 500 })], 'b2'))
    await vi.waitFor(async () => expect((await differences(one)).routers).toBe(2), PATIENTLY)
    expect(await differences(one)).toMatchObject({
      rollout: 'compare',
      flag: 'next',
      since: 500,
      dropped: 6,
      operations: [{ compared: 20, different: 4, notComparable: { 'not-recorded': 2 }, flagMs: 300 }],
      differences: [{ path: 'products.*.price', count: 4, first: 1500, last: 2000 }],
    })
  })

  it('leave out what another router found to be noise, and other rollouts and flags', async () => {
    await using one = await world()
    const { announcer } = one.storage
    announcer.announce(SUBJECT, messageOf([results(), results({ rollout: 'other', dropped: 100 })]))
    const noise = [{ operation: 'Products', path: 'products' }]
    announcer.announce(SUBJECT, messageOf([results({ noise, differences: [] })], 'b2'))
    announcer.announce(SUBJECT, messageOf([results({ flag: 'before', dropped: 100 })], 'b3'))
    await vi.waitFor(async () => expect((await differences(one)).routers).toBe(2), PATIENTLY)
    expect(await differences(one)).toMatchObject({ differences: [], noise, dropped: 6 })
  })

  it('are for keys of the scope trace', async () => {
    await using one = await world()
    const keyed = async (scope: string) => {
      const { body } = await one.client.post('/v1/api-keys', {
        name: scope.replace(':', '-'),
        scopes: [scope],
      })
      const authorization = `Bearer ${CreatedApiKey.parse(body).key}`
      const get = (name: string) =>
        one.client.request('GET', `/v1/rollouts/default/${name}/differences`, { headers: { authorization } })
      return [(await get('compare')).status, await get('compere')] as const
    }
    for (const scope of ['read', 'deploy:default', 'trace:other']) expect((await keyed(scope))[0]).toBe(403)
    const [status, missing] = await keyed('trace:default')
    expect(status).toBe(200)
    expect(missing.status).toBe(404)
    expect(JSON.stringify(missing.body)).not.toContain('compare')
  })

  it('are not believed without a signature where there is a fleet key', async () => {
    const key = new FleetKey('k'.repeat(32))
    await using one = await world(key)
    const { announcer } = one.storage
    announcer.announce(SUBJECT, messageOf([results()], 'forged'))
    const signed = key.signer()(SUBJECT, messageOf([results()]))
    announcer.announce(SUBJECT, signed)
    // Sent again, and for another subject.
    announcer.announce(SUBJECT, signed)
    announcer.announce(routerDifferencesSubject(GRAPH, 'r2'), signed)
    await vi.waitFor(async () => expect((await differences(one)).routers).toBe(1), PATIENTLY)
    expect((await differences(one)).operations).toMatchObject([{ compared: 10 }])
  })

  it('are believed of a router that was started anew, and added to those of before', async () => {
    const key = new FleetKey('k'.repeat(32))
    await using one = await world(key)
    const { announcer } = one.storage
    const before = key.signer()
    for (const dropped of [1, 2, 3])
      announcer.announce(SUBJECT, before(SUBJECT, messageOf([results({ dropped })])))
    // Its counts begin anew, and so do those of its messages.
    announcer.announce(SUBJECT, key.signer()(SUBJECT, messageOf([results({ dropped: 1 })], 'b2')))
    await vi.waitFor(async () => expect((await differences(one)).routers).toBe(2), PATIENTLY)
    expect(await differences(one)).toMatchObject({ dropped: 4, operations: [{ compared: 20 }] })
  })

  it('ignore what speaks for another router, and what is no message', async () => {
    await using one = await world()
    const { announcer } = one.storage
    announcer.announce(SUBJECT, messageOf([results()], 'b', 'r2'))
    announcer.announce(SUBJECT, { ...messageOf([]), rollouts: 'none' })
    announcer.announce(SUBJECT, null)
    announcer.announce(SUBJECT, messageOf([results()], 'last'))
    await vi.waitFor(async () => expect((await differences(one)).routers).toBe(1), PATIENTLY)
  })
})
