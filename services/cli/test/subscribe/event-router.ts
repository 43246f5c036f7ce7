/** A subgraph that sends events when a test says so, and a router as a process that serves it. */
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { compose } from '@switchyard/composition'
import { startServiceProcess, temporaryDirectory, waitFor } from '@switchyard/testkit'
import { createSchema, createYoga, Repeater } from 'graphql-yoga'

const SDL = `
  type Query { now: Int }
  type Mutation { set(to: Int!): Int }
  type Subscription { ticks(from: Int): Tick }
  type Tick { number: Int! text: String }
`

export type TickValue = { readonly number: number; readonly text: string }

export type EventRouter = AsyncDisposable & {
  readonly url: string
  readonly port: number
  /** Values of `Mutation.set` so far. */
  readonly written: readonly number[]
  /** Sends an event to every subscription; null completes them. */
  send(value: TickValue | null): void
  /** Waits until so many subscriptions are open at the subgraph. */
  subscribed(count: number): Promise<unknown>
  /** Waits until the subgraph has seen so many subscriptions begin. */
  begun(count: number): Promise<unknown>
}

export async function startEventRouter(subscriptions = 'enabled: true'): Promise<EventRouter> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(await temporaryDirectory())
  const written: number[] = []
  const listeners = new Set<(value: TickValue | null) => void>()
  let begun = 0
  // No generator: one that waits for an event cannot be told that nobody listens any more.
  const ticks = () =>
    new Repeater<{ readonly ticks: TickValue }>(async (push, stop) => {
      const tell = (value: TickValue | null): void =>
        void (value === null ? stop() : push({ ticks: value }).catch(() => {}))
      listeners.add(tell)
      begun++
      await stop
      listeners.delete(tell)
    })
  const yoga = createYoga({
    schema: createSchema({
      typeDefs: SDL,
      resolvers: {
        Query: { now: () => 7 },
        Mutation: {
          set: (_root: unknown, { to }: { readonly to: number }) => {
            written.push(to)
            return to
          },
        },
        Subscription: { ticks: { subscribe: ticks } },
      },
    }),
    logging: false,
  })
  const subgraph = createServer((request, response) => void yoga(request, response))
  subgraph.listen(0, '127.0.0.1')
  await once(subgraph, 'listening')
  stack.defer(() => {
    subgraph.closeAllConnections()
    subgraph.close()
  })
  const address = subgraph.address()
  const subgraphPort = typeof address === 'object' && address !== null ? address.port : 0
  const routingUrl = `http://127.0.0.1:${subgraphPort}/graphql`
  const composed = compose({ subgraphs: [{ name: 'events', sdl: SDL, routingUrl }] })
  if (composed.kind === 'failed') throw new Error(composed.errors.map(({ message }) => message).join('\n'))
  const supergraph = join(folder.path, 'supergraph.graphql')
  const settings = join(folder.path, 'router.yaml')
  await writeFile(supergraph, composed.supergraphSdl)
  await writeFile(
    settings,
    `subscriptions: { ${subscriptions} }\nsubgraphs: { overrides: { events: { subscriptions: { protocol: sse } } } }\n`,
  )
  const router = stack.use(
    await startServiceProcess('services/router/src/main.ts', {
      SWITCHYARD_SUPERGRAPH: supergraph,
      SWITCHYARD_CONFIG: settings,
    }),
  )
  await waitFor('the router to be ready', () => router.ready())
  const parts = stack.move()
  return {
    url: `http://127.0.0.1:${router.port}/graphql`,
    port: router.port,
    written,
    send: (value) => {
      for (const tell of listeners) tell(value)
    },
    subscribed: (count) => waitFor(`${count} subscriptions`, () => listeners.size === count),
    begun: (count) => waitFor(`${count} subscriptions to begin`, () => begun >= count),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}
