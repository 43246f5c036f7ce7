/** What shadows never do to subgraphs, clients and the router, whatever subgraphs answer. */
import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { issueTokens } from '../support/issued-tokens.ts'
import { post, until } from '../support/router.ts'
import { shadowing, shadowWorld } from '../support/shadow-world.ts'

const QUERY = { query: 'query Products { topProducts { upc name price } }' }
const JSON_TYPE = { 'content-type': 'application/json' }

/** An answer of more than so many bytes. */
function large(bytes: number) {
  const one = { upc: '1', name: 'x'.repeat(1000), price: 1 }
  return { data: { topProducts: Array.from({ length: Math.ceil(bytes / 1000) }, () => one) } }
}

describe('a flag whose subgraph', () => {
  it('answers 10 MB is not compared', async () => {
    await using shop = await shadowWorld()
    shop.next.answer = () => large(10_000_000)
    await post(shop.router, QUERY)
    const { operations } = await shop.results(1)
    expect(operations).toMatchObject([{ compared: 0, notComparable: { 'too-large': 1 } }])
  })

  it('answers errors is told of by their path and code', async () => {
    await using shop = await shadowWorld()
    const errors = [
      { message: 'secret', path: ['topProducts', 0, 'price'], extensions: { code: 'NO_PRICE' } },
    ]
    shop.next.answer = () => ({ data: { topProducts: [{ upc: '1', name: 'Table', price: null }] }, errors })
    await post(shop.router, QUERY)
    const { differences } = await shop.results(1)
    expect(differences.map(({ path, cause, code }) => [path, cause, code])).toEqual([
      ['topProducts.*.price', 'null', null],
      ['topProducts.*.price', 'error', 'NO_PRICE'],
    ])
    expect(JSON.stringify(differences)).not.toContain('secret')
  })

  it('breaks its answers off, or sends nonsense, is told of', async () => {
    await using shop = await shadowWorld()
    shop.next.answer = (_call, response) => void response.writeHead(200, JSON_TYPE).end('{"data":')
    await post(shop.router, QUERY)
    const { differences } = await shop.results(1)
    expect(differences.some(({ cause, code }) => cause === 'error' && code !== null)).toBe(true)
  })

  it('hangs holds no client, and as many samples as are allowed', async () => {
    await using shop = await shadowWorld([shadowing()], 'shadow: { max_concurrent: 3 }')
    const hanging: ServerResponse[] = []
    shop.next.answer = (_call, response) => void hanging.push(response)
    for (let index = 0; index < 10; index++) {
      const reply = await post(shop.router, QUERY)
      expect(reply.status).toBe(200)
      if (index < 3) await until(() => hanging.length === index + 1, 'the flag is asked')
    }
    expect((await shop.results(7)).dropped).toBe(7)
    expect(hanging).toHaveLength(3)
    shop.next.answer = () =>
      shop.products.answer({ query: '', headers: {}, at: 0 }, hanging[0] as ServerResponse)
    for (const response of hanging) response.writeHead(200, JSON_TYPE).end('{"data":{"topProducts":[]}}')
    await shop.results(10)
  })

  it('hangs does not keep the router from stopping', async () => {
    const hanging: ServerResponse[] = []
    {
      await using shop = await shadowWorld()
      shop.next.answer = (_call, response) => void hanging.push(response)
      await post(shop.router, QUERY)
      await until(() => hanging.length === 1, 'the flag is asked')
      const stopped = performance.now()
      await shop.router[Symbol.asyncDispose]()
      expect(performance.now() - stopped).toBeLessThan(5000)
    }
  })

  it('cannot be called at all says so by a code', async () => {
    await using shop = await shadowWorld()
    await shop.next[Symbol.asyncDispose]()
    await post(shop.router, QUERY)
    const { differences } = await shop.results(1)
    expect(differences.some(({ code }) => code === 'SUBGRAPH_UNREACHABLE')).toBe(true)
  })
})

describe('a sample', () => {
  it('is not kept if base answers more than 1 MiB', async () => {
    await using shop = await shadowWorld()
    shop.products.answer = () => large(2_000_000)
    const reply = await post(shop.router, QUERY)
    expect(reply.text.length).toBeGreaterThan(2_000_000)
    const { operations } = await shop.results(1)
    expect(operations).toMatchObject([{ notComparable: { 'too-large': 1 } }])
    expect(shop.next.calls).toEqual([])
  })

  it('ends with the client that leaves before it is answered', async () => {
    await using shop = await shadowWorld([shadowing()], 'shadow: { max_concurrent: 1 }')
    const waiting: ServerResponse[] = []
    shop.products.answer = (_call, response) => void waiting.push(response)
    const abort = new AbortController()
    const leaving = fetch(shop.router.graphqlUrl, {
      method: 'POST',
      headers: JSON_TYPE,
      body: JSON.stringify(QUERY),
      signal: abort.signal,
    }).catch(() => null)
    await until(() => waiting.length === 1, 'base is asked')
    abort.abort()
    await leaving
    await until(() => shop.router.activeRequests() === 0, 'the request is over')
    shop.products.answer = () => ({ data: { topProducts: [] } })
    shop.next.answer = () => ({ data: { topProducts: [] } })
    await post(shop.router, QUERY)
    expect((await shop.results(1)).operations).toMatchObject([{ compared: 1 }])
  })

  it('sends nothing with a token that has expired', async () => {
    const now = Math.floor(Date.now() / 1000)
    await using tokens = await issueTokens({
      late: { sub: 'a', exp: now - 2 },
      early: { sub: 'b', exp: now + 3600 },
    })
    const authentication = JSON.parse(tokens.settings)
    authentication.jwt.clock_tolerance = '60s'
    await using shop = await shadowWorld([shadowing()], `authentication: ${JSON.stringify(authentication)}`)
    const late = await post(shop.router, QUERY, tokens.headersOf('late'))
    expect(late.status).toBe(200)
    const { operations } = await shop.results(1)
    expect(operations).toMatchObject([{ notComparable: { 'token-expired': 1 } }])
    expect(shop.next.calls).toEqual([])
    await post(shop.router, QUERY, tokens.headersOf('early'))
    expect((await shop.results(2)).operations).toMatchObject([{ compared: 1 }])
  })

  it('counts for no rate limit, and none is taken while the router is busy', async () => {
    await using shop = await shadowWorld(
      [shadowing()],
      `traffic: { max_concurrent_requests: 3 }\nrate_limits: { rules: [{ name: all, limit: 4, per: 1h }] }`,
    )
    const waiting: ServerResponse[] = []
    shop.products.answer = (_call, response) => void waiting.push(response)
    const held = ['a', 'b'].map((alias) => post(shop.router, { query: `{ ${alias}: version }` }))
    await until(() => waiting.length === 2, 'two requests are in flight')
    shop.products.answer = () => ({ data: { topProducts: [] } })
    await post(shop.router, QUERY)
    // The first one was chosen while the router had little to do.
    expect((await shop.results(1)).dropped).toBeGreaterThan(0)
    expect(shop.next.calls).toEqual([])
    for (const response of waiting) response.writeHead(200, JSON_TYPE).end('{"data":null}')
    await Promise.all(held)
    expect((await post(shop.router, QUERY)).status).toBe(200)
    expect((await post(shop.router, QUERY)).status).toBe(429)
  })

  it('is not taken where the settings say 0', async () => {
    await using shop = await shadowWorld([shadowing()], 'shadow: { max_concurrent: 0 }')
    await post(shop.router, QUERY)
    await post(shop.router, QUERY)
    expect([shop.next, shop.products].flatMap(({ calls }) => calls)).toHaveLength(2)
  })
})
