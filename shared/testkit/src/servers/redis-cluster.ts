/** A Redis Cluster of three nodes that share the slots, each with a replica if wanted. */
import { waitFor } from '../waiting/wait-for.ts'
import type { SpawnedServer } from './child-server.ts'
import { freePorts } from './free-port.ts'
import { askRedis, type RedisAccess, startRedisNode } from './redis-nodes.ts'

export interface RedisCluster extends AsyncDisposable {
  /** `redis-cluster://host:port,…`, without credentials. */
  readonly url: string
  readonly nodes: readonly SpawnedServer[]
  /** The node that serves a key at this moment, asked of the running ones. */
  ownerOf(key: string): Promise<SpawnedServer>
  /** Gives the slot of a key, with all that is in it, to another node that owns slots. */
  move(key: string, to: SpawnedServer): Promise<void>
  /** Resolves when all running nodes say that every slot is served. */
  whenComplete(): Promise<void>
}

export type RedisClusterOptions = {
  /** Replicas of each of the three owners. */
  readonly replicas?: 0 | 1
  /** More lines for the configuration files, such as `requirepass`, `masterauth`, `aclfile`. */
  readonly config?: readonly string[]
  /** The access of a user who may do everything, for the commands of this helper itself. */
  readonly access?: RedisAccess
}

const OWNERS = 3
const SLOTS = 16_384
const MOVE_TIMEOUT_MS = '5000'

/** Starts a Redis cluster. Tests that use it need `describe.skipIf(!redisServerAvailable())`. */
export async function startRedisCluster(options: RedisClusterOptions = {}): Promise<RedisCluster> {
  const { replicas = 0, config = [], access = {} } = options
  const count = OWNERS * (1 + replicas)
  const ports = await freePorts(count * 2)
  await using starting = new AsyncDisposableStack()
  const nodes = await Promise.all(
    Array.from({ length: count }, async (_, index) =>
      starting.use(
        await startRedisNode({
          port: ports[index] ?? 0,
          config: [
            'cluster-enabled yes',
            `cluster-port ${ports[count + index]}`,
            'cluster-announce-ip 127.0.0.1',
            'cluster-node-timeout 3000',
            'cluster-require-full-coverage no',
            'appendonly yes',
            'repl-diskless-sync-delay 0',
            ...config,
          ],
        }),
      ),
    ),
  )
  const busPorts = ports.slice(count)
  const cluster = new Cluster(nodes, access)
  await cluster.form(busPorts)
  const started = starting.move()
  cluster[Symbol.asyncDispose] = () => started.disposeAsync()
  return cluster
}

type KnownNode = { readonly id: string; readonly port: number; readonly ranges: readonly [number, number][] }

class Cluster implements RedisCluster {
  readonly nodes: readonly SpawnedServer[]
  readonly #access: RedisAccess;
  [Symbol.asyncDispose]: () => Promise<void> = async () => {}

  constructor(nodes: readonly SpawnedServer[], access: RedisAccess) {
    this.nodes = nodes
    this.#access = access
  }

  get url(): string {
    return `redis-cluster://${this.nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`
  }

  async ownerOf(key: string): Promise<SpawnedServer> {
    return waitFor(`an owner of ${key}`, async () => {
      const slot = await this.#slotOf(key)
      const owner = (await this.#known()).find(({ ranges }) =>
        ranges.some(([first, last]) => first <= slot && slot <= last),
      )
      return this.nodes.find(({ port, running }) => port === owner?.port && running)
    })
  }

  async move(key: string, to: SpawnedServer): Promise<void> {
    const from = await this.ownerOf(key)
    if (from === to) return
    const slot = await this.#slotOf(key)
    const ids = new Map((await this.#known()).map(({ id, port }) => [port, id]))
    const [fromId = '', toId = ''] = [ids.get(from.port), ids.get(to.port)]
    await this.#ask(to, 'CLUSTER', 'SETSLOT', String(slot), 'IMPORTING', fromId)
    await this.#ask(from, 'CLUSTER', 'SETSLOT', String(slot), 'MIGRATING', toId)
    for (;;) {
      const keys = await this.#ask(from, 'CLUSTER', 'GETKEYSINSLOT', String(slot), '100')
      if (!Array.isArray(keys) || keys.length === 0) break
      await this.#migrate(from, to, keys.map(String))
    }
    for (const node of [to, from, ...this.nodes.filter((other) => other !== to && other !== from)]) {
      // A replica refuses; it hears of it from its owner.
      if (node.running)
        await this.#ask(node, 'CLUSTER', 'SETSLOT', String(slot), 'NODE', toId).catch(() => {})
    }
  }

  whenComplete(): Promise<void> {
    return waitFor('every slot of the Redis cluster to be served', async () => {
      const states = await Promise.all(
        this.#running().map((node) => this.#ask(node, 'CLUSTER', 'INFO').then(String)),
      )
      return states.every(
        (state) =>
          state.includes('cluster_state:ok') &&
          state.includes(`cluster_slots_ok:${SLOTS}`) &&
          state.includes(`cluster_known_nodes:${this.nodes.length}\r`),
      )
    }).then(() => {})
  }

  /** Introduces the nodes to one another, deals out the slots, and tells replicas whose they are. */
  async form(busPorts: readonly number[]): Promise<void> {
    const [first] = this.nodes
    if (first === undefined) return
    for (const [index, node] of this.nodes.entries()) {
      if (node !== first)
        await this.#ask(first, 'CLUSTER', 'MEET', '127.0.0.1', String(node.port), String(busPorts[index]))
    }
    const owners = this.nodes.slice(0, OWNERS)
    for (const [index, owner] of owners.entries()) {
      const begin = Math.ceil((index * SLOTS) / OWNERS)
      const end = Math.ceil(((index + 1) * SLOTS) / OWNERS) - 1
      await this.#ask(owner, 'CLUSTER', 'ADDSLOTSRANGE', String(begin), String(end))
    }
    await this.whenComplete()
    for (const [index, replica] of this.nodes.slice(OWNERS).entries()) {
      const id = String(await this.#ask(owners[index % OWNERS] ?? first, 'CLUSTER', 'MYID'))
      await this.#ask(replica, 'CLUSTER', 'REPLICATE', id)
    }
    for (const replica of this.nodes.slice(OWNERS)) await this.#whenInStep(replica)
  }

  #whenInStep(replica: SpawnedServer): Promise<unknown> {
    return waitFor('a replica to be in step', async () =>
      String(await this.#ask(replica, 'INFO', 'replication')).includes('master_link_status:up'),
    )
  }

  async #migrate(from: SpawnedServer, to: SpawnedServer, keys: readonly string[]): Promise<void> {
    const { username, password } = this.#access
    const credentials =
      password === undefined
        ? []
        : username === undefined
          ? ['AUTH', password]
          : ['AUTH2', username, password]
    const where = ['127.0.0.1', String(to.port), '', '0', MOVE_TIMEOUT_MS]
    await this.#ask(from, 'MIGRATE', ...where, ...credentials, 'KEYS', ...keys)
  }

  async #slotOf(key: string): Promise<number> {
    const [node] = this.#running()
    return node === undefined ? -1 : Number(await this.#ask(node, 'CLUSTER', 'KEYSLOT', key))
  }

  /** Returns the nodes that the most up-to-date node knows: the one with the highest epoch. */
  async #known(): Promise<readonly KnownNode[]> {
    const views = await Promise.all(
      this.#running().map(async (node) => ({
        epoch: Number(
          /cluster_current_epoch:(\d+)/.exec(String(await this.#ask(node, 'CLUSTER', 'INFO')))?.[1] ?? 0,
        ),
        text: String(await this.#ask(node, 'CLUSTER', 'NODES')),
      })),
    )
    const newest = views.toSorted((left, right) => right.epoch - left.epoch)[0]
    return (newest?.text ?? '').split('\n').flatMap(readNode)
  }

  #running(): readonly SpawnedServer[] {
    return this.nodes.filter(({ running }) => running)
  }

  #ask(node: SpawnedServer, command: string, ...args: readonly string[]): Promise<unknown> {
    return askRedis(node, this.#access, command, ...args)
  }
}

/** A line of `CLUSTER NODES`. What it says about slots on the move is left out. */
function readNode(line: string): readonly KnownNode[] {
  const [id = '', address = '', flags = '', , , , , , ...slots] = line.trim().split(' ')
  const port = Number(/:(\d+)@/.exec(address)?.[1])
  if (Number.isNaN(port) || flags.includes('fail')) return []
  const ranges = slots
    .filter((text) => /^\d/.test(text))
    .map((text): [number, number] => {
      const [first = '', last = first] = text.split('-')
      return [Number(first), Number(last)]
    })
  return [{ id, port, ranges }]
}
