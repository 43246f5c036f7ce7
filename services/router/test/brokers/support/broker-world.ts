/** A real NATS, a subgraph of events, one that adds to them, and a router that serves both. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connectNats, type NatsLink } from '@switchyard/event-log/connect-nats'
import {
  type CertificateFiles,
  freePort,
  type HttpSubgraph,
  serveSubgraph,
  type SpawnedServer,
  startServer,
} from '@switchyard/testkit'
import { LOCAL_NETWORKS, loadRouterConfig } from '../../../src/config/router-config.ts'
import { type BuiltArtifact, composedArtifact } from '../../support/artifacts.ts'
import { ConfigWorld } from '../../support/config-world.ts'
import { routerOn, type TestRouter, until } from '../../support/router.ts'

const LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@external"])'

export const EVENTS = `
  type Subscription {
    orderChanged(id: ID!): Order! @edfs__natsSubscribe(subjects: ["orders.changed.{{ args.id }}"])
    anyOrderChanged: Order! @edfs__natsSubscribe(subjects: ["orders.changed.*", "orders.other"])
    orderStored: Order!
      @edfs__natsSubscribe(
        subjects: ["stored.orders.>"]
        streamConfiguration: { streamName: "ORDERS", consumerName: "router" }
      )
    ordersOf(shops: [ID!]!, not: String): Sale!
      @edfs__natsSubscribe(subjects: ["orders.filtered"])
      @openfed__subscriptionFilter(
        condition: {
          AND: [
            { IN: { fieldPath: "shop.id", values: ["{{ args.shops }}"] } }
            { NOT: { IN: { fieldPath: "tags", values: ["{{ args.not }}", "draft", null] } } }
          ]
        }
      )
    noteWritten: Note! @edfs__natsSubscribe(subjects: ["notes.written"])
    elsewhere: Order! @edfs__natsSubscribe(subjects: ["orders.changed.1"], providerId: "elsewhere")
    fromKafka: Order! @edfs__kafkaSubscribe(topics: ["orders"])
  }
  type Order @key(fields: "id", resolvable: false) { id: ID! @external }
  type Sale { id: ID! shop: Shop tags: [String] }
  type Shop { id: ID! }
  interface Note { text: String! }
  type Memo implements Note { text: String! pages: [Int!]! }
  type Letter implements Note { text: String! to: String }`

const ORDERS = `${LINK}
  type Query { orders: [Order!]! }
  type Order @key(fields: "id") { id: ID! status: String! price: Int }`

export type BrokerWorld = AsyncDisposable & {
  readonly nats: SpawnedServer
  readonly orders: HttpSubgraph
  readonly router: TestRouter
  /** Publishes to a subject: a value as JSON, or bytes as they are. */
  publish(subject: string, payload: unknown): void
  /** A connection to NATS that is not the router's. */
  readonly link: NatsLink
  /** Waits until the router has so many subscriptions to a subject. */
  subscribed(subject: string, count: number): Promise<void>
  /** Serves the graph with these events. */
  serve(revision: number, events: string): Promise<void>
  apply(file: string): Promise<void>
}

export type BrokerWorldOptions = {
  readonly events?: string
  /** Settings within `subscriptions`, and further sections. */
  readonly settings?: string
  readonly sections?: string
  /** The size of a message that the server takes, in bytes. */
  readonly maxPayload?: number
  /** Permissions of the router's user, as the server's configuration has them. */
  readonly user?: string
  /** Certificates of the server, which asks clients for theirs. `provider` says what the router knows. */
  readonly tls?: CertificateFiles
  /** Settings of the provider besides its URL. */
  readonly provider?: string
  /** A program of `natsVersions()`; the machine's by default. */
  readonly path?: string
}

/** Starts all of it. */
export async function startBrokerWorld({
  events = EVENTS,
  settings = '',
  sections = '',
  maxPayload = 1024 * 1024,
  user,
  tls,
  provider = '',
  path,
}: BrokerWorldOptions = {}): Promise<BrokerWorld> {
  await using stack = new AsyncDisposableStack()
  const monitor = await freePort()
  const permissions = user === undefined ? '' : `, permissions: { ${user} }`
  const tlsBlock =
    tls === undefined
      ? ''
      : `tls { cert_file: "${tls.cert}", key_file: "${tls.key}", ca_file: "${tls.ca}", verify: true }\n`
  const nats = stack.use(
    await startServer({
      binary: 'nats-server',
      ...(path === undefined ? {} : { path }),
      scheme: 'nats',
      arguments: (port, data) => {
        const file = join(data, 'server.conf')
        writeFileSync(
          file,
          `listen: "127.0.0.1:${port}"\nhttp: "127.0.0.1:${monitor}"\nmax_payload: ${maxPayload}\n${tlsBlock}jetstream { store_dir: "${data}" }\nauthorization { users: [{ user: router, password: secret${permissions} }, { user: test, password: secret }] }\n`,
        )
        return ['-c', file]
      },
    }),
  )
  const scheme = tls === undefined ? 'nats' : 'tls'
  const urlFor = (credentials: string) => nats.url.replace('nats://', `${scheme}://${credentials}@`)
  const files = tls === undefined ? {} : { tls: { caFile: tls.ca, certFile: tls.cert, keyFile: tls.key } }
  const link = stack.use(await connectNats({ url: urlFor('test:secret'), name: 'test', ...files }))
  const orders = stack.use(
    await serveSubgraph({
      sdl: ORDERS,
      resolvers: {
        Query: { orders: () => [] },
        Order: {
          __resolveReference: ({ id }: { readonly id: string }) =>
            id === 'gone' ? null : { id, status: `status of ${id}`, price: Number(id) * 10 },
        },
      },
    }),
  )
  const config = stack.use(await ConfigWorld.create())
  const serve = async (revision: number, own: string): Promise<void> => {
    await config.publish({ revision, base: artifactOf(own, orders.url) })
  }
  await serve(1, events)
  const more = settings === '' ? '' : `, ${settings}`
  const file = `subscriptions: { enabled: true, move_window: 200ms${more} }
events: { providers: { default: { url: "${urlFor('router:secret')}", ${provider} } } }
${sections}`
  const router = stack.use(await routerOn(config, { settings: file }))
  await router.ready
  const parts = stack.move()
  return {
    nats,
    orders,
    router,
    link,
    serve,
    publish: (subject, payload) => {
      link.connection.publish(subject, payload instanceof Uint8Array ? payload : JSON.stringify(payload))
    },
    subscribed: async (subject, count) => {
      await until(
        async () => (await subscriptionsTo(subject, monitor)) === count,
        `${count} subscriptions to ${subject}`,
      )
    },
    apply: (text) =>
      router.apply({
        ...loadRouterConfig({ file: { path: 'router.yaml', text }, defaultNetworks: LOCAL_NETWORKS }),
        host: '127.0.0.1',
        port: 0,
      }),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}

type Subscriptions = { readonly subscriptions_list?: readonly { readonly subject: string }[] }

/** Asks the server, which knows a subscription some time after the router made it. */
async function subscriptionsTo(subject: string, monitor: number): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${monitor}/subsz?subs=1&limit=10000`)
  const { subscriptions_list: list = [] } = (await response.json()) as Subscriptions
  return list.filter((one) => one.subject === subject).length
}

function artifactOf(events: string, ordersUrl: string): BuiltArtifact {
  return composedArtifact([
    { name: 'events', sdl: `${LINK}\n${events}`, routingUrl: 'http://events.invalid/' },
    { name: 'orders', sdl: ORDERS, routingUrl: ordersUrl },
  ])
}
