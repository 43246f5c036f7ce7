/** Frames of HTTP/2 that cost their sender nothing: a connection that sends very many of them is ended. */
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { frame, getFrame, rawHttp2, resetFrame } from '../support/http2-frames.ts'
import { post, type TestRouter } from '../support/router.ts'
import { startShopRouter } from '../support/shop-router.ts'

const stack = new AsyncDisposableStack()
let router: TestRouter

beforeAll(async () => {
  router = stack.use(await startShopRouter()).router
})
afterAll(() => stack.disposeAsync())

const MOST = 100_000

/** Sends frames until the router ends the connection, or `MOST` of them; resolves with how many it took. */
async function sentUntilClosed(socket: Socket, frames: (from: number) => Buffer): Promise<number> {
  let isClosed = false
  socket.once('close', () => (isClosed = true))
  for (let sent = 0; sent < MOST; sent += 1000) {
    if (isClosed) return sent
    const mayGoOn = socket.write(frames(sent))
    if (!mayGoOn) await new Promise((resolve) => socket.once('drain', resolve).once('close', resolve))
    // Reads no more than it takes to learn that the other side is gone.
    socket.read(0)
    await new Promise(setImmediate)
  }
  return MOST
}

const thousand = (make: (index: number) => Buffer) => (from: number) =>
  Buffer.concat(Array.from({ length: 1000 }, (_, index) => make(from + index)))

describe('a connection that floods the router with', () => {
  it.each([
    ['PING', thousand(() => frame('ping', { payload: Buffer.alloc(8) }))],
    ['SETTINGS', thousand(() => frame('settings'))],
    [
      'requests that it resets at once',
      thousand((index) => Buffer.concat([getFrame(index * 2 + 1), resetFrame(index * 2 + 1)])),
    ],
  ])('%s, and does not read, is ended', async (_, frames) => {
    const socket = rawHttp2(router.port)
    await once(socket, 'connect')
    try {
      expect(await sentUntilClosed(socket, frames)).toBeLessThan(MOST)
    } finally {
      socket.destroy()
    }
    expect((await post(router, { query: '{ version }' })).status).toBe(200)
  })
})
