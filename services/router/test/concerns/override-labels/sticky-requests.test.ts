/** Sticky sides and labels of flags, over HTTP. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { packed } from '../../support/artifacts.ts'
import { ConfigWorld } from '../../support/config-world.ts'
import { issueTokens } from '../../support/issued-tokens.ts'
import { type RawSubgraph, startRawSubgraph } from '../../support/ledger.ts'
import { answerAs, movingSupergraph } from '../../support/moving-fields.ts'
import { traced } from '../../tracing/recorder/traced.ts'
import { post, routerOn, send, type TestRouter, until } from '../../support/router.ts'

const QUERY = '{ latest { views likes } }'
const BY_USER = 'progressive_override: { key: [{ header: X-User }], active_labels: [next] }'
/** Without what fetches share, which hides whether requests do. */
const ALONE = 'subgraphs: { share_inflight: false }'

const stack = new AsyncDisposableStack()
let world: ConfigWorld
let old: RawSubgraph
let fresh: RawSubgraph
let router: TestRouter
beforeAll(async () => {
  old = stack.use(await startRawSubgraph())
  fresh = stack.use(await startRawSubgraph())
  world = stack.use(await ConfigWorld.create())
  const urls = { old: old.url, fresh: fresh.url }
  const artifactOf = (labels: Parameters<typeof movingSupergraph>[0]) =>
    packed({
      formatVersion: 1,
      supergraphSdl: movingSupergraph(labels, urls),
      subgraphs: [
        { name: 'fresh', routingUrl: fresh.url },
        { name: 'old', routingUrl: old.url },
      ],
      compatibilityVersion: 'join/v0.5',
    })
  const base = artifactOf({ latest: 'percent(50)', views: 'percent(50)', likes: 'next' })
  await world.publish({ revision: 1, base, flags: { next: base, other: base } })
  router = stack.use(await started(`${BY_USER}\nresponse: { cache_control: "public, max-age=60" }\n${ALONE}`))
})
afterAll(() => stack.disposeAsync())
beforeEach(() => {
  answerAs(old, 'old')
  answerAs(fresh, 'fresh')
})

async function started(settings: string): Promise<TestRouter> {
  const made = await routerOn(world, { settings })
  await made.ready
  return made
}

// Where they stand: 9.70 and 90.80 of 100.
const SIDES = { ann: 'fresh', ben: 'old' } as const
type User = keyof typeof SIDES
const get = (query: string, headers: Record<string, string> = {}, from: TestRouter = router) =>
  send(`${from.graphqlUrl}?query=${encodeURIComponent(query)}`, {
    headers: { 'apollo-require-preflight': '1', ...headers },
  })

describe('a user', () => {
  it('is answered by the same side every time, and never by that of another', async () => {
    const users = Array.from({ length: 2000 }, (_, index): User => (index % 2 === 0 ? 'ann' : 'ben'))
    for (let from = 0; from < users.length; from += 100) {
      const together = users.slice(from, from + 100)
      const replies = await Promise.all(
        together.map((name) => post(router, { query: '{ latest { views } }' }, { 'x-user': name })),
      )
      expect(replies.map(({ json }) => json.data)).toEqual(
        together.map((name) => ({ latest: { views: SIDES[name] } })),
      )
    }
  })

  it('shares an execution in flight with others of the side alone', async () => {
    const held = Promise.withResolvers<void>()
    for (const [subgraph, name] of [
      [old, 'old'],
      [fresh, 'fresh'],
    ] as const)
      subgraph.answers((_, response) => {
        void held.promise.then(() =>
          response
            .writeHead(200, { 'content-type': 'application/json' })
            .end(`{"data":{"latest":{"__typename":"Post","id":"1","views":"${name}"}}}`),
        )
      })
    // Of these, three stand inside and three outside of 50 percent.
    const inside = ['ann', 'user-1', 'user-6']
    const users = [...inside, 'ben', 'user-2', 'user-5']
    const replies = users.map((name) =>
      post(router, { query: '{ latest { views id } }' }, { 'x-user': name }),
    )
    await until(() => router.activeRequests() === replies.length, 'all requests are in flight')
    held.resolve()
    const sides = (await Promise.all(replies)).map(({ json }) => json.data)
    expect(sides).toMatchObject(
      users.map((name) => ({ latest: { views: inside.includes(name) ? 'fresh' : 'old' } })),
    )
    expect([old.received.length, fresh.received.length]).toEqual([1, 1])
  })

  it('may be tried by somebody else, with a trace', async () => {
    await using open = await started(`dev_mode: true\n${BY_USER}\n${ALONE}`)
    const standIn = { headers: { 'X-User': 'ann' } }
    const as = { 'x-vendor-trace-as': Buffer.from(JSON.stringify(standIn)).toString('base64') }
    const query = '{ latest { views } }'
    const { reply, trace } = await traced(open, { query }, { 'x-user': 'ben', ...as })
    expect(reply.json.data).toEqual({ latest: { views: SIDES.ann } })
    expect([trace.override_labels, trace.stand_in]).toEqual([
      ['percent(50)'],
      { headers: { 'x-user': '[redacted]' } },
    ])
    const ignored = await post(open, { query }, { 'x-user': 'ben', ...as })
    expect(ignored.json.data).toEqual({ latest: { views: SIDES.ben } })
  })

  it('has the side of a claim of the verified token, whatever else the request says', async () => {
    await using tokens = await issueTokens({ ann: { sub: 'ann' }, ben: { sub: 'ben' } })
    await using byClaim = await started(
      `authentication: ${tokens.settings}\nprogressive_override: { key: [{ claim: sub }, { header: X-User }] }\n${ALONE}`,
    )
    const query = '{ latest { views id } }'
    const asked = [
      [{ ...tokens.headersOf('ann'), 'x-user': 'ben' }, 'fresh'],
      [{ ...tokens.headersOf('ben'), 'x-user': 'ann' }, 'old'],
      [{ 'x-user': 'ann' }, 'fresh'],
    ] as const
    const replies = await Promise.all(asked.map(([headers]) => post(byClaim, { query }, headers)))
    expect(replies.map(({ json }) => json.data)).toMatchObject(
      asked.map(([, views]) => ({ latest: { views } })),
    )
  })

  it('has the side of a cookie', async () => {
    await using byCookie = await started('progressive_override: { key: [{ cookie: visitor }] }')
    for (const [name, views] of Object.entries(SIDES)) {
      const { json } = await post(
        byCookie,
        { query: '{ latest { views } }' },
        { cookie: `a=b; visitor=${name}` },
      )
      expect(json.data).toEqual({ latest: { views } })
    }
  })
})

describe('caches', () => {
  it('keep an answer for its user alone where the key decided', async () => {
    const decided = await get('{ latest { views } }', { 'x-user': 'ann' })
    expect(decided.headers['cache-control']).toBe('private, max-age=60')
    expect(String(decided.headers.vary).split(', ')).toContain('X-User')
    const others = await get('{ all { id } }', { 'x-user': 'ann' })
    expect(others.headers['cache-control']).toBe('public, max-age=60')
    const nobody = await get('{ latest { views } }')
    expect(nobody.headers['cache-control']).toBe('public, max-age=60')
    expect(nobody.headers.vary).toBe(decided.headers.vary)
  })

  it('do so as well where subgraphs say for how long', async () => {
    await using computed = await started(`${BY_USER}\nresponse: { cache_control: computed }`)
    for (const subgraph of [old, fresh])
      subgraph.answers((_, response) =>
        response
          .writeHead(200, { 'content-type': 'application/json', 'cache-control': 'public, max-age=30' })
          .end('{"data":{"latest":{"__typename":"Post","id":"1","views":"v"}}}'),
      )
    const query = '{ latest { views } }'
    expect((await get(query, { 'x-user': 'ben' }, computed)).headers['cache-control']).toBe(
      'max-age=30, private',
    )
    expect((await get(query, {}, computed)).headers['cache-control']).toBe('max-age=30, public')
  })
})

it('a trace names the labels that were active', async () => {
  await using open = await started(`dev_mode: true\n${BY_USER}`)
  const labelsOf = async (headers: Record<string, string>) =>
    (await traced(open, { query: QUERY }, headers)).trace.override_labels
  expect(await labelsOf({ 'x-user': 'ann', 'x-feature-flag': 'next' })).toEqual(['next', 'percent(50)'])
  expect(await labelsOf({ 'x-user': 'ann' })).toEqual(['percent(50)'])
  expect(await labelsOf({ 'x-user': 'ben' })).toBeUndefined()
})

describe('a label that is the name of a flag', () => {
  it('is active in the composition of that flag alone, whatever else is set', async () => {
    for (const [flag, likes] of [
      [{}, 'old'],
      [{ 'x-feature-flag': 'next' }, 'fresh'],
      [{ 'x-feature-flag': 'other' }, 'old'],
      [{ 'x-feature-flag': 'unknown' }, 'old'],
    ] as const) {
      const { json } = await post(router, { query: QUERY }, { 'x-user': 'ben', ...flag })
      expect(json.data).toEqual({ latest: { views: 'old', likes } })
    }
  })
})
