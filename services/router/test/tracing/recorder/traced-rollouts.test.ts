/** What a trace says of how rollouts decided, and what it does not. */
import type { ManifestRollout } from '@switchyard/contracts'
import { bucketOf } from '@switchyard/rollouts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConfigWorld } from '../../support/config-world.ts'
import { issueTokens, type IssuedTokens } from '../../support/issued-tokens.ts'
import { rollout, usersOf } from '../../support/rollouts.ts'
import { post, routerOn, type TestRouter } from '../../support/router.ts'
import { type Shop, startShop } from '../../support/shop.ts'
import { traced } from './traced.ts'

const QUERY = { query: '{ version }' }
const [ben = ''] = usersOf(50, 1).outside
const SECRET = 'hunter2-hunter2'

const stack = new AsyncDisposableStack()
let shop: Shop
let tokens: IssuedTokens
beforeAll(async () => {
  shop = stack.use(await startShop())
  tokens = stack.use(await issueTokens({ ben: { sub: ben, plan: SECRET, roles: [SECRET, 'editor'] } }))
})
afterAll(() => stack.disposeAsync())

async function serving(rollouts: readonly ManifestRollout[], settings = ''): Promise<TestRouter> {
  const world = stack.use(await ConfigWorld.create())
  await world.publish({ revision: 1, base: shop.base, flags: { next: shop.flag }, rollouts })
  const all = `{ dev_mode: true, authentication: ${tokens.settings}${settings} }`
  const router = stack.use(await routerOn(world, { settings: all, source: { trusted: true } }))
  await router.ready
  return router
}

const ask = async (router: TestRouter, headers: Record<string, string> = {}) => {
  const { reply, trace } = await traced(router, QUERY, headers)
  return { text: reply.text, trace }
}

describe('a trace', () => {
  it('says of each rollout up to the deciding one why it did or did not hold', async () => {
    const where: ManifestRollout['where'] = [
      { on: 'client', equals: 'ios' },
      { on: 'client_version', not: { semver: '>=2' } },
      { on: 'address', in: ['nowhere'] },
    ]
    const router = await serving([
      rollout({ name: 'apps', where }),
      rollout({ name: 'gone', flag: 'gone' }),
      rollout({ name: 'old', expires: '2026-01-01T00:00:00.000Z' }),
      rollout({ name: 'nobody', key: ['header:x-nobody'] }),
      rollout({ name: 'users', key: ['claim:sub'] }),
      rollout({ name: 'later' }),
    ])
    const client = { 'graphql-client-name': 'ios', 'graphql-client-version': '1.2' }
    const { trace } = await ask(router, { ...client, ...tokens.headersOf('ben') })
    expect(trace.composition).toMatchObject({ reason: 'rollout-control', feature_flag: null })
    expect(trace.rollouts).toEqual([
      {
        name: 'apps',
        flag: 'next',
        percent: 50,
        // Nobody can say whether it is of the audience; it has no key anyway.
        outcome: 'no-key',
        conditions: [
          { on: 'client', test: 'equals', seen: ['ios'], holds: true },
          { on: 'client_version', test: 'semver', not: true, seen: ['1.2'], holds: true },
          { on: 'address', test: 'in', seen: ['[redacted]'], holds: false, problem: true },
        ],
      },
      { name: 'gone', flag: 'gone', percent: 50, outcome: 'unknown-flag' },
      { name: 'old', flag: 'next', percent: 50, outcome: 'expired' },
      { name: 'nobody', flag: 'next', percent: 50, outcome: 'no-key' },
      {
        name: 'users',
        flag: 'next',
        percent: 50,
        outcome: 'control',
        key: { source: 'claim:sub', value: ben, bucket: bucketOf('salt', ben) },
      },
    ])
  })

  it('hides values of properties as it does elsewhere, and what they are compared with', async () => {
    const where: ManifestRollout['where'] = [
      { on: 'claim:plan', equals: SECRET },
      { on: 'claim:roles', in: [SECRET] },
      { on: 'cookie:session', starts_with: 'hunter2-' },
      { on: 'header:x-api-key', equals: SECRET },
      { on: 'header:x-shown', exists: true },
    ]
    const hidden = ['claim:plan', 'claim:roles', 'cookie:session', 'header:x-api-key']
    const key = ['header:x-api-key']
    const router = await serving([rollout({ where, key })], ', tracing: { allowed_headers: [x-shown] }')
    const headers = { cookie: `session=${SECRET}`, 'x-api-key': SECRET, 'x-shown': 'seen' }
    const { text, trace } = await ask(router, { ...headers, ...tokens.headersOf('ben') })
    const [only] = trace.rollouts ?? []
    expect(only?.conditions?.every(({ holds }) => holds)).toBe(true)
    expect(only?.conditions?.map(({ on, seen = [] }) => [on, new Set(seen)])).toEqual([
      ...hidden.map((on) => [on, new Set(['[redacted]'])]),
      ['header:x-shown', new Set(['seen'])],
    ])
    expect(only?.key?.value).toBe('[redacted]')
    expect(text).not.toContain('hunter2')
    expect(text).not.toContain('127.0.0.1/')
  })

  it('says nothing where the request names a flag, or there are no rollouts', async () => {
    const named = await ask(await serving([rollout()]), { 'x-feature-flag': 'next' })
    const none = await ask(await serving([]))
    expect([named.trace.rollouts, none.trace.rollouts]).toEqual([undefined, undefined])
  })

  it('is the only place that explains: an answer without one says no more than its flag', async () => {
    const router = await serving([rollout({ name: 'spelled-out', key: ['claim:sub'] })])
    const { text, headers } = await post(router, QUERY, tokens.headersOf('ben'))
    expect(text + JSON.stringify(headers)).not.toContain('spelled-out')
  })
})
