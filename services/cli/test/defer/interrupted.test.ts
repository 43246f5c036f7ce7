import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { askHttp1, openHttp1 } from '../../src/defer/ask-http1.ts'
import { askHttp2 } from '../../src/defer/ask-http2.ts'

it.each(['HTTP/1.1', 'HTTP/2'])(
  'a question over %s that comes after Ctrl-C is not waited for',
  async (protocol) => {
    const sockets = new Set<Socket>()
    const silent = createServer((socket) => void sockets.add(socket.on('error', () => {}))).listen(
      0,
      '127.0.0.1',
    )
    await once(silent, 'listening')
    const address = silent.address()
    const url = new URL(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/graphql`)
    const question = { url, headers: {}, body: '{}', limit: 600_000, signal: AbortSignal.abort() }
    using connection = openHttp1(url)
    const answer = await (protocol === 'HTTP/2' ? askHttp2(question) : askHttp1(connection, question))
    expect(answer.kind).toBe('timeout')
    for (const socket of sockets) socket.destroy()
    silent.close()
  },
)
