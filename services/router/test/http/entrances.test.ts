import { once } from 'node:events'
import { connect, Socket } from 'node:net'
import { expect, it } from 'vitest'
import { LineInOrder, type PacedConnection, SocketTurns, TrustedProxies } from '@switchyard/service-kit'
import type { RouterConfig } from '../../src/config/router-config.ts'
import { Connections } from '../../src/listen/connections.ts'
import { clearEntrance } from '../../src/listen/entrances.ts'
import { addressOf } from '../../src/listen/server.ts'
import { RefusalEvents } from '../../src/observe/refusal-events.ts'
import { until } from '../support/router.ts'

const BUSY = '127.0.0.1'
const CALM = '127.0.0.2'
/** More than a client may make the router do in one turn. */
const MUCH = 20_000

/** A line in which nobody's turn comes before it is opened. */
class HeldLine extends LineInOrder {
  isOpen = false

  override take(): PacedConnection | null {
    return this.isOpen ? super.take() : null
  }
}

async function opened(port: number, localAddress: string) {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  const received = { socket, text: '' }
  socket.on('error', () => {}).on('data', (bytes: Buffer) => (received.text += bytes.toString()))
  await once(socket, 'connect')
  return received
}

it('a connection that waits for its turn is not answered as one that is silent', async () => {
  const line = new HeldLine()
  const turns = new SocketTurns(line)
  const connections = new Connections({ perClient: 10, total: 10 }, new TrustedProxies([]), () => {})
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all that an entrance reads of the settings
  const config = { traffic: { headersTimeout: 100 } } as unknown as RouterConfig
  const served: (string | undefined)[] = []
  const serve = ({ remoteAddress }: Socket) => void served.push(remoteAddress)
  const { server } = clearEntrance(serve, config, { connections, turns }, new RefusalEvents())
  const work = turns.join(new Socket(), BUSY)
  server.prependListener('connection', ({ remoteAddress }: Socket) => {
    if (remoteAddress === BUSY) turns.did(work, MUCH)
  })
  server.listen(0, BUSY)
  await once(server, 'listening')
  const { port } = addressOf(server, { host: BUSY, port: 0, tls: null })
  const waiting = await opened(port, BUSY)
  await until(() => line.size === 2, 'the connection to wait')
  const silent = await opened(port, CALM)
  await until(() => silent.socket.closed, 'the end of the silent one')
  expect(silent.text).toMatch(/^HTTP\/1\.1 408 /)
  expect([waiting.text, waiting.socket.readableEnded]).toEqual(['', false])
  line.isOpen = true
  waiting.socket.write('GET / HTTP/1.1\r\n')
  await until(() => served.length > 0, 'the other one to be served')
  expect(served).toEqual([BUSY])
  waiting.socket.destroy()
  server.close()
})
