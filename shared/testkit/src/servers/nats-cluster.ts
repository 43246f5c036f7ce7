/**
 * Several NATS servers that form one cluster, so that a stream can have replicas and outlives the loss of one
 * of them.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitFor } from '../waiting/wait-for.ts'
import { type SpawnedServer, startServerOn } from './child-server.ts'
import { freePorts } from './free-port.ts'
import { natsVersions } from './nats-versions.ts'

export type NatsNode = SpawnedServer & {
  /** The name by which `cluster.leader` of a stream names the server. */
  readonly name: string
  /** The URL at which the server tells about itself: `/healthz`, `/jsz`, `/connz`. */
  readonly monitoringUrl: string
}

export interface NatsCluster extends AsyncDisposable {
  /** All nodes, separated by commas, as `SWITCHYARD_NATS_URL` takes them. */
  readonly url: string
  readonly nodes: readonly NatsNode[]
  /** The node that leads a stream and decides what is acknowledged. */
  leaderOf(stream: string): Promise<NatsNode>
  /** Resolves when every running node is in step with the others. */
  whenHealthy(): Promise<void>
}

export type NatsClusterOptions = {
  /** A program of `natsVersions()`; the newest by default. */
  readonly path?: string
  readonly size?: number
  /** More lines for every configuration file, such as `authorization { … }` or `tls { … }`. */
  readonly config?: string
}

const STARTS = 3

/** Starts a cluster of NATS servers. Tests that use it need `describe.skipIf(!natsClusterAvailable())`. */
export async function startNatsCluster(options: NatsClusterOptions = {}): Promise<NatsCluster> {
  let failure: unknown
  for (let attempt = 0; attempt < STARTS; attempt += 1) {
    try {
      return await startOnce(options)
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

async function startOnce({
  path = natsVersions().at(-1)?.path,
  size = 3,
  config = '',
}: NatsClusterOptions): Promise<NatsCluster> {
  if (path === undefined)
    throw new Error('No NATS server for a cluster is there, expected one of scripts/nats-versions.sh.')
  const ports = await freePorts(size * 3)
  const places = Array.from({ length: size }, (_, index) => ({
    name: `node-${index + 1}`,
    client: ports[index * 3] ?? 0,
    route: ports[index * 3 + 1] ?? 0,
    monitoring: ports[index * 3 + 2] ?? 0,
  }))
  const routes = places.map(({ route }) => `nats://127.0.0.1:${route}`)
  const started = await Promise.allSettled(places.map((place) => startNode(path, place, routes, config)))
  const nodes = started.flatMap((node) => (node.status === 'fulfilled' ? [node.value] : []))
  const cluster = clusterOf(nodes)
  try {
    const failed = started.find((node) => node.status === 'rejected')
    if (failed !== undefined) throw failed.reason
    await cluster.whenHealthy()
    return cluster
  } catch (error) {
    await cluster[Symbol.asyncDispose]()
    throw error
  }
}

type Place = {
  readonly name: string
  readonly client: number
  readonly route: number
  readonly monitoring: number
}

async function startNode(
  path: string,
  place: Place,
  routes: readonly string[],
  config: string,
): Promise<NatsNode> {
  const folder = await mkdtemp(join(tmpdir(), `nats-${place.name}-`))
  const file = join(folder, 'nats.conf')
  writeFileSync(file, configuration(place, routes, join(folder, 'data'), config))
  try {
    const server = await startServerOn(
      { binary: 'nats-server', path, scheme: 'nats', arguments: () => ['-c', file] },
      place.client,
      folder,
    )
    return Object.assign(server, {
      name: place.name,
      monitoringUrl: `http://127.0.0.1:${place.monitoring}`,
    })
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

function configuration(place: Place, routes: readonly string[], data: string, more: string): string {
  return `server_name: ${place.name}
listen: "127.0.0.1:${place.client}"
http: "127.0.0.1:${place.monitoring}"
jetstream { store_dir: ${JSON.stringify(data)} }
cluster {
  name: switchyard
  listen: "127.0.0.1:${place.route}"
  routes: ${JSON.stringify(routes)}
}
${more}
`
}

function clusterOf(nodes: readonly NatsNode[]): NatsCluster {
  return {
    url: nodes.map(({ url }) => url).join(','),
    nodes,
    leaderOf: (stream) =>
      waitFor(`a leader of ${stream}`, async () => {
        for (const node of nodes.filter(isRunning)) {
          const name = await leaderBy(node, stream)
          const leader = nodes.find((other) => other.name === name && isRunning(other))
          if (leader !== undefined) return leader
        }
        return null
      }),
    whenHealthy: () =>
      waitFor('the nodes of NATS to be in step', async () => {
        const answers = await Promise.all(nodes.filter(isRunning).map(isHealthy))
        return answers.every(Boolean)
      }).then(() => {}),
    async [Symbol.asyncDispose]() {
      await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()))
    },
  }
}

function isRunning(node: NatsNode): boolean {
  return node.running
}

async function isHealthy({ monitoringUrl }: NatsNode): Promise<boolean> {
  return (await fetch(`${monitoringUrl}/healthz`)).ok
}

async function leaderBy({ monitoringUrl }: NatsNode, stream: string): Promise<string | null> {
  const answer = await fetch(`${monitoringUrl}/jsz?streams=true&accounts=true`).catch(() => null)
  if (answer?.ok !== true) return null
  const { account_details: accounts = [] } = (await answer.json()) as JetStreamState
  const found = accounts
    .flatMap(({ stream_detail: streams = [] }) => streams)
    .find(({ name }) => name === stream)
  return found?.cluster?.leader ?? null
}

type JetStreamState = {
  readonly account_details?: readonly {
    readonly stream_detail?: readonly {
      readonly name: string
      readonly cluster?: { readonly leader?: string }
    }[]
  }[]
}
