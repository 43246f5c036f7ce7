/** The routes of rollouts: who gets the composition of a flag without naming it. */
import { RegistryRecord, registrySubject, RolloutList } from '@switchyard/contracts'
import { PATIENTLY } from '@switchyard/testkit'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  beat,
  type Client,
  outcome,
  problemOf,
  refusal,
  type Reply,
  type Shop,
  startClient,
  startShop,
} from './harness.ts'

const PATH = '/v1/rollouts/default'
const ROLLOUT = { name: 'slow', graph: 'shop', flag: 'new', percent: 5, key: ['claim:sub'] }
const FLAG = { name: 'new', featureSubgraphs: ['orders-next'], enabled: true }

let shop: Shop
let client: Client

beforeEach(async () => {
  shop = await startShop()
  client = shop.client
  outcome(await client.post('/v1/feature-flags/default', FLAG))
})
afterEach(() => shop[Symbol.asyncDispose]())

async function list(path = PATH) {
  return RolloutList.parse((await client.get(path)).body).rollouts
}
async function names(): Promise<readonly string[]> {
  return (await list()).map(({ name }) => name)
}
async function problemsOf(reply: Promise<Reply>): Promise<readonly string[]> {
  const problem = problemOf(await reply)
  expect([problem.status, problem.code]).toEqual([422, 'ROLLOUT_INVALID'])
  return problem.problems ?? [problem.detail]
}
async function eventCount(): Promise<number> {
  let count = 0
  for await (const entry of shop.storage.log.read(
    { kind: 'subject', subject: registrySubject('default') },
    1,
  ))
    count += RegistryRecord.parse(entry.record).events.length
  return count
}

describe('rollouts', () => {
  it('are created, shown, changed, stopped, started and deleted', async () => {
    const created = await client.post(PATH, ROLLOUT)
    expect(created.status).toBe(201)
    expect(outcome(created)).toMatchObject({
      changed: true,
      message:
        'Rollout "slow" was created: 5 percent of its audience get feature flag "new" in federated graph "shop".',
      affectedGraphs: [],
      rolloutGraphs: ['shop'],
      compositions: [],
      pending: false,
    })
    expect((await client.get(`${PATH}/slow`)).body).toMatchObject({
      ...ROLLOUT,
      namespace: 'default',
      mode: 'serve',
      where: [],
      salt: expect.stringMatching(/^slow-[0-9a-f]{16}$/),
      expires: null,
      ramp: null,
      status: 'active',
      place: 0,
      inForce: 5,
      flagState: 'served',
      state: 'live',
      routers: { serving: 0, total: 0 },
    })
    const change = {
      percent: 12.5,
      where: [{ on: 'claim:plan', in: ['pro', 'team'] }],
      key: ['claim:sub', 'cookie:visitor'],
      expires: '2099-01-01T00:00:00Z',
      mode: 'shadow',
    }
    expect(outcome(await client.patch(`${PATH}/slow`, change)).changed).toBe(true)
    expect((await client.get(`${PATH}/slow`)).body).toMatchObject({ ...change, inForce: 12.5 })
    expect(outcome(await client.patch(`${PATH}/slow`, change)).changed).toBe(false)
    for (const [action, status, inForce] of [
      ['abort', 'aborted', 0],
      ['resume', 'active', 12.5],
      ['complete', 'completed', 100],
    ] as const) {
      expect(outcome(await client.post(`${PATH}/slow/${action}`, {}))).toMatchObject({ changed: true })
      expect((await client.get(`${PATH}/slow`)).body).toMatchObject({ status, inForce, percent: 12.5 })
      const again = outcome(await client.post(`${PATH}/slow/${action}`, {}))
      expect(again).toMatchObject({ changed: false, namedGraphs: ['shop'] })
    }
    expect(outcome(await client.delete(`${PATH}/slow`)).message).toBe('Rollout "slow" was deleted.')
    expect(await names()).toEqual([])
  })

  it('are listed by graph, in the order in which requests try them', async () => {
    await client.post('/v1/graphs/default', { name: 'apples' })
    for (const name of ['a', 'b', 'c']) await client.post(PATH, { ...ROLLOUT, name })
    await client.post(PATH, { ...ROLLOUT, name: 'x', graph: 'apples' })
    await client.post(PATH, { ...ROLLOUT, name: 'd', before: 'b' })
    expect(await names()).toEqual(['x', 'a', 'd', 'b', 'c'])
    await client.patch(`${PATH}/a`, { before: null })
    await client.delete(`${PATH}/d`)
    expect(await names()).toEqual(['x', 'b', 'c', 'a'])
    expect((await list()).map(({ place }) => place)).toEqual([0, 0, 1, 2])
    expect(await problemsOf(client.patch(`${PATH}/a`, { before: 'x' }))).toEqual([
      'Federated graph "shop" has no other rollout "x" to come before.',
    ])
  })

  it('are refused where a name is unknown or taken', async () => {
    await client.post(PATH, ROLLOUT)
    expect(refusal(await client.post(PATH, ROLLOUT))).toEqual([409, 'ALREADY_EXISTS'])
    for (const wrong of [{ graph: 'shopp' }, { flag: 'nev' }]) {
      const reply = await client.post(PATH, { ...ROLLOUT, name: 'other', ...wrong })
      expect(refusal(reply)).toEqual([404, 'NOT_FOUND'])
      expect(problemOf(reply).detail).toContain('Did you mean')
    }
    for (const reply of [
      await client.get(`${PATH}/none`),
      await client.patch(`${PATH}/none`, { percent: 1 }),
      await client.delete(`${PATH}/none`),
      await client.post(`${PATH}/none/abort`, {}),
      await client.get('/v1/rollouts/team'),
    ])
      expect(refusal(reply)).toEqual([404, 'NOT_FOUND'])
    for (const [path, body] of [
      [PATH, { ...ROLLOUT, percent: 5.001 }],
      [PATH, { ...ROLLOUT, key: ['sub'] }],
      [PATH, { ...ROLLOUT, where: [{ on: 'client', equals: 'a', in: ['b'] }] }],
      [PATH, { ...ROLLOUT, where: Array.from({ length: 11 }, () => ({ on: 'client', exists: true })) }],
      [PATH, { ...ROLLOUT, expires: 'soon' }],
    ] as const)
      expect(refusal(await client.post(path, body))).toEqual([400, 'INVALID_REQUEST'])
    expect(refusal(await client.patch(`${PATH}/slow`, {}))).toEqual([400, 'INVALID_REQUEST'])
  })

  it('are refused with everything that is wrong about them', async () => {
    await client.post('/v1/feature-flags/default', { ...FLAG, name: 'labelled', labels: ['team=a'] })
    const where = [
      { on: 'client_version', semver: '>=2.1.x.0' },
      { on: 'address', not: { in: ['10.0.0.0/8', '10.0.0.0/33'] } },
      { on: 'claim:plan', semver: '>=2 <3' },
    ]
    const wrong = { ...ROLLOUT, flag: 'labelled', key: [], where }
    expect(await problemsOf(client.post(PATH, wrong))).toEqual([
      'Feature flag "labelled" does not apply to federated graph "shop": its labels (team=a) do not match those that the graph asks for.',
      expect.stringMatching(/^5 percent of whom\?/),
      'The condition "client_version semver >=2.1.x.0" would hold for nobody: ">=2.1.x.0" is no range of versions.',
      'The condition "address not in 10.0.0.0/8,10.0.0.0/33" would hold for nobody: "10.0.0.0/33" is neither an address nor a network.',
    ])
    await client.post(PATH, ROLLOUT)
    const count = await eventCount()
    expect(await problemsOf(client.patch(`${PATH}/slow`, { where }))).toHaveLength(2)
    const applied = await client.post('/v1/namespaces/default/apply', { rollouts: [{ name: 'slow', where }] })
    expect(problemOf(applied)).toMatchObject({ status: 422, code: 'DESIRED_STATE_INVALID' })
    expect(await eventCount()).toBe(count)
  })

  it('have no percentage to change while they are aborted or completed', async () => {
    await client.post(PATH, ROLLOUT)
    await client.post(`${PATH}/slow/abort`, {})
    expect(await problemsOf(client.patch(`${PATH}/slow`, { percent: 50 }))).toEqual([
      'Rollout "slow" is aborted and selects nobody, so that its percentage has no effect. Nothing was changed. Resume it first.',
    ])
    // Other properties may change meanwhile.
    expect(
      outcome(await client.patch(`${PATH}/slow`, { where: [{ on: 'client', equals: 'ios' }] })),
    ).toMatchObject({
      changed: true,
    })
  })

  it('go with their flag and their graph', async () => {
    await client.post(PATH, ROLLOUT)
    const deleted = outcome(await client.delete('/v1/feature-flags/default/new'))
    expect(deleted.message).toContain('and with it the rollout "slow"')
    expect(deleted.rolloutGraphs).toEqual(['shop'])
    expect(await names()).toEqual([])
  })
})

describe('limits of rollouts', () => {
  /** A condition of about so many characters. */
  const where = (length: number) => [
    {
      on: 'claim:plan',
      in: Array.from({ length: Math.ceil(length / 203) }, (_, index) => String(index).padEnd(200, 'x')),
    },
  ]

  it('are 50 of a graph', async () => {
    const rollouts = Array.from({ length: 50 }, (_, index) => ({ ...ROLLOUT, name: `r${index}` }))
    outcome(await client.post('/v1/namespaces/default/apply', { rollouts }))
    expect(await problemsOf(client.post(PATH, { ...ROLLOUT, name: 'more' }))).toEqual([
      'Federated graph "shop" has 50 rollouts, which is as many as it can have. Delete those that are over.',
    ])
    await client.post('/v1/graphs/default', { name: 'other' })
    expect((await client.post(PATH, { ...ROLLOUT, name: 'more', graph: 'other' })).status).toBe(201)
  })

  it('are 8 KiB for each, with the advice to use a claim', async () => {
    expect((await client.post(PATH, { ...ROLLOUT, where: where(7500) })).status).toBe(201)
    const [problem] = await problemsOf(client.post(PATH, { ...ROLLOUT, name: 'b', where: where(8200) }))
    expect(problem).toMatch(/^The rollout has \d{4} characters as JSON; the limit is 8192\. .*claim/)
    expect(await problemsOf(client.patch(`${PATH}/slow`, { where: where(8200) }))).toHaveLength(1)
  })

  it('are 64 KiB for all of a graph', async () => {
    const rollouts = Array.from({ length: 8 }, (_, index) => ({
      ...ROLLOUT,
      name: `r${index}`,
      where: where(7900),
    }))
    outcome(await client.post('/v1/namespaces/default/apply', { rollouts }))
    const [problem] = await problemsOf(client.post(PATH, { ...ROLLOUT, where: where(3000) }))
    expect(problem).toMatch(
      /^The rollouts of federated graph "shop" would have \d{5} characters as JSON; the limit is 65536\./,
    )
    expect((await client.post(PATH, { ...ROLLOUT })).status).toBe(201)
  })
})

describe('a command about rollouts', () => {
  it('repeated with the same key is the same one, although its salt is random', async () => {
    const key = { 'idempotency-key': 'once' }
    const first = outcome(await client.post(PATH, ROLLOUT, key))
    const [created] = await list()
    expect(outcome(await client.post(PATH, ROLLOUT, key))).toMatchObject({
      changed: true,
      sequence: first.sequence,
      message: first.message,
      rolloutGraphs: ['shop'],
    })
    expect((await list()).map(({ salt }) => salt)).toEqual([created?.salt])
    const other = await client.post(PATH, { ...ROLLOUT, percent: 6 }, key)
    expect(refusal(other)).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
    outcome(await client.post(PATH, { ...ROLLOUT, name: 'slow-2' }))
    const salts = (await list()).map(({ salt }) => salt)
    expect(new Set(salts.map((salt) => salt.slice(-16))).size).toBe(2)
    // Deleted and created again, it selects other users, unless it is given its salt.
    await client.delete(`${PATH}/slow`)
    await client.post(PATH, ROLLOUT)
    expect((await list()).map(({ salt }) => salt)).not.toContain(created?.salt)
    await client.delete(`${PATH}/slow`)
    await client.post(PATH, { ...ROLLOUT, salt: created?.salt })
    expect((await list()).map(({ salt }) => salt)).toContain(created?.salt)
  })

  it('of apply repeated with the same key keeps its salts', async () => {
    const key = { 'idempotency-key': 'apply' }
    const body = { rollouts: [ROLLOUT, { ...ROLLOUT, name: 'slow-2' }] }
    const first = outcome(await client.post('/v1/namespaces/default/apply', body, key))
    const salts = (await list()).map(({ salt }) => salt)
    const again = outcome(await client.post('/v1/namespaces/default/apply', body, key))
    expect(again).toMatchObject({ changed: true, sequence: first.sequence })
    expect((await list()).map(({ salt }) => salt)).toEqual(salts)
    expect(new Set(salts).size).toBe(2)
  })

  it('is done when routers were given the rollout, and tells how many serve it', async () => {
    const { downstream, storage } = shop
    const newest = { epoch: 0, revision: 0 }
    downstream.onConfig = (version) => void Object.assign(newest, version)
    downstream.publishRollouts = false
    beat(storage.announcer, { instance: 'one' })
    beat(storage.announcer, { instance: 'two' })
    const created = outcome(await client.post(`${PATH}?wait=50`, ROLLOUT))
    expect(created).toMatchObject({ pending: true, rolloutGraphs: ['shop'], routers: { serving: 0 } })
    expect(await list()).toMatchObject([{ state: 'pending', routers: { serving: 0, total: 2 } }])
    const ask = async (wait = 0) => {
      const { body } = await client.get(`/v1/commands/default/${created.commandId}?wait=${wait}`)
      return body
    }
    expect(await ask()).toMatchObject({ pending: true })
    downstream.publishRollouts = true
    // The next record lets the instance read on.
    outcome(await client.post('/v1/feature-flags/default', { ...FLAG, name: 'next', enabled: false }))
    outcome(await client.patch(`${PATH}/slow`, { percent: 10 }))
    expect(await ask(20_000)).toMatchObject({ pending: false })
    expect(await list()).toMatchObject([{ state: 'live', routers: { serving: 0, total: 2 } }])
    beat(storage.announcer, { instance: 'one', ...newest })
    await vi.waitFor(
      async () => expect(await list()).toMatchObject([{ state: 'live', routers: { serving: 1, total: 2 } }]),
      PATIENTLY,
    )
    expect(await ask()).toMatchObject({ pending: false, routers: { serving: 1, total: 2 } })
  })

  it('waits for nothing while the graph has nothing to serve', async () => {
    await client.post('/v1/graphs/default', { name: 'empty', labelMatchers: ['a=b'] })
    await client.post('/v1/feature-flags/default', { ...FLAG, name: 'labelled', labels: ['a=b'] })
    const body = { ...ROLLOUT, graph: 'empty', flag: 'labelled' }
    expect(outcome(await client.post(PATH, body))).toMatchObject({ pending: false })
    expect(await list()).toMatchObject([{ state: 'waiting' }])
  })

  it('warns where the rollout would select nobody', async () => {
    await client.post('/v1/feature-flags/default/new/disable', {})
    expect(outcome(await client.post(PATH, ROLLOUT)).warnings).toEqual([
      'Rollout "slow" selects nobody in federated graph "shop", since feature flag "new" is disabled.',
    ])
    expect(await list()).toMatchObject([{ flagState: 'not served: the flag is disabled' }])
  })

  it('takes effect while the graph is held on a revision', async () => {
    const pinned = outcome(await client.put('/v1/graphs/default/shop/pin', { revision: 1 }))
    expect(pinned.changed).toBe(true)
    expect(outcome(await client.post(PATH, ROLLOUT))).toMatchObject({ pending: false })
    expect(await list()).toMatchObject([{ state: 'live' }])
  })

  it('is kept when the registry starts anew', async () => {
    await client.post(PATH, { ...ROLLOUT, where: [{ on: 'client', starts_with: 'ios' }] })
    const before = await list()
    await client[Symbol.asyncDispose]()
    await using other = await startClient(shop.storage)
    await vi.waitFor(async () => {
      const { body } = await other.get(PATH)
      expect(RolloutList.parse(body).rollouts).toEqual(before)
    }, PATIENTLY)
  })
})

describe('rights to rollouts', () => {
  async function keyWith(scope: string) {
    const reply = await client.post('/v1/api-keys', { name: scope.replace(':', '-'), scopes: [scope] })
    return { authorization: `Bearer ${(reply.body as { key: string }).key}` }
  }

  it('are those of rollouts alone with rollout:<namespace>, and to abort with abort:<namespace>', async () => {
    const [releaser, onCall] = [await keyWith('rollout:default'), await keyWith('abort:default')]
    const forbidden = [403, 'FORBIDDEN']
    expect(refusal(await client.post(PATH, ROLLOUT, onCall))).toEqual(forbidden)
    expect((await client.post(PATH, ROLLOUT, releaser)).status).toBe(201)
    expect(refusal(await client.patch(`${PATH}/slow`, { percent: 50 }, onCall))).toEqual(forbidden)
    expect(outcome(await client.post(`${PATH}/slow/abort`, {}, onCall)).changed).toBe(true)
    for (const action of ['resume', 'complete'])
      expect(refusal(await client.post(`${PATH}/slow/${action}`, {}, onCall))).toEqual(forbidden)
    expect(refusal(await client.delete(`${PATH}/slow`, onCall))).toEqual(forbidden)
    expect(outcome(await client.post(`${PATH}/slow/resume`, {}, releaser)).changed).toBe(true)
    // Neither may touch the flag.
    for (const key of [releaser, onCall])
      expect(refusal(await client.post('/v1/feature-flags/default/new/disable', {}, key))).toEqual(forbidden)
  })

  it('are needed by apply for the rollouts in it', async () => {
    const apply = async (scope: string, body: object) =>
      client.post('/v1/namespaces/default/apply', body, await keyWith(scope))
    const body = { rollouts: [ROLLOUT] }
    expect(refusal(await apply('publish:default', body))).toEqual([403, 'FORBIDDEN'])
    expect(await names()).toEqual([])
    expect(outcome(await apply('deploy:default', body)).changed).toBe(true)
  })
})

describe('revisions that rollouts caused', () => {
  it('are in the history of the graph, with the commands', async () => {
    await client.post(PATH, ROLLOUT)
    await client.post(`${PATH}/slow/abort`, { reason: 'errors in checkout' })
    expect((await client.get('/v1/graphs/default/shop/revisions')).body).toMatchObject({
      revisions: [
        {
          reason: 'rollouts',
          changes: [{ summary: 'rollout "slow" aborted', reason: 'errors in checkout' }],
        },
        { reason: 'rollouts', changes: [{ summary: 'rollout "slow" created with 5 percent' }] },
        { reason: 'composition' },
        { reason: 'composition' },
      ],
    })
  })
})
