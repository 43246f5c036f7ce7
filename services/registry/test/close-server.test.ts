import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { closeServer } from '../src/http/close-server.ts'

async function listening() {
  const answer = Promise.withResolvers<void>()
  const arrived = Promise.withResolvers<void>()
  const app = fastify({ forceCloseConnections: 'idle', keepAliveTimeout: 600_000 })
  app.get('/', async () => {
    arrived.resolve()
    await answer.promise
    return 'answered'
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  return { app, port, answer, arrived: arrived.promise }
}

describe('a server that is closed', () => {
  it.each([
    ['a connection on which nothing was asked', ''],
    ['a request whose body does not end', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\n{'],
    ['a request whose headers do not end', 'GET / HTTP/1.1\r\nhost: a\r\n'],
  ])('is not held up by %s', async (_, sent) => {
    const { app, port } = await listening()
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    const [accepted] = await Promise.all([once(app.server, 'connection'), once(socket, 'connect')])
    expect(accepted).toHaveLength(1)
    if (sent !== '') socket.write(sent)
    const ended = new Promise((resolve) => socket.once('close', resolve))
    await closeServer(app, 100)
    await ended
  })

  it('answers what was asked, and then ends the connection, although the client would keep it', async () => {
    const { app, port, answer, arrived } = await listening()
    const reply = fetch(`http://127.0.0.1:${port}/`).then((response) => response.text())
    await arrived
    const closed = closeServer(app, 600_000)
    answer.resolve()
    expect(await reply).toBe('answered')
    await closed
  })
})
