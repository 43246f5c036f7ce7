import { once } from 'node:events'
import { connect as connectHttp2, constants } from 'node:http2'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestRouter, until } from '../support/router.ts'
import { startShopRouter } from '../support/shop-router.ts'

const MEGABYTE = 'x'.repeat(1024 * 1024)
const POST = 'POST /graphql HTTP/1.1\r\nHost: x\r\n'

const stack = new AsyncDisposableStack()
let router: TestRouter

beforeAll(async () => {
  router = stack.use(await startShopRouter({ settings: 'limits: { max_body_size: 2KiB }' })).router
})
afterAll(() => stack.disposeAsync())

/** Reads nothing until all is written, as simple clients do. */
async function answerAfterWriting(start: string, megabytes: number): Promise<string> {
  const socket = connect({ port: router.port, host: '127.0.0.1', allowHalfOpen: true })
  await once(socket, 'connect')
  const write = (text: string) =>
    new Promise<void>((resolve, reject) => {
      socket.write(text, (error) => (error == null ? resolve() : reject(error)))
    })
  const broken = new Promise<never>((_, reject) => socket.once('error', reject))
  const all = async () => {
    await write(start)
    for (let count = 0; count < megabytes; count++) await write(MEGABYTE)
    socket.end()
    let text = ''
    for await (const chunk of socket) text += String(chunk)
    return text
  }
  return await Promise.race([all(), broken])
}

describe('a request that is refused before all of it is there', () => {
  it.each([
    [
      '413',
      `${POST}Content-Type: application/json\r\nConnection: close\r\nContent-Length: ${MEGABYTE.length * 8}\r\n\r\n`,
    ],
    ['413', `${POST}Content-Type: application/json\r\nContent-Length: ${MEGABYTE.length * 8}\r\n\r\n`],
    [
      '415',
      `${POST}Content-Type: text/plain\r\nConnection: close\r\nContent-Length: ${MEGABYTE.length * 8}\r\n\r\n`,
    ],
    [
      '404',
      `POST /nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${MEGABYTE.length * 8}\r\n\r\n`,
    ],
    ['431', `${POST}X-Large: ${'x'.repeat(40_000)}`],
    ['400', 'NO REQUEST\r\n\r\n'],
  ])('gets its %s although the client first writes all of it', async (status, start) => {
    const answer = await answerAfterWriting(start, 8)
    expect(answer.slice(0, 12)).toBe(`HTTP/1.1 ${status}`)
    expect(answer).toMatch(/\}\]\}$/)
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1)
  })

  it('keeps its connection when its body comes to an end', async () => {
    const socket = connect(router.port, '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => (text += chunk.toString()))
    socket.write(`${POST}Content-Type: text/plain\r\nContent-Length: 3000\r\n\r\n`)
    await until(() => text.includes('UNSUPPORTED_MEDIA_TYPE'), 'it is refused')
    socket.write('x'.repeat(3000))
    socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n')
    await until(() => /\{"status":"ok","version":"[^"]+"\}$/.test(text), 'the next request is answered')
    socket.destroy()
  })

  it('does not hold its stream or its connection when its body does not come', async () => {
    const socket = connect(router.port, '127.0.0.1')
    socket.resume()
    socket.write(`${POST}Content-Type: text/plain\r\nContent-Length: 10\r\n\r\n`)
    const closed = once(socket, 'close')
    const session = connectHttp2(router.url)
    const stream = session.request({ ':method': 'POST', ':path': '/graphql', 'content-type': 'text/plain' })
    const [headers] = await once(stream.resume(), 'response')
    expect(headers[':status']).toBe(415)
    await once(stream, 'close')
    expect(stream.rstCode).toBe(constants.NGHTTP2_NO_ERROR)
    expect(session.destroyed).toBe(false)
    session.destroy()
    await closed
    const refused = router.logs.filter(({ status }) => status === 415)
    expect(refused.some(({ aborted }) => aborted === true)).toBe(false)
  })
})
