import { createServer, type IncomingMessage, type Server } from 'node:http'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import {
  gatheringRequest,
  LineInOrder,
  PIECES,
  SocketTurns,
  TooManyPiecesError,
} from '@switchyard/service-kit'
import { waitFor } from '@switchyard/testkit'

const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n'
const chunked = (text: string) => `${text.replaceAll(/./gs, '1\r\n$&\r\n')}0\r\n\r\n`
const endless = (count: number) => `${HEAD}${'1\r\nx\r\n'.repeat(count)}`

type Listening = AsyncDisposable & { readonly server: Server; connect(text: string): Promise<Socket> }

async function listening(answer: Parameters<typeof createServer>[1] & object): Promise<Listening> {
  const turns = new SocketTurns(new LineInOrder())
  const server = createServer({ IncomingMessage: gatheringRequest((socket) => turns.of(socket)) }, answer)
  server.on('connection', (socket) => turns.join(socket, 'client'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sockets: Socket[] = []
  return {
    server,
    async connect(text) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
      sockets.push(socket)
      socket.on('error', () => {})
      await once(socket, 'connect')
      socket.write(text)
      return socket
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<{ text: string; pieces: number }> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return { text: Buffer.concat(chunks).toString(), pieces: chunks.length }
}

describe('a request whose body comes in pieces of one byte', () => {
  it('has its body in few pieces', async () => {
    const bodies: { text: string; pieces: number }[] = []
    await using world = await listening((request, response) => {
      void bodyOf(request).then((body) => {
        bodies.push(body)
        response.end()
      })
    })
    const text = 'abcdefgh'.repeat(1000)
    await world.connect(`${HEAD}${chunked(text)}${HEAD}${chunked('b')}`)
    await waitFor('both bodies', () => bodies.length === 2)
    expect(bodies).toEqual([
      { text, pieces: expect.any(Number) },
      { text: 'b', pieces: 1 },
    ])
    expect(bodies[0]?.pieces).toBeLessThanOrEqual(10)
  })

  it('has it in few pieces also if it is read late', async () => {
    let late: IncomingMessage | null = null
    await using world = await listening((request) => (late = request))
    await world.connect(`${HEAD}${chunked('x'.repeat(8000))}`)
    await waitFor('the whole body', () => late?.complete === true)
    if (late === null) throw new Error('There is no request.')
    expect((await bodyOf(late)).pieces).toBeLessThanOrEqual(10)
  })

  it('fails with what was wrong if there are too many, and nothing more is read', async () => {
    const errors: Error[] = []
    await using world = await listening((request, response) => {
      request.on('data', () => {})
      request.on('error', (error) => {
        errors.push(error)
        response.writeHead(400, { connection: 'close' }).end()
      })
    })
    const socket = await world.connect(endless(PIECES.any + 1000))
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 400 /)
    expect(errors).toHaveLength(1)
    expect(errors[0]).toBeInstanceOf(TooManyPiecesError)
  })

  it('loses its connection if there are too many and nobody wants them', async () => {
    await using world = await listening((_request, response) => void response.end())
    const socket = await world.connect(endless(100))
    socket.resume()
    socket.write('1\r\nx\r\n'.repeat(3 * PIECES.any))
    await waitFor('the end of the connection', () => socket.destroyed)
  })

  it('is answered on a connection that goes on, if nobody wants the body', async () => {
    await using world = await listening((_request, response) => void response.end('ok'))
    const socket = await world.connect(`${HEAD}${chunked('x'.repeat(5000))}GET / HTTP/1.1\r\nHost: x\r\n\r\n`)
    let text = ''
    socket.on('data', (bytes: Buffer) => (text += bytes.toString()))
    await waitFor('both answers', () => text.split('HTTP/1.1 200').length === 3)
  })
})
