/**
 * Clients of HTTP/1.1 that end their side of a connection and still read: nobody can tell them from clients
 * that leave.
 */
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { posted } from '../support/raw-http.ts'
import { type TestRouter, until } from '../support/router.ts'
import type { Shop } from '../support/shop.ts'
import { startShopRouter } from '../support/shop-router.ts'

const stack = new AsyncDisposableStack()
let shop: Shop
let router: TestRouter
beforeAll(async () => {
  ;({ shop, router } = stack.use(await startShopRouter()))
})
afterAll(() => stack.disposeAsync())

/** Sends all of it and its end, and reads to the end of the router. */
function answerTo(bytes: string): Promise<string> {
  const socket = connect({ port: router.port, host: '127.0.0.1', allowHalfOpen: true })
  socket.end(bytes)
  return text(socket)
}

const REQUEST = posted('{ slow(milliseconds: 60000) }')

describe('a connection that the client has ended', () => {
  it('is closed, and what was asked for on it is given up', async () => {
    const socket = connect({ port: router.port, host: '127.0.0.1', allowHalfOpen: true })
    const before = shop.products.requests.length
    const answer = text(socket)
    socket.write(REQUEST)
    await until(() => shop.products.requests.length > before, 'the subgraph is called')
    socket.end()
    expect(await answer).toBe('')
    await until(() => shop.products.requests.at(-1)?.aborted, 'the call is given up')
    const line = await until(
      () => router.logs.findLast(({ event }) => event === 'request.answered'),
      'the request is logged',
    )
    expect(line).toMatchObject({ aborted: true, status: 0 })
  })

  it.each([
    ['in the headers', REQUEST.slice(0, 40)],
    ['in the body', REQUEST.slice(0, -5)],
  ])('before its request was complete, %s, gets the answer to that', async (_where, bytes) => {
    const answer = await answerTo(bytes)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('"code":"BAD_REQUEST"')
  })
})
