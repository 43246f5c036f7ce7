/** WebSockets of a router that stops: what was begun is finished, and clients go on elsewhere. */
import { createClient } from 'graphql-ws'
import { expect, it } from 'vitest'
import { until } from '../../support/router.ts'
import { startShopRouter } from '../../support/shop-router.ts'
import { handshake, RawTalk, Talk } from './talk.ts'

const SETTINGS = 'subscriptions: { enabled: true }'

it('answers what is in progress, begins nothing more, and then closes with 1001', async () => {
  await using started = await startShopRouter({ settings: SETTINGS })
  const { router } = started
  await using busy = await Talk.ready(router.graphqlUrl)
  await using idle = await Talk.ready(router.graphqlUrl)
  busy.subscribe('1', '{ slow(milliseconds: 1000) }')
  await until(() => router.activeRequests() === 1, 'a request')
  const stopped = router[Symbol.asyncDispose]()
  expect(await idle.closed).toEqual({ code: 1001, reason: 'The router is stopping' })
  using late = await RawTalk.open(router.port, handshake())
  expect(await late.until('\r\n\r\n')).toContain('HTTP/1.1 503')
  busy.subscribe('2', '{ version }')
  await busy.hear('complete', '1')
  expect((await busy.closed).code).toBe(1001)
  expect(busy.heard.map(({ id, type }) => [id, type])).toEqual([['1', 'next']])
  await stopped
})

it('the client of graphql-ws asks again at another router', async () => {
  const first = await startShopRouter({ settings: SETTINGS })
  await using second = await startShopRouter({ settings: SETTINGS })
  let current = first
  let opened = 0
  const client = createClient({
    url: () => current.router.graphqlUrl.replace('http', 'ws'),
    retryAttempts: 5,
    shouldRetry: () => true,
    retryWait: async () => {},
    lazy: false,
    on: { connected: () => void opened++ },
    onNonLazyError: () => {},
  })
  await until(() => opened === 1, 'a WebSocket')
  current = second
  await first[Symbol.asyncDispose]()
  await until(() => opened === 2, 'another WebSocket')
  const results: unknown[] = []
  for await (const result of client.iterate({ query: '{ version }' })) results.push(result)
  expect(results).toEqual([{ data: { version: 'products' } }])
  await client.dispose()
})
