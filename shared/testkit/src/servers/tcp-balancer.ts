/**
 * A balancer that works like a Service of Kubernetes or a network load balancer, on a free loopback port. It
 * gives each new connection to one of the servers that are ready, in turn, and knows nothing of requests. A
 * connection stays with its server for as long as it lasts.
 */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface TcpBalancer extends AsyncDisposable {
  readonly url: string
  /** URLs of the servers that get new connections. */
  readonly ready: readonly string[]
  /** Connections that are open to a server. */
  connectionsTo(url: string): number
}

export type TcpBalancerOptions = {
  /** Each answers `/health/ready` with status 200 when it may be sent connections. */
  readonly urls: readonly string[]
  /** Milliseconds between two questions. Default: 1000. */
  readonly interval?: number
}

export async function startTcpBalancer({ urls, interval = 1000 }: TcpBalancerOptions): Promise<TcpBalancer> {
  const stop = new AbortController()
  const sockets = new Set<Socket>()
  let ready: readonly string[] = []
  let turn = 0
  const accept = async (client: Socket): Promise<void> => {
    client.on('error', () => {})
    // A connection that nobody takes was sent nothing yet: the next server gets it.
    const first = turn++ % Math.max(1, ready.length)
    for (const target of [...ready.slice(first), ...ready.slice(0, first)]) {
      const server = await connected(target)
      if (server !== null) return join(client, server, sockets)
      // What ended is known to be gone, and is not asked before it says that it is ready again.
      ready = ready.filter((url) => url !== target)
    }
    client.resetAndDestroy()
  }
  const server = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (client) => void accept(client))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const look = async (): Promise<void> => {
    const answers = await Promise.all(urls.map(isReady))
    ready = urls.filter((_, index) => answers[index])
  }
  await look()
  const looking = lookAgain(look, interval, stop.signal)
  const address = server.address()
  return {
    url: `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`,
    get ready() {
      return ready
    },
    connectionsTo: (target) =>
      [...sockets].filter(({ remotePort }) => remotePort === Number(new URL(target).port)).length,
    async [Symbol.asyncDispose]() {
      stop.abort()
      server.close()
      for (const socket of sockets) socket.destroy()
      await looking
    },
  }
}

async function lookAgain(look: () => Promise<void>, interval: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(interval, undefined, { signal }).catch(() => {})
    if (!signal.aborted) await look()
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/health/ready`, {
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(2000),
    })
    await response.arrayBuffer()
    return response.status === 200
  } catch {
    return false
  }
}

async function connected(url: string): Promise<Socket | null> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true, noDelay: true })
  try {
    await once(socket, 'connect')
    return socket
  } catch {
    return null
  }
}

/** Joins two sockets until either ends. The other end learns how it ended. */
function join(client: Socket, server: Socket, sockets: Set<Socket>): void {
  client.setNoDelay(true)
  for (const [from, to] of [
    [client, server],
    [server, client],
  ] as const) {
    sockets.add(from)
    from.on('error', () => {
      if (!to.destroyed) to.resetAndDestroy()
    })
    from.once('close', () => sockets.delete(from))
    from.pipe(to)
  }
}
