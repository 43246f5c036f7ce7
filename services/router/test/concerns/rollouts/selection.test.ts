/** Which composition answers a request while rollouts run, over HTTP. */
import type { ManifestRollout } from '@switchyard/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { brokenArtifact, type BuiltArtifact, buildArtifact } from '../../support/artifacts.ts'
import { ConfigWorld } from '../../support/config-world.ts'
import { issueTokens } from '../../support/issued-tokens.ts'
import { rollout, untilServed, usersOf } from '../../support/rollouts.ts'
import { post, type Reply, routerOn, type TestRouter, until } from '../../support/router.ts'
import { type Shop, startShop } from '../../support/shop.ts'

const QUERY = { query: '{ version }' }
const { inside, outside } = usersOf(50, 40)
const [ann = ''] = inside
const [ben = ''] = outside
const ANN = { 'x-user': ann }
const BEN = { 'x-user': ben }

let shop: Shop
beforeAll(async () => {
  shop = await startShop()
})
afterAll(() => shop[Symbol.asyncDispose]())

const variant = (name: string): BuiltArtifact =>
  buildArtifact('next', { products: `${shop.next.url}?variant=${name}`, reviews: shop.reviews.url })

type Served = AsyncDisposable & { readonly world: ConfigWorld; readonly router: TestRouter }

/** A router that serves the flags `next`, `other` and `broken` with these rollouts. */
async function serving(rollouts: readonly ManifestRollout[], settings = ''): Promise<Served> {
  await using stack = new AsyncDisposableStack()
  const world = stack.use(await ConfigWorld.create())
  const flags = { next: shop.flag, other: variant('other'), broken: brokenArtifact() }
  await world.publish({ revision: 1, base: shop.base, flags, rollouts })
  const router = stack.use(await routerOn(world, { settings }))
  await router.ready
  const parts = stack.move()
  return { world, router, [Symbol.asyncDispose]: () => parts.disposeAsync() }
}

const isNext = ({ json }: Reply) => json.data?.['version'] === 'products-next'

/** The log says why, for the last request. */
async function reasonOf(router: TestRouter, request: () => Promise<Reply>) {
  const before = router.logs.filter(({ event }) => event === 'request.answered').length
  const reply = await request()
  const line = await until(
    () => router.logs.filter(({ event }) => event === 'request.answered')[before],
    'the request is logged',
  )
  expect(isNext(reply)).toBe(line['flag'] !== null)
  expect(reply.headers['x-feature-flag'] ?? null).toBe(line['flag'])
  return [line['flagReason'], line['flag'], line['rollout'] ?? null]
}

describe('a request that names no flag', () => {
  it.each<[string, Record<string, string>, readonly unknown[]]>([
    ['inside of the percentage', ANN, ['rollout', 'next', 'catalogue']],
    ['outside of the percentage', BEN, ['rollout-control', null, 'catalogue']],
    ['without a key', {}, ['none', null, null]],
    ['with a blank key', { 'x-user': ' ' }, ['none', null, null]],
    ['with a key of 8 KiB', { 'x-user': 'x'.repeat(8192) }, ['none', null, null]],
    [
      'with a blank header and a blank cookie',
      { ...ANN, 'x-feature-flag': ' ', cookie: 'feature_flag=' },
      ['rollout', 'next', 'catalogue'],
    ],
    ['with a flag in its header', { ...BEN, 'x-feature-flag': 'next' }, ['header', 'next', null]],
    ['with a flag in its cookie', { ...BEN, cookie: 'feature_flag=next' }, ['cookie', 'next', null]],
    ['that names an unknown flag', { ...ANN, 'x-feature-flag': 'gone' }, ['unknown', null, null]],
    [
      'that names a flag which is not served',
      { ...ANN, 'x-feature-flag': 'broken' },
      ['not-served', null, null],
    ],
  ])('%s', async (_, headers, expected) => {
    await using served = await serving([rollout()])
    expect(await reasonOf(served.router, () => post(served.router, QUERY, headers))).toEqual(expected)
  })

  it('is decided by the first rollout whose audience and key it has', async () => {
    await using tokens = await issueTokens({
      pro: { sub: ann, plan: 'pro', roles: ['reader', 'editor'] },
      free: { sub: ann, plan: 'free' },
    })
    const rollouts = [
      rollout({ name: 'expired', percent: 100, key: [], expires: '2026-01-01T00:00:00.000Z' }),
      rollout({ name: 'unknown-flag', flag: 'gone', percent: 100, key: [] }),
      rollout({ name: 'shadow', mode: 'shadow', percent: 100, key: [] }),
      rollout({ name: 'no-key', percent: 100, key: ['header:X-Nobody'] }),
      rollout({
        name: 'editors',
        flag: 'other',
        percent: 100,
        key: [],
        where: [{ on: 'claim:roles', equals: 'editor' }],
      }),
      rollout({ name: 'pro', percent: 0, key: ['claim:sub'], where: [{ on: 'claim:plan', in: ['pro'] }] }),
      rollout({ name: 'users', key: ['claim:sub'] }),
      rollout({ name: 'others', percent: 0, key: [] }),
    ]
    await using served = await serving(rollouts, `authentication: ${tokens.settings}`)
    const { router } = served
    const asked = (headers: Record<string, string>) => reasonOf(router, () => post(router, QUERY, headers))
    expect(await asked(tokens.headersOf('pro'))).toEqual(['rollout', 'other', 'editors'])
    expect(await asked(tokens.headersOf('free'))).toEqual(['rollout', 'next', 'users'])
    expect(await asked({})).toEqual(['rollout-control', null, 'others'])
    // No header stands in for a claim.
    expect(await asked({ plan: 'pro', sub: ann, roles: 'editor' })).toEqual([
      'rollout-control',
      null,
      'others',
    ])
  })

  it('is decided by the first value that it has, of headers that are sent repeatedly', async () => {
    await using served = await serving([rollout()])
    const twice = (await post(served.router, QUERY, { 'x-user': [ann, ben] })).headers['x-feature-flag']
    const joined = (await post(served.router, QUERY, { 'x-user': `${ann}, ${ben}` })).headers[
      'x-feature-flag'
    ]
    expect(twice).toBe(joined)
  })

  it('gets base while the composition of its flag cannot be served', async () => {
    await using served = await serving([rollout({ flag: 'broken', percent: 100 })])
    const { router } = served
    expect(await reasonOf(router, () => post(router, QUERY, ANN))).toEqual([
      'rollout-not-ready',
      null,
      'catalogue',
    ])
  })

  it('is told once of conditions that nobody understands', async () => {
    const where = [{ on: 'client_version', semver: 'not a range' }]
    const rollouts = [
      rollout({ where }),
      rollout({ name: 'second', where: [{ on: 'address', not: { in: ['x'] } }] }),
    ]
    await using served = await serving(rollouts)
    const { world, router } = served
    expect((await post(router, QUERY, ANN)).headers['x-feature-flag']).toBeUndefined()
    await world.publish({ revision: 2, base: shop.base, flags: { next: shop.flag }, rollouts })
    await untilServed(router, 2)
    const told = router.logs.filter(({ event }) => event === 'rollouts.not-understood')
    expect(told).toEqual([expect.objectContaining({ count: 2 })])
  })
})

describe('the operations of a batch', () => {
  it('get one composition, and the batch no other', async () => {
    await using served = await serving([rollout()], 'batching: { enabled: true }')
    const body = JSON.stringify([QUERY, { query: '{ version topProducts { upc } }' }, QUERY])
    for (const [headers, version] of [
      [ANN, 'products-next'],
      [BEN, 'products'],
    ] as const) {
      const { text } = await post(served.router, body, headers)
      const versions = JSON.parse(text).map((answer: Reply['json']) => answer.data?.['version'])
      expect(versions).toEqual([version, version, version])
    }
  })
})

describe('two users in different buckets', () => {
  it('never get the composition of the other, with equal queries at the same instant', async () => {
    await using served = await serving([rollout()])
    const users = inside.flatMap((user, index) => [user, outside[index] ?? ''])
    for (let round = 0; round < 40; round++) {
      const replies = await Promise.all(users.map((user) => post(served.router, QUERY, { 'x-user': user })))
      expect(replies.map(isNext)).toEqual(users.map((_, index) => index % 2 === 0))
    }
    const joined = served.router.logs.filter(({ event, joined: is }) => event === 'request.answered' && is)
    expect(joined.length).toBeGreaterThan(0)
  })
})

describe('a swap between manifests under load', () => {
  it('fails no request, and everybody has the percentage of a manifest', async () => {
    await using served = await serving([rollout({ percent: 0 })])
    const { world, router } = served
    const flags = { next: shop.flag }
    const over = new AbortController()
    const replies: { readonly user: string; readonly reply: Reply }[] = []
    const load = inside
      .slice(0, 4)
      .concat(outside.slice(0, 4))
      .map(async (user) => {
        while (!over.signal.aborted)
          replies.push({ user, reply: await post(router, QUERY, { 'x-user': user }) })
      })
    for (let revision = 2; revision < 12; revision++) {
      const rollouts = revision % 2 === 0 ? [rollout()] : []
      await world.publish({ revision, base: shop.base, flags, rollouts })
      await untilServed(router, revision)
    }
    over.abort()
    await Promise.all(load)
    expect(replies.filter(({ reply }) => reply.status !== 200 || reply.json.errors !== undefined)).toEqual([])
    expect(replies.filter(({ user, reply }) => isNext(reply) && outside.includes(user))).toEqual([])
    expect(replies.filter(({ reply }) => isNext(reply)).length).toBeGreaterThan(0)
  })
})
