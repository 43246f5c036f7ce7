/** What caches may keep while rollouts run, and a cache that obeys it between users and a router. */
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { ManifestRollout } from '@switchyard/contracts'
import { RolloutTable } from '@switchyard/rollouts'
import { Agent, cacheStores, interceptors } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadRouterConfig } from '../../../src/config/router-config.ts'
import { NO_FLAG } from '../../../src/flags/requested-flag.ts'
import { AnswerCaching } from '../../../src/pipeline/answers/answer-caching.ts'
import type { Asking } from '../../../src/request/asking.ts'
import { NO_STAND_IN } from '../../../src/request/decision.ts'
import { ConfigWorld } from '../../support/config-world.ts'
import { issueTokens, type IssuedTokens } from '../../support/issued-tokens.ts'
import { rollout, usersOf } from '../../support/rollouts.ts'
import { post, routerOn, send, type TestRouter } from '../../support/router.ts'
import { type Shop, startShop } from '../../support/shop.ts'

const { inside, outside } = usersOf(50, 20)
const [ann = ''] = inside
const [ben = ''] = outside
const PUBLIC = 'public, max-age=600, s-maxage=900, stale-while-revalidate=3600'

let shop: Shop
let tokens: IssuedTokens
beforeAll(async () => {
  shop = await startShop()
  const users = Object.fromEntries([...inside, ...outside].map((name) => [name, { sub: name }]))
  tokens = await issueTokens(users)
})
afterAll(async () => {
  await shop[Symbol.asyncDispose]()
  await tokens[Symbol.asyncDispose]()
})

type Served = AsyncDisposable & { readonly router: TestRouter }

async function serving(rollouts: readonly ManifestRollout[]): Promise<Served> {
  await using stack = new AsyncDisposableStack()
  const world = stack.use(await ConfigWorld.create())
  await world.publish({ revision: 1, base: shop.base, flags: { next: shop.flag }, rollouts })
  const settings = `authentication: ${tokens.settings}\nresponse: { cache_control: "${PUBLIC}" }`
  const router = stack.use(await routerOn(world, { settings, source: { trusted: true } }))
  await router.ready
  const parts = stack.move()
  return { router, [Symbol.asyncDispose]: () => parts.disposeAsync() }
}

const urlOf = (router: TestRouter) => `${router.graphqlUrl}?query=${encodeURIComponent('{ version }')}`
const PREFLIGHT = { 'apollo-require-preflight': '1' }
const get = (router: TestRouter, headers: Record<string, string> = {}) =>
  send(urlOf(router), { headers: { ...PREFLIGHT, ...headers } })
const cachingOf = async (router: TestRouter, headers: Record<string, string> = {}) =>
  (await get(router, headers)).headers['cache-control']

describe('while a rollout reads who asks', () => {
  const SHORT = 'private, max-age=60'

  it.each<[string, Partial<ManifestRollout>]>([
    ['a claim as key', { key: ['claim:sub'] }],
    ['a claim in a condition', { where: [{ on: 'claim:plan', equals: 'pro' }], key: [], percent: 100 }],
    ['a cookie', { key: ['header:X-User', 'cookie:who'] }],
    ['the assigned cookie', { key: ['visitor_cookie'] }],
    ['the address', { where: [{ on: 'address', equals: '10.0.0.0/8' }] }],
    ['a claim, at 0 percent', { key: ['claim:sub'], percent: 0 }],
  ])('all answers to requests without a flag are private and short: %s', async (_, change) => {
    await using served = await serving([rollout({ name: 'other' }), rollout(change)])
    const { router } = served
    const senders = [{}, { 'x-user': ann }, { 'x-user': ben }, tokens.headersOf(ann), tokens.headersOf(ben)]
    for (const headers of senders) expect(await cachingOf(router, headers)).toBe(SHORT)
    expect(await cachingOf(router, { 'x-feature-flag': ' ' })).toBe(SHORT)
    // Who names a flag gets it, whoever that is.
    expect(await cachingOf(router, { 'x-feature-flag': 'next' })).toBe(PUBLIC)
    expect(await cachingOf(router, { 'x-feature-flag': 'gone' })).toBe(PUBLIC)
  })

  it.each([
    [600, 'max-age=60, private'],
    [20, 'max-age=20, private'],
  ])('so are those whose lifetime of %s seconds subgraphs decide', async (maxAge, expected) => {
    const text = 'response: { cache_control: computed }'
    const caching = new AnswerCaching(loadRouterConfig({ file: { path: 'router.yaml', text } }), false, [])
    const asking = {
      address: '',
      clientName: '',
      clientVersion: '',
      headers: {},
      identity: null,
      visitor: null,
    }
    const rollouts = new RolloutTable<Asking>({
      rollouts: [rollout({ key: ['claim:sub'] })],
      flags: new Set(['next']),
      readerOf: () => () => null,
    })
    const decision = { choice: NO_FLAG, rollouts, asking, at: 1, visitor: null, standIn: NO_STAND_IN }
    const ofRequest = { request: new IncomingMessage(new Socket()), decision }
    const keeping = { maxAge, isPrivate: false }
    expect(caching.headersOfResult(ofRequest, keeping)).toEqual({ 'Cache-Control': expected })
    expect(caching.headersOfResult({ ...ofRequest, decision: null }, keeping)).toEqual({
      'Cache-Control': `max-age=${maxAge}, public`,
    })
  })

  it('answers that are never kept stay so', async () => {
    await using served = await serving([rollout({ key: ['claim:sub'] })])
    const { headers } = await post(served.router, { query: '{ version fails }' })
    expect(headers['cache-control']).toBe('no-store')
  })
})

describe('without such a rollout', () => {
  it.each<[string, readonly ManifestRollout[]]>([
    ['none', []],
    ['headers alone', [rollout({ where: [{ on: 'client', equals: 'ios' }] })]],
    ['one that has expired', [rollout({ key: ['claim:sub'], expires: '2026-01-01T00:00:00.000Z' })]],
    ['one without its flag', [rollout({ key: ['claim:sub'], flag: 'gone' })]],
    ['one that answers nobody', [rollout({ key: ['claim:sub'], mode: 'shadow' })]],
  ])('answers are kept as the settings say: %s', async (_, rollouts) => {
    await using served = await serving(rollouts)
    expect(await cachingOf(served.router, { 'x-user': ann })).toBe(PUBLIC)
  })
})

describe('Vary', () => {
  it('lists every header that an audience or a key reads, once', async () => {
    const where = [
      { on: 'claim:plan', equals: 'pro' } as const,
      { on: 'header:x-region', equals: 'eu' } as const,
      { on: 'client_version', semver: '>=2' } as const,
    ]
    await using served = await serving([
      rollout({ where }),
      rollout({ key: ['cookie:who', 'header:X-User'] }),
    ])
    const named = (await get(served.router, { 'x-feature-flag': 'next' })).headers.vary
    const { vary } = (await get(served.router)).headers
    expect(vary).toBe(named)
    expect(String(vary).split(', ')).toEqual([
      'Accept',
      'X-Feature-Flag',
      'Cookie',
      'Authorization',
      'X-VENDOR-Trace',
      'X-VENDOR-Token',
      'X-VENDOR-Trace-As',
      'x-region',
      'graphql-client-name',
      'apollographql-client-name',
      'graphql-client-version',
      'apollographql-client-version',
      'X-User',
    ])
  })
})

describe('a shared cache in front of a router', () => {
  it.each<[string, Partial<ManifestRollout>, (user: string) => Record<string, string>]>([
    ['a header', {}, (user) => ({ 'x-user': user })],
    ['a claim', { key: ['claim:sub'] }, (user) => tokens.headersOf(user)],
    ['a cookie', { key: ['cookie:who'] }, (user) => ({ cookie: `who=${user}` })],
  ])('gives nobody the composition of another user, by %s', async (_, change, headersOf) => {
    await using served = await serving([rollout(change)])
    const store = new cacheStores.MemoryCacheStore()
    const cache = new Agent().compose(interceptors.cache({ store, type: 'shared' }))
    const ask = async (headers: Record<string, string>) => {
      const origin = new URL(served.router.url).origin
      const path = urlOf(served.router).slice(origin.length)
      const reply = await cache.request({
        origin,
        path,
        method: 'GET',
        headers: { ...PREFLIGHT, ...headers },
      })
      return JSON.stringify(await reply.body.json())
    }
    const users = [...inside, ...outside]
    for (let round = 0; round < 25; round++) {
      const answers = await Promise.all([ask({}), ...users.map((user) => ask(headersOf(user)))])
      const expected = [false, ...users.map((user) => inside.includes(user))]
      expect(answers.map((answer) => answer.includes('products-next'))).toEqual(expected)
    }
    await cache.close()
  })
})
