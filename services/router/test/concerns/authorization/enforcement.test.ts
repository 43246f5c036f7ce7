import { parseTrace } from '@switchyard/request-trace'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ConfigWorld } from '../../support/config-world.ts'
import { type GuardedShop, startGuardedShop } from '../../support/guarded-shop.ts'
import { type IssuedTokens, issueTokens } from '../../support/issued-tokens.ts'
import { readParts } from '../../support/parts.ts'
import { post, routerOn, send, type TestRouter, until } from '../../support/router.ts'

const SETTINGS = `
authorization:
  policies: { auditor: { claim: groups, contains: auditors } }
engine: { enable_defer: true }
response: { cache_control: "public, max-age=60" }
dev_mode: true
tracing: { vendor: Shop }
batching: { enabled: true }
`
const USERS = {
  ann: { sub: 'ann' },
  bob: { sub: 'bob' },
  payroll: { scope: 'pay read' },
  half: { scope: 'pay' },
  admin: { scope: ['admin', 'roles'] },
  auditor: { groups: ['auditors'] },
}
type Who = keyof typeof USERS | null

const stack = new AsyncDisposableStack()
let tokens: IssuedTokens
let settings: string
let shop: GuardedShop
let world: ConfigWorld
let router: TestRouter
let revision = 1

beforeAll(async () => {
  tokens = stack.use(await issueTokens(USERS))
  settings = `${SETTINGS}authentication: ${tokens.settings}\n`
  shop = stack.use(await startGuardedShop())
  world = stack.use(await ConfigWorld.create())
  await world.publish({ revision, base: shop.base, flags: { next: shop.flag } })
  router = stack.use(await routerOn(world, { settings }))
  await router.ready
})
afterAll(() => stack.disposeAsync())
beforeEach(() => {
  shop.takeAsked()
  shop.carriedOut.length = 0
})

const as = (who: Who, more: Record<string, string> = {}) => ({
  ...(who === null ? {} : tokens.headersOf(who)),
  ...more,
})

async function ask(query: string, who: Who = null, on: TestRouter = router) {
  const { json, headers, status } = await post(on, { query }, as(who))
  const errors = (json.errors ?? []).map(({ path }) => (Array.isArray(path) ? path.join('.') : null))
  return { data: json.data, errors, all: json.errors ?? [], caching: headers['cache-control'], status }
}

describe('a field that a request may not see', () => {
  it('is null with an error at each of its places, and no subgraph is asked for it', async () => {
    const { data, errors, all } = await ask('{ users { name mail: email } }')
    expect(data).toEqual({
      users: [
        { name: 'Name 1', mail: null },
        { name: 'Name 2', mail: null },
      ],
    })
    expect(errors).toEqual(['users.0.mail', 'users.1.mail'])
    expect(all[0]).toEqual({
      message: 'Not authorized to see User.email.',
      path: ['users', 0, 'mail'],
      extensions: { code: 'UNAUTHORIZED_FIELD_OR_TYPE' },
    })
    expect(shop.takeAsked()).toEqual(['accounts: {users{name}}'])
    expect((await ask('{ me { email } }', 'ann')).data).toEqual({ me: { email: '1@x' } })
  })

  it('is seen by whose claims have all scopes of one of the lists, or the policy', async () => {
    const seen = async (field: string, who: Who) =>
      (await ask(`{ me { ${field} } }`, who)).errors.length === 0
    expect(await seen('salary', null)).toBe(false)
    expect(await seen('salary', 'ann')).toBe(false)
    expect(await seen('salary', 'half')).toBe(false)
    expect(await seen('salary', 'payroll')).toBe(true)
    expect(await seen('salary', 'admin')).toBe(true)
    expect(await seen('note', 'admin')).toBe(false)
    expect(await seen('note', 'auditor')).toBe(true)
    expect(await seen('role', 'payroll')).toBe(false)
    expect(await seen('role', 'admin')).toBe(true)
  })

  it('is not seen by claims of somebody who stands in where the composition is chosen', async () => {
    const standIn = { claims: USERS.admin, headers: as('admin') }
    const stoodFor = {
      'x-shop-trace': 'true',
      'x-shop-trace-as': Buffer.from(JSON.stringify(standIn)).toString('base64'),
    }
    const query = '{ users { email } me { salary } }'
    for (const who of [null, 'half'] as const) {
      const own = await post(router, { query }, as(who))
      const { json } = await post(router, { query }, as(who, stoodFor))
      expect(parseTrace(json).stand_in?.claims).toHaveLength(1)
      expect([json.data, json.errors]).toEqual([own.json.data, own.json.errors])
      expect(own.json.errors?.map(({ path }) => String(path))).toContain('me,salary')
    }
  })

  it('is not fetched for entities and for what is computed from it either', async () => {
    expect(await ask('{ me { parcels letter } }')).toMatchObject({
      data: { me: { parcels: 2, letter: null } },
      errors: ['me.letter'],
    })
    expect(shop.takeAsked().join()).not.toMatch(/email|letter/)
    expect((await ask('{ me { letter } }', 'ann')).data).toEqual({ me: { letter: 'to 1@x' } })
  })

  it('takes its object along where it must not be null', async () => {
    expect(await ask('{ me { name boss { salary } } }', 'ann')).toMatchObject({
      data: { me: { name: 'Name 1', boss: null } },
      errors: ['me.boss.salary'],
    })
  })

  it('is told by the type of each object of a union, and of an interface when one type is protected', async () => {
    const query = '{ found { ... on User { id } ... on Audit { text } } }'
    expect((await ask(query)).data).toEqual({ found: [{ id: '1' }, { text: null }] })
    expect(shop.takeAsked().join()).not.toContain('text')
    expect((await ask(query, 'auditor')).data).toEqual({ found: [{ id: '1' }, { text: 'log' }] })
    expect(await ask('{ things { id } }')).toMatchObject({ data: { things: null }, errors: ['things'] })
    expect((await ask('{ things { id } }', 'auditor')).data).toEqual({ things: [{ id: '1' }, { id: 'a' }] })
  })

  it('ends a mutation that must fail, before what follows it', async () => {
    expect((await ask('mutation { count raise last }')).data).toBeNull()
    expect(shop.carriedOut).toEqual(['count'])
    await ask('mutation { count raise last }', 'ann')
    expect(shop.carriedOut).toEqual(['count', 'count', 'raise', 'last'])
  })

  it('is null in its part of a deferred answer, which no cache stores', async () => {
    const query = '{ me { name ... @defer { parcels email } } }'
    const accept = 'multipart/mixed;incrementalSpec=v0.2'
    const reply = await post(router, { query }, { accept })
    expect(
      readParts([Buffer.from(reply.text)])
        .map(({ text }) => text)
        .join(),
    ).toContain('"path":["me","email"],"extensions":{"code":"UNAUTHORIZED_FIELD_OR_TYPE"}')
    expect(reply.headers['cache-control']).toBe('no-cache, no-store')
    expect(shop.takeAsked().join()).not.toContain('email')
    const seen = await post(router, { query }, as('ann', { accept }))
    expect(seen.text).toContain('"email":"1@x"')
  })

  it('is in the answer of nobody else who asks the same at the same time', async () => {
    const query = '{ users { email salary } me { salary } }'
    const all: readonly Who[] = [null, 'ann', 'payroll', null, 'bob', 'half', 'payroll', 'admin', 'ann']
    const alone = new Map<Who, unknown>()
    for (const who of all) alone.set(who, (await ask(query, who)).all)
    shop.takeAsked()
    const holding = shop.hold()
    const asking = Promise.all(all.map((who) => ask(query, who)))
    await until(() => router.activeRequests() === all.length, 'all are in progress')
    holding[Symbol.dispose]()
    for (const [index, { all: errors }] of (await asking).entries())
      expect(errors).toEqual(alone.get(all[index] ?? null))
    // The others: one fetch for those who may see all, one for those who may see the address alone.
    expect(shop.takeAsked().length).toBeLessThanOrEqual(3)
  })

  it('is listed in the trace of the request', async () => {
    const query = '{ me { name email letter } }'
    const traced = async (who: Who) =>
      JSON.parse((await post(router, { query }, as(who, { 'x-shop-trace': 'true' }))).text).extensions.trace
    expect((await traced(null)).denied).toEqual(['User.email', 'User.letter'])
    expect(await traced('ann')).not.toHaveProperty('denied')
  })

  it('is counted in the log line of the request, also of one that joined another', async () => {
    router.logs.length = 0
    const holding = shop.hold()
    const asking = Promise.all(['', ''].map(() => ask('query Denied { me { name email salary } }')))
    await until(() => router.activeRequests() === 2, 'both are in progress')
    holding[Symbol.dispose]()
    await asking
    const lines = await until(() => {
      const found = router.logs.filter(({ operation }) => operation === 'Denied')
      return found.length === 2 && found
    }, 'both lines')
    expect(lines).toMatchObject([{ denied: 2 }, { denied: 2, joined: true }])
    await ask('query Allowed { me { name } }')
    const line = await until(() => router.logs.find(({ operation }) => operation === 'Allowed'), 'the line')
    expect(line).not.toHaveProperty('denied')
  })
})

describe('several operations in one request', () => {
  it('are answered by who asks', async () => {
    const list = JSON.stringify(['{ me { email } }', '{ me { id email note } }'].map((query) => ({ query })))
    const answers = async (who: Who) => {
      const { text } = await post(router, list, as(who))
      return (JSON.parse(text) as readonly { readonly data: unknown }[]).map(({ data }) => data)
    }
    expect(await answers(null)).toEqual([
      { me: { email: null } },
      { me: { id: '1', email: null, note: null } },
    ])
    expect(await answers('ann')).toEqual([
      { me: { email: '1@x' } },
      { me: { id: '1', email: '1@x', note: null } },
    ])
  })
})

describe('fetches of users who ask at the same time', () => {
  it('are one call where they ask a subgraph for the same, and no other', async () => {
    const holding = shop.hold()
    const asking = [
      ask('{ me { name email } }', 'ann'),
      ask('{ me { name email } }', 'bob'),
      ask('{ me { name email } }', 'payroll'),
      ask('{ me { name email } }', null),
    ]
    await until(() => router.activeRequests() === asking.length, 'all are in progress')
    holding[Symbol.dispose]()
    const [ann, bob, payroll, nobody] = (await Promise.all(asking)).map(({ data }) => data)
    for (const seen of [ann, bob, payroll]) expect(seen).toEqual({ me: { name: 'Name 1', email: '1@x' } })
    expect(nobody).toEqual({ me: { name: 'Name 1', email: null } })
    expect([...shop.takeAsked()].sort()).toEqual(['accounts: {me{name email}}', 'accounts: {me{name}}'])
  })
})

describe('caches between the router and clients', () => {
  const get = (query: string, who: Who) =>
    send(`${router.graphqlUrl}?query=${encodeURIComponent(query)}`, {
      headers: as(who, { 'apollo-require-preflight': '1' }),
    })

  it('keep no answer that depends on who asks, and others as the settings say', async () => {
    expect((await get('{ me { email } }', 'ann')).headers['cache-control']).toBe('no-store')
    expect((await get('{ me { email } }', null)).headers['cache-control']).toBe('no-store')
    expect((await get('{ me { name } }', null)).headers['cache-control']).toBe('public, max-age=60')
    const together = await Promise.all(['', '', ''].map(() => get('{ me { id email } }', 'ann')))
    for (const { headers } of together) expect(headers['cache-control']).toBe('no-store')
  })
})

describe('authorization.reject_unauthorized', () => {
  it('refuses the operation as a whole, with 403, and asks no subgraph', async () => {
    const rejecting = settings.replace('authorization:', 'authorization:\n  reject_unauthorized: true')
    await using strict = await routerOn(world, { settings: rejecting })
    await strict.ready
    const refused = await ask('{ me { name email salary } }', 'half', strict)
    expect(refused).toMatchObject({ status: 403, data: undefined, caching: 'no-store' })
    expect(refused.all).toEqual([
      {
        message: 'Not authorized to see User.salary. Nothing of the operation was executed.',
        extensions: { code: 'UNAUTHORIZED_FIELD_OR_TYPE' },
      },
    ])
    expect(await ask('mutation { count raise }', null, strict)).toMatchObject({ status: 403 })
    const deferred = '{ me { name ... @defer { email } } }'
    const accept = 'multipart/mixed;incrementalSpec=v0.2'
    expect((await post(strict, { query: deferred }, { accept })).status).toBe(403)
    expect(shop.takeAsked()).toEqual([])
    expect(
      await ask('query ($no: Boolean = false) { me { name email @include(if: $no) } }', null, strict),
    ).toMatchObject({
      status: 200,
      data: { me: { name: 'Name 1' } },
    })
    const all = '{ me { email salary note role letter } audit { id } things { id } }'
    const [error] = (await ask(all, null, strict)).all
    expect(error?.message).toMatch(/^Not authorized to see (?:\w+\.\w+, ){4}\w+\.\w+ and \d more\./)
  })
})

describe('a feature flag', () => {
  it('has the access rules of its own composition, also while it comes and goes', async () => {
    const names = async (headers: Record<string, string>) =>
      JSON.stringify((await post(router, { query: '{ me { name } }' }, headers)).json.data)
    const [seen, hidden] = ['{"me":{"name":"Name 1"}}', '{"me":{"name":null}}']
    const next = { 'x-feature-flag': 'next' }
    expect(await names({})).toBe(seen)
    expect(await names(next)).toBe(hidden)
    expect(await names({ ...as('ann'), ...next })).toBe(seen)
    await world.publish({ revision: ++revision, base: shop.base })
    await until(async () => (await names(next)) === seen, 'base answers')
    await world.publish({ revision: ++revision, base: shop.flag })
    await until(async () => (await names({})) === hidden, 'base is protected')
    expect(await names(as('bob'))).toBe(seen)
    await world.publish({ revision: ++revision, base: shop.base, flags: { next: shop.flag } })
    await until(async () => (await names({})) === seen, 'base is open')
    expect(await names(next)).toBe(hidden)
  })
})

describe('what the log says of access rules when a composition is built', () => {
  /** Without a flag: each composition that is built has lines of its own. */
  let alone: ConfigWorld
  beforeAll(async () => {
    alone = await ConfigWorld.create()
    await alone.publish({ revision: 1, base: shop.base })
  })
  afterAll(() => alone[Symbol.asyncDispose]())

  const events = ({ logs }: TestRouter) =>
    logs.filter(({ event }) => /^config\.(access|nobody|policies)/.test(event ?? ''))

  it('is nothing where all can be decided, and which policies no rule decides', async () => {
    expect(events(router)).toEqual([])
    await using other = await routerOn(alone, { settings: `authentication: ${tokens.settings}` })
    await other.ready
    expect(events(other)).toMatchObject([
      { event: 'config.policies-undecided', policies: ['auditor'], count: 1 },
    ])
    expect((await ask('{ me { note } }', 'auditor', other)).data).toEqual({ me: { note: null } })
  })

  it('is that nobody can be identified, where the router has no authentication: nobody sees anything then', async () => {
    await using other = await routerOn(alone, {})
    await other.ready
    expect(events(other)).toMatchObject([
      {
        event: 'config.nobody-identified',
        rules: ['authenticated', 'policy', 'requiresScopes'],
        msg: expect.stringMatching(
          /@authenticated, @policy, @requiresScopes, but the router has no authentication/,
        ),
      },
    ])
  })

  it('is that rules are not enforced, where the graph allows that: then everybody sees everything', async () => {
    await using open = await startGuardedShop(true)
    await using openWorld = await ConfigWorld.create()
    await openWorld.publish({ revision: 1, base: open.base })
    await using other = await routerOn(openWorld, { settings })
    await other.ready
    expect(events(other)).toMatchObject([{ event: 'config.access-rules-not-enforced' }])
    expect(await ask('{ me { name email salary } }', null, other)).toMatchObject({
      data: { me: { name: 'Name 1', email: '1@x', salary: 10 } },
      errors: [],
      caching: 'public, max-age=60',
    })
  })
})
