/** Who carries a trace token asks in the place of others; the context of all others is ignored. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rollout } from '../../support/rollouts.ts'
import { type Shop, startShop } from '../../support/shop.ts'
import { newTestKey, signed, type TestKey } from '../../tracing/trace-tokens.ts'
import { ANN, ask, BEN, serving, type Served, told } from './serving.ts'

const TRACE = { 'x-vendor-trace': 'true' }
const ROLLOUTS = [
  rollout({ name: 'staff', percent: 100, key: [], where: [{ on: 'claim:plan', equals: 'staff' }] }),
  rollout({ name: 'app', percent: 100, key: [], where: [{ on: 'client', equals: 'app' }] }),
  rollout(),
]

const stack = new AsyncDisposableStack()
let shop: Shop
let key: TestKey
let served: Served
beforeAll(async () => {
  shop = stack.use(await startShop())
  key = await newTestKey('k1')
  served = stack.use(await serving(shop, ROLLOUTS, { traceKeys: { keys: [key.publicJwk] } }))
})
afterAll(() => stack.disposeAsync())

const seconds = () => Math.floor(Date.now() / 1000)
const withToken = () => {
  const claims = { aud: 'default/shop', iat: seconds(), exp: seconds() + 60, jti: 'a' }
  return { ...TRACE, 'x-vendor-token': signed(key, claims) }
}
const asked = async (headers: Record<string, string>, context: object) =>
  told(await ask(served.router, { headers, body: { context } }))[0]

describe('with a trace token', () => {
  it('claims and headers of the context stand in for those of the request', async () => {
    const token = withToken()
    expect(await asked({ ...token, ...ANN }, {})).toBe('next on SPLIT')
    expect(await asked({ ...token, ...ANN }, { headers: { 'X-User': BEN['x-user'] } })).toBe('next off SPLIT')
    expect(await asked({ ...token, ...ANN }, { headers: {} })).toBe('next off DEFAULT')
    expect(await asked(token, { claims: { plan: 'staff' } })).toBe('next on TARGETING_MATCH')
    expect(await asked({ ...token, ...ANN }, { claims: { plan: 'free' } })).toBe('next on SPLIT')
    expect(await asked({ ...token, ...ANN }, { claims: null, headers: null })).toBe('next on SPLIT')
    const named = { 'X-Feature-Flag': 'next' }
    expect(await asked({ ...token, ...BEN }, { headers: named })).toBe('next on STATIC')
    expect(await asked(token, { headers: { 'ApolloGraphQL-Client-Name': 'app' } })).toBe(
      'next on TARGETING_MATCH',
    )
    expect(await asked({ ...token, 'x-feature-flag': 'next' }, { headers: BEN })).toBe('next off SPLIT')
  })

  it.each([
    [{ claims: [] }, '"context.claims" is neither a JSON object nor null.'],
    [{ headers: [] }, '"context.headers" is neither a JSON object nor null.'],
    [{ headers: { a: 1 } }, '"context.headers" has a value that is not a text.'],
    [{ headers: { 'X-A': '', 'x-a': '' } }, '"context.headers" has a name twice.'],
  ])('other forms of them are refused: %j', async (context, errorDetails) => {
    const reply = await ask(served.router, { headers: withToken(), body: { context }, path: '/next' })
    expect([reply.status, JSON.parse(reply.text)]).toEqual([
      400,
      { key: 'next', errorCode: 'INVALID_CONTEXT', errorDetails },
    ])
    // Nobody looks at them without a token.
    expect((await ask(served.router, { body: { context } })).status).toBe(200)
  })

  it('that is not valid, the request is refused', async () => {
    const forged = { ...TRACE, 'x-vendor-token': signed(await newTestKey('k1')) }
    const reply = await ask(served.router, { headers: forged })
    expect([reply.status, reply.headers['www-authenticate'], JSON.parse(reply.text).errorDetails]).toEqual([
      401,
      'TraceToken',
      'TRACE_TOKEN_INVALID: The trace token is not valid. Its signature is wrong.',
    ])
  })
})

describe('without one', () => {
  it.each<[string, Record<string, string>]>([
    ['a request that asks for no trace', {}],
    ['one that only asks for a trace', TRACE],
    ['one with a token that asks for none', { 'x-vendor-token': 'x' }],
  ])('%s is judged by itself', async (_, headers) => {
    const context = { claims: { plan: 'staff' }, headers: { 'X-User': BEN['x-user'] } }
    expect(await asked({ ...ANN, ...headers }, context)).toBe('next on SPLIT')
  })
})
