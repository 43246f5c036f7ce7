/** Two routers on one graph, behind one address as behind a load balancer. */
import { connect, createServer, type Socket } from 'node:net'
import { routerOn } from '../../support/router.ts'
import { listen } from '../upstream/support.ts'
import { type EventWorld, startEventWorld } from './event-world.ts'

export type RouterPair = AsyncDisposable & {
  readonly world: EventWorld
  /** The address of both: connections lead to the first router until it is stopped. */
  readonly url: string
  readonly socketUrl: string
  /** Stops the first router. From now on connections lead to the second one. */
  stopFirst(): Promise<void>
  /** The number of connections that have led to the second router. */
  readonly ledToSecond: () => number
}

export async function startRouterPair(): Promise<RouterPair> {
  await using stack = new AsyncDisposableStack()
  const world = stack.use(await startEventWorld())
  const first = await routerOn(world.config, {
    settings: 'subscriptions: { enabled: true }',
    instance: 'r2',
  })
  let isStopped = false
  const stopFirst = async (): Promise<void> => {
    if (isStopped) return
    isStopped = true
    await first[Symbol.asyncDispose]()
  }
  stack.defer(stopFirst)
  await first.ready
  let ledToSecond = 0
  const clients = new Set<Socket>()
  const balancer = createServer((client) => {
    if (isStopped) ledToSecond++
    clients.add(client)
    const router = connect(isStopped ? world.router.port : first.port, '127.0.0.1')
    client.pipe(router).pipe(client)
    client.on('error', () => {})
    client.on('close', () => {
      clients.delete(client)
      router.destroy()
    })
    router.on('error', () => client.destroy()).on('close', () => client.destroySoon())
  })
  const port = await listen(balancer)
  stack.defer(() => {
    for (const client of clients) client.destroy()
    balancer.close()
  })
  const parts = stack.move()
  return {
    world,
    url: `http://127.0.0.1:${port}/graphql`,
    socketUrl: `ws://127.0.0.1:${port}/graphql`,
    stopFirst,
    ledToSecond: () => ledToSecond,
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}
