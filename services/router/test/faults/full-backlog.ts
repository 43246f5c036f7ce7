/**
 * A subgraph that accepts no connections although it listens: it is a thread that does nothing but wait, and
 * the system keeps no more than two connections for it.
 */
import { createServer, connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { httpAnswer, wellAnswer } from './ill-subgraph.ts'

export type FullBacklog = AsyncDisposable & {
  readonly url: string
  /** It accepts connections from now on, and answers. */
  recover(): void
}

export async function startFullBacklog(): Promise<FullBacklog> {
  const waiting = new Int32Array(new SharedArrayBuffer(4))
  const thread = new Worker(new URL(import.meta.url), { workerData: waiting })
  const [port] = (await once(thread, 'message')) as [number]
  const fillers: Socket[] = []
  for (let count = 0; count < KEPT; count++) {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    fillers.push(socket)
    await once(socket, 'connect')
  }
  const recover = (): void => {
    for (const socket of fillers) socket.destroy()
    Atomics.store(waiting, 0, 1)
    Atomics.notify(waiting, 0)
  }
  return {
    url: `http://127.0.0.1:${port}/graphql`,
    recover,
    async [Symbol.asyncDispose]() {
      recover()
      await thread.terminate()
    },
  }
}

/** Connections that Linux keeps where a program asked for one. */
const KEPT = 2

async function listenAndWait(waiting: Int32Array): Promise<void> {
  const server = createServer((socket) => {
    let received = ''
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      received += bytes.toString()
      if (!received.endsWith('}')) return
      socket.write(httpAnswer(wellAnswer(received.slice(received.indexOf('\r\n\r\n') + 4))))
      received = ''
    })
  })
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 })
  await once(server, 'listening')
  const address = server.address()
  parentPort?.postMessage(typeof address === 'object' ? address?.port : 0, [])
  Atomics.wait(waiting, 0, 0)
}

if (!isMainThread && workerData instanceof Int32Array) await listenAndWait(workerData)
