import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { startTcpProxy, type TcpProxy, waitFor } from '@switchyard/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

/** Answers each line with the same line. */
async function startEcho() {
  const received: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', (piece) => {
      received.push(piece.toString('utf8'))
      socket.write(piece)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return {
    port,
    received,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

class Client {
  readonly socket: Socket
  text = ''
  ended: string | null = null

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1')
    this.socket.on('data', (piece) => (this.text += piece.toString('utf8')))
    this.socket.on('error', (error: NodeJS.ErrnoException) => (this.ended = error.code ?? 'error'))
    this.socket.on('close', () => (this.ended ??= 'closed'))
  }

  async says(text: string): Promise<void> {
    await waitFor(`an answer ${text}`, () => this.text.includes(text))
  }
}

describe('a proxy that breaks', () => {
  let echo: Awaited<ReturnType<typeof startEcho>>
  let proxy: TcpProxy
  const clients: Client[] = []
  const open = async () => {
    const client = new Client(proxy.port)
    clients.push(client)
    await once(client.socket, 'connect')
    return client
  }
  beforeEach(async () => {
    echo = await startEcho()
    proxy = await startTcpProxy({ host: '127.0.0.1', port: echo.port })
  })
  afterEach(async () => {
    for (const { socket } of clients.splice(0)) socket.destroy()
    await proxy[Symbol.asyncDispose]()
    await echo[Symbol.asyncDispose]()
  })

  it('passes on both ways', async () => {
    const client = await open()
    client.socket.write('one')
    await client.says('one')
    expect(proxy.connections).toBe(1)
    client.socket.destroy()
    await waitFor('it to know', () => proxy.connections === 0)
  })

  it('resets what there is when it is cut, and each new one, until it passes again', async () => {
    const client = await open()
    client.socket.write('one')
    await client.says('one')
    proxy.cut()
    await waitFor('a reset', () => client.ended === 'ECONNRESET')
    const late = new Client(proxy.port)
    clients.push(late)
    await waitFor('another reset', () => late.ended === 'ECONNRESET')
    proxy.pass()
    const fresh = await open()
    fresh.socket.write('two')
    await fresh.says('two')
  })

  it('tells nobody when it is silent, and what was silent stays so', async () => {
    const client = await open()
    client.socket.write('one')
    await client.says('one')
    proxy.silence()
    client.socket.write('lost')
    proxy.pass()
    const fresh = await open()
    fresh.socket.write('two')
    await fresh.says('two')
    client.socket.write('lost, too')
    fresh.socket.write('three')
    await fresh.says('three')
    expect(echo.received.join(' ')).toBe('one two three')
    expect([client.text, client.ended]).toEqual(['one', null])
  })

  it('keeps the order of what comes late', async () => {
    const client = await open()
    proxy.delay(30)
    client.socket.write('one ')
    await waitFor('it to arrive', () => echo.received.length === 1)
    proxy.delay(0)
    client.socket.write('two ')
    await client.says('two ')
    expect(client.text).toBe('one two ')
  })

  it('reads nothing of a server while it is stalled', async () => {
    const client = await open()
    client.socket.write('one')
    await client.says('one')
    proxy.stall()
    client.socket.write('two')
    await waitFor('it to arrive', () => echo.received.length === 2)
    await turn()
    expect(client.text).toBe('one')
    proxy.pass()
    await client.says('two')
  })

  it.each(['passed', 'held'] as const)('sees a write that comes in pieces, which is %s', async (write) => {
    const client = await open()
    const seen: string[] = []
    proxy.when({ text: 'PUB it', write, onSeen: () => seen.push('seen') })
    client.socket.write('first ')
    await client.says('first ')
    client.socket.write('PUB')
    await client.says('PUB')
    client.socket.write(' it')
    await waitFor('it to be seen', () => seen.length === 1)
    if (write === 'passed') await waitFor('it to arrive', () => echo.received.length === 3)
    const other = await open()
    other.socket.write('PUB it again')
    await other.says('PUB it again')
    expect(seen).toEqual(['seen'])
    expect(echo.received.slice(0, 3)).toEqual(['first ', 'PUB', write === 'passed' ? ' it' : 'PUB it again'])
    expect(client.text).toBe('first PUB')
  })
})
