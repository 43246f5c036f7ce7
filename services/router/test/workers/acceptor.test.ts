import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { Acceptor } from '../../src/workers/acceptor.ts'
import { FakeWorker } from '../support/fake-workers.ts'
import { until } from '../support/router.ts'

const stack = new AsyncDisposableStack()
const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

const LISTENER = { up() {}, changed() {}, accepted() {}, differences() {}, ended() {} }

async function acceptorFor(workers: () => readonly FakeWorker[]): Promise<Acceptor> {
  const config = { host: '127.0.0.1', port: 0, tls: null }
  const acceptor = stack.use(new Acceptor({ config, workers, onDropped: () => {} }))
  await acceptor.listen()
  return acceptor
}

async function connectTo({ address }: Acceptor, count: number): Promise<Socket[]> {
  const made = Array.from({ length: count }, () => connect(address.port, '127.0.0.1'))
  sockets.push(...made)
  await Promise.all(made.map((socket) => once(socket, 'connect')))
  return made
}

const countsOf = (workers: readonly FakeWorker[]) => workers.map(({ connections }) => connections.length)
const workersOf = (count: number) =>
  Array.from({ length: count }, (_, index) => new FakeWorker(index + 1, LISTENER))
const handedTo = (workers: readonly FakeWorker[], count: number) =>
  until(() => countsOf(workers).reduce((a, b) => a + b, 0) === count, 'connections are handed over')

describe('connections of a router with several workers', () => {
  it('go to the workers in turn', async () => {
    const workers = workersOf(3)
    const acceptor = await acceptorFor(() => workers)
    await connectTo(acceptor, 9)
    await handedTo(workers, 9)
    expect(countsOf(workers)).toEqual([3, 3, 3])
  })

  it('go to others while a worker accepts none, and wait when none does', async () => {
    const workers = workersOf(2)
    const [busy, idle] = workers as [FakeWorker, FakeWorker]
    const acceptor = await acceptorFor(() => workers)
    const accept = setInterval(() => {
      for (const { id } of idle.connections) acceptor.accepted(id)
    }, 1)
    await connectTo(acceptor, 40)
    await handedTo(workers, 40)
    clearInterval(accept)
    expect(busy.connections).toHaveLength(8)
    await connectTo(acceptor, 20)
    await until(() => idle.connections.length >= 40 - 8 + 8, 'the other one has as many ahead')
    expect(countsOf(workers)).toEqual([8, 40])
  })

  it('that a worker has not accepted go to another one when it comes to its end, and no others', async () => {
    const workers = workersOf(2)
    const [dying, other] = workers as [FakeWorker, FakeWorker]
    let reachable: readonly FakeWorker[] = [dying]
    const acceptor = await acceptorFor(() => reachable)
    await connectTo(acceptor, 3)
    await handedTo(workers, 3)
    const [accepted, ...rest] = dying.connections
    acceptor.accepted(accepted?.id ?? 0)
    reachable = [other]
    acceptor.ended(dying)
    expect(other.connections.map(({ socket }) => socket)).toEqual(rest.map(({ socket }) => socket))
  })

  it('wait while there is no worker', async () => {
    const [worker] = workersOf(1) as [FakeWorker]
    let reachable: readonly FakeWorker[] = []
    const acceptor = await acceptorFor(() => reachable)
    const made = await connectTo(acceptor, 2)
    reachable = [worker]
    // Accepted by the system before the process has heard of them.
    await until(() => {
      acceptor.distribute()
      return worker.connections.length === made.length
    }, 'the worker has them')
  })

  it('stay open until their worker has accepted them, and are closed here then', async () => {
    const workers = workersOf(1)
    const acceptor = await acceptorFor(() => workers)
    await connectTo(acceptor, 1)
    await handedTo(workers, 1)
    const { id, socket } = workers[0]?.connections[0] ?? { id: 0, socket: null }
    expect(socket?.destroyed).toBe(false)
    acceptor.accepted(id)
    expect(socket?.destroyed).toBe(true)
    acceptor.accepted(id)
  })
})
