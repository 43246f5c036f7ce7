/** Subscriptions at subgraphs that a test serves itself. */
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Server as NetServer } from 'node:net'
import { createLogger } from '@switchyard/service-kit'
import { waitFor } from '@switchyard/testkit'
import { LOCAL_NETWORKS } from '../../../src/addresses/allowed-networks.ts'
import { SILENT_POLICY_EVENTS } from '../../../src/call/call-policies.ts'
import { Origins } from '../../../src/call/origins.ts'
import { CircuitBreakers } from '../../../src/call/policies/circuit/circuit-breakers.ts'
import type { SubgraphsConfig } from '../../../src/call/settings.ts'
import { loadRouterConfig } from '../../../src/config/router-config.ts'
import { camelCased } from '../../../src/settings/camel-cased.ts'
import { UpstreamSettings } from '../../../src/subscriptions/upstream/settings.ts'
import { FanOut } from '../../../src/subscriptions/turns/fan-out.ts'
import { SharedUpstreams } from '../../../src/subscriptions/upstream/sharing/shared-upstreams.ts'
import type {
  UpstreamFailure,
  UpstreamListener,
  UpstreamProtocol,
  UpstreamRequest,
} from '../../../src/subscriptions/upstream/upstream.ts'
import { SubgraphTls } from '../../../src/transport/tls/subgraph-tls.ts'
import { SubgraphTlsEvents } from '../../../src/transport/tls/events.ts'
import { LoadWatch } from '../../../src/transport/load/load-watch.ts'

export type OpenOptions = {
  /** Settings of `subscriptions.upstream`. */
  readonly settings?: Readonly<Record<string, unknown>>
  /** The settings file, as far as connections go by it. */
  readonly file?: string
  /** The circuit breakers; without them, those of the file. */
  readonly circuits?: CircuitBreakers
}

/** Opens what a router opens, which ends with the stack. */
export async function openUpstreams(
  stack: AsyncDisposableStack,
  { settings = {}, file = '', circuits }: OpenOptions = {},
): Promise<SharedUpstreams> {
  const subgraphs = subgraphsOf(file)
  const logger = createLogger({ name: 'router', level: 'silent' })
  const tls = stack.use(await SubgraphTls.open(subgraphs, new SubgraphTlsEvents(logger)))
  const origins = stack.use(new Origins(subgraphs, { loads: new LoadWatch(), tls }))
  await origins.prepare()
  const config = camelCased(UpstreamSettings.parse(settings))
  return stack.use(
    new SharedUpstreams({
      config,
      origins,
      circuits: circuits ?? new CircuitBreakers(subgraphs, SILENT_POLICY_EVENTS.circuits),
      logger,
      fanOut: new FanOut(),
    }),
  )
}

/** Returns the settings of subgraphs in a settings file. */
export function subgraphsOf(file: string): SubgraphsConfig {
  const text = { path: 'router.yaml', text: file }
  return loadRouterConfig({ file: text, defaultNetworks: LOCAL_NETWORKS }).subgraphs
}

/** Keeps what a source tells. */
export class Told implements UpstreamListener {
  readonly events: unknown[] = []
  /** Everything in its order: `event`, `reopened`, `completed` or a code. */
  readonly order: string[] = []
  failure: UpstreamFailure | null = null
  bytes = 0
  onEvent: (body: unknown) => void = () => {}

  event(body: unknown, bytes: number): void {
    this.events.push(body)
    this.order.push('event')
    this.bytes = bytes
    this.onEvent(body)
  }
  reopened(): void {
    this.order.push('reopened')
  }
  completed(): void {
    this.order.push('completed')
  }
  failed(reason: UpstreamFailure): void {
    this.order.push(reason.code)
    this.failure = reason
  }

  get last(): string | undefined {
    return this.order.at(-1)
  }

  get isOver(): boolean {
    return this.last === 'completed' || this.failure !== null
  }

  /** Waits until this was told, as often as `count` says. Throws if the source ends before. */
  async until(what: string, count = 1): Promise<void> {
    const isTold = () => this.order.filter((one) => one === what).length >= count
    await waitFor(`${count} × ${what}`, () => isTold() || this.isOver)
    if (!isTold()) throw new Error(`No ${what}: ${this.order.join(', ')}: ${this.failure?.message}`)
  }
}

export type Opening = Partial<UpstreamRequest> & {
  readonly protocol?: UpstreamProtocol
  readonly exactNumbers?: boolean
}

/** Opens a subscription and keeps what it tells. */
export function openAt(upstreams: SharedUpstreams, url: string, opening: Opening = {}, told = new Told()) {
  const { protocol = url.startsWith('ws') ? 'graphql-transport-ws' : 'sse', exactNumbers = false } = opening
  const request: UpstreamRequest = {
    subgraph: 'clock',
    url: new URL(url),
    headers: [],
    initPayload: null,
    body: '{"query":"subscription { ticks }"}',
    ...opening,
  }
  const source = upstreams.open(request, { protocol, exactNumbers }, told)
  return { source, told }
}

/** Serves HTTP at a free port until the stack ends. Returns the URL, without its protocol. */
export async function serve(
  stack: AsyncDisposableStack,
  listener: RequestListener = (_request, response) => response.writeHead(404).end(),
): Promise<{ readonly server: Server; readonly at: string; readonly port: number }> {
  const server = createServer(listener)
  const port = await listen(server)
  stack.defer(async () => {
    server.closeAllConnections()
    server.close()
    await Promise.resolve()
  })
  return { server, at: `://127.0.0.1:${port}/graphql`, port }
}

export async function listen(server: NetServer): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens at a port
  return (server.address() as AddressInfo).port
}
