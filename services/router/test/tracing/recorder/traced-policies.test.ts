/** What a trace says of who asked, and of what the operation cost. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issueTokens, type IssuedTokens } from '../../support/issued-tokens.ts'
import type { TestRouter } from '../../support/router.ts'
import { startShopRouter } from '../../support/shop-router.ts'
import { traced } from './traced.ts'

const QUERY = { query: '{ topProducts(first: 1) { name } }' }
const CLIENT = { 'graphql-client-name': 'web', 'graphql-client-version': '1.2' }

const stack = new AsyncDisposableStack()
let tokens: IssuedTokens
let router: TestRouter
let plain: TestRouter
beforeAll(async () => {
  tokens = stack.use(
    await issueTokens({ ann: { sub: 'ann@example.com', secret: 'claim' }, bob: { sub: 'b'.repeat(1000) } }),
  )
  const started = async (settings: string) =>
    stack.use(await startShopRouter({ settings: `{ dev_mode: true, ${settings} }` })).router
  router = await started(`authentication: ${tokens.settings}, costs: { mode: enforce, max: 100 }`)
  plain = await started('')
})
afterAll(() => stack.disposeAsync())

const ask = async (on: TestRouter, headers: Record<string, string> = {}, body: object = QUERY) => {
  const { reply, trace } = await traced(on, { ...body }, headers)
  return { text: reply.text, trace }
}

describe('a trace', () => {
  it('says who asked: by client, and by the claims that name somebody, never by the token', async () => {
    const headers: Record<string, string> = { ...CLIENT, ...tokens.headersOf('ann') }
    const { text, trace } = await ask(router, headers)
    expect(trace.asked_by).toEqual({
      client: { name: 'web', version: '1.2' },
      token: { provider: 'issuer', issuer: expect.any(String), subject: 'ann@example.com' },
    })
    expect(text).not.toContain(headers['authorization']?.slice('Bearer '.length))
    expect(text).not.toContain('claim')
  })

  it('keeps no more than the beginning of a claim', async () => {
    const { trace } = await ask(router, tokens.headersOf('bob'))
    expect(trace.asked_by?.token?.subject).toBe('b'.repeat(256))
  })

  it('says what the operation cost, and whose limit it exceeds', async () => {
    const { trace } = await ask(router)
    expect(trace.cost).toEqual({ estimated: expect.any(Number), actual: 1, exceeded: null })
    const dear = await ask(
      router,
      {},
      { query: '{ topProducts(first: 1) { reviews { id } } t: topProducts { reviews { id } } }' },
    )
    expect(dear.trace.cost).toMatchObject({ actual: null, exceeded: 'operation' })
    expect(dear.text).toContain('COST')
  })

  it('says which rate limits the request counts for, and never by which key', async () => {
    const rules = [
      '{ name: all, limit: 1000, per: 1h, key: [] }',
      '{ name: measured, limit: 1, per: 1h, key: [{ header: x-secret }], enforce: false }',
      '{ name: dear, limit: 1000, per: 1h, charge: cost, key: [client] }',
    ]
    const settings = `{ dev_mode: true, costs: { mode: measure }, rate_limits: { rules: [${rules.join()}] } }`
    await using limited = await startShopRouter({ settings })
    const headers = { 'x-secret': 'hunter2-hunter2' }
    const first = await ask(limited.router, headers)
    const names = (exceeded: boolean) => [
      { name: 'all', exceeded: false },
      { name: 'measured', exceeded },
      { name: 'dear', exceeded: false },
    ]
    expect(first.trace.rate_limits).toEqual(names(false))
    const second = await ask(limited.router, headers)
    expect(second.trace.rate_limits).toEqual(names(true))
    expect(second.text).not.toContain('hunter2')
  })

  it('says nothing of what is not there', async () => {
    const { trace } = await ask(plain)
    expect(Object.keys(trace)).not.toContain('asked_by')
    expect(Object.keys(trace)).not.toContain('cost')
    expect(Object.keys(trace)).not.toContain('rate_limits')
  })

  it('hides in it what is secret elsewhere', async () => {
    const secret = 'hunter2-hunter2'
    const { text, trace } = await ask(plain, { 'graphql-client-name': secret, 'x-api-key': secret })
    expect(trace.asked_by?.client?.name).not.toBe(secret)
    expect(text).not.toContain(secret)
  })
})
