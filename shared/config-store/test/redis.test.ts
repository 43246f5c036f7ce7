import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MAX_MANIFEST_BYTES, MAX_PACKED_ARTIFACT_BYTES } from '@switchyard/contracts'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type ConfigStore,
  ConfigStoreUnavailableError,
  openConfigStore,
  openRedisConfigStore,
} from '../src/index.ts'
import { describeConfigStore } from './config-store.contract.ts'
import {
  freePort,
  isLongRun,
  redisServerAvailable,
  type SpawnedServer,
  startRedisServer,
  startServer,
  waitFor,
} from '@switchyard/testkit'
import { artifactOf, manifestOf, SHOP } from './samples.ts'

const PREFIX = 'switchyard:{default/shop}'
const LARGE = 4 * 1024 * 1024
/** Makes a key of that kind with a value of so many bytes, inside of Redis. */
const FILL = `
local large = string.rep('x', tonumber(ARGV[2]))
redis.call('DEL', KEYS[1])
if ARGV[1] == 'hash' then
  redis.call('HSET', KEYS[1], 'epoch', '1', 'revision', '1', 'manifest', large, 'signature', 'a..b')
elseif ARGV[1] == 'list' then redis.call('RPUSH', KEYS[1], large)
else redis.call('ZADD', KEYS[1], 1, large) end
`

describe.skipIf(!redisServerAvailable())('with a Redis server', () => {
  describeOnOne('Redis', startRedisServer, (server) =>
    openConfigStore({ kind: 'redis', url: server.url }, { name: 'contract' }),
  )

  describeOnOne('a Redis cluster', startCluster, (server) =>
    openRedisConfigStore({ url: `redis-cluster://127.0.0.1:${server.port}` }),
  )

  describe('with a sentinel', () => {
    let sentinel: SpawnedServer
    afterAll(() => sentinel[Symbol.asyncDispose]())
    const start = async () => {
      const server = await startRedisServer()
      sentinel = await startSentinel(server.port)
      return server
    }
    describeOnOne('Redis behind Sentinel', start, () =>
      openRedisConfigStore({ url: `redis-sentinel://127.0.0.1:${sentinel.port}/0?name=yard` }),
    )
  })

  describe('a config store in Redis', () => {
    it('ends with the newest manifest when writers in several processes come in any order', async () => {
      await using server = await startRedisServer()
      const stores = await Promise.all(
        Array.from({ length: 4 }, () => openRedisConfigStore({ url: server.url })),
      )
      const puts = stores.flatMap((store, writer) =>
        Array.from({ length: 20 }, (_, index) => {
          const revision = ((index * 4 + writer) * 37) % 80
          return store.putManifest(SHOP, manifestOf(1, revision + 1))
        }),
      )
      const outcomes = await Promise.all(puts)
      expect((await stores[0]?.getManifest(SHOP))?.version).toEqual({ epoch: 1, revision: 80 })
      const written = outcomes.filter((outcome) => outcome === 'written')
      expect(await stores[1]?.history(SHOP, 200)).toHaveLength(written.length)
      for (const store of stores) await store[Symbol.asyncDispose]()
    })

    it('fails at once while Redis is gone, and works again by itself when it is back', async () => {
      await using server = await startRedisServer()
      await using store = await openRedisConfigStore({ url: server.url })
      await store.putManifest(SHOP, manifestOf(1, 1))
      await server.kill9()
      await waitFor('the loss to be noticed', () => isUnavailable(store))
      // The alternative is a queue that answers when Redis is back, thus never here.
      await expect(store.getManifest(SHOP)).rejects.toThrow(ConfigStoreUnavailableError)
      await expect(store.putManifest(SHOP, manifestOf(1, 2))).rejects.toThrow(/Redis at 127\.0\.0\.1/)
      await server.restart()
      await waitFor('the store to answer again', async () => !(await isUnavailable(store)))
      expect((await store.getManifest(SHOP))?.version.revision).toBe(1)
    })

    it('opens without a server and works when one has come', async () => {
      await using server = await startRedisServer()
      await server.stop()
      await using store = await openRedisConfigStore({ url: server.url })
      await expect(store.ping()).rejects.toThrow(ConfigStoreUnavailableError)
      await server.restart()
      await waitFor('the store to answer', async () => !(await isUnavailable(store)))
    })

    it('is empty after a flush and takes the same version again', async () => {
      await using server = await startRedisServer()
      await using store = await openRedisConfigStore({ url: server.url })
      await store.putManifest(SHOP, manifestOf(1, 5))
      await withClient(server, (client) => client.flushall())
      expect(await store.getManifest(SHOP)).toBeNull()
      expect(await store.putManifest(SHOP, manifestOf(1, 5))).toBe('written')
    })

    it('counts keys with foreign content as missing, reports them, and writes over them', async () => {
      await using server = await startRedisServer()
      const reports: string[] = []
      await using store = await openRedisConfigStore({
        url: server.url,
        onCorruption: (key) => reports.push(key),
      })
      const fillings: ((client: Redis) => Promise<unknown>)[] = [
        (client) => client.set(`${PREFIX}:manifest`, 'text'),
        (client) =>
          client.hset(`${PREFIX}:manifest`, { epoch: 'x', revision: '1', manifest: 'm', signature: 's' }),
        (client) => client.hset(`${PREFIX}:manifest`, { epoch: '9', revision: '9' }),
      ]
      for (const fill of fillings) {
        await withClient(server, (client) => client.flushall())
        await withClient(server, fill)
        reports.length = 0
        expect(await store.getManifest(SHOP)).toBeNull()
        expect(reports).toEqual([`${PREFIX}:manifest`])
        await store.replaceManifest(SHOP, manifestOf(1, 5))
        expect(await store.getManifest(SHOP)).toEqual(manifestOf(1, 5))
      }
      await withClient(server, (client) => client.set(`${PREFIX}:history`, 'text'))
      expect(await store.history(SHOP, 10)).toEqual([])
      expect(await store.putManifest(SHOP, manifestOf(1, 6))).toBe('written')
      expect(await store.history(SHOP, 10)).toEqual([{ epoch: 1, revision: 6 }])
    })

    it('reads nothing of values that are larger than any that was written', async () => {
      await using server = await startRedisServer()
      const reports: string[] = []
      await using store = await openRedisConfigStore({
        url: server.url,
        onCorruption: (key, problem) => reports.push(`${key}: ${problem}`),
      })
      const { sha256 } = artifactOf('x')
      const key = `${PREFIX}:artifact:${sha256}`
      await withClient(server, async (client) => {
        await client.setrange(key, MAX_PACKED_ARTIFACT_BYTES, 'x')
        await client.eval(FILL, 1, `${PREFIX}:manifest`, 'hash', String(LARGE))
        await client.eval(FILL, 1, `${PREFIX}:history`, 'list', String(LARGE))
        await client.eval(FILL, 1, `${PREFIX}:artifacts`, 'zset', String(LARGE))
      })
      const before = await sentBytes(server)
      expect(await store.getArtifact(SHOP, sha256)).toBeNull()
      expect(await store.getManifest(SHOP)).toBeNull()
      expect(await store.history(SHOP, 10)).toEqual([])
      expect(await store.listArtifacts(SHOP)).toEqual([])
      expect((await sentBytes(server)) - before).toBeLessThan(64 * 1024)
      expect(reports).toEqual([
        `${key}: it has ${MAX_PACKED_ARTIFACT_BYTES + 1} bytes, expected ${MAX_PACKED_ARTIFACT_BYTES} at most`,
        `${PREFIX}:manifest: manifest has ${LARGE} bytes, expected ${MAX_MANIFEST_BYTES} at most`,
        `${PREFIX}:history: not a history as it was written`,
      ])
      await store.replaceManifest(SHOP, manifestOf(1, 1))
      expect(await store.getManifest(SHOP)).toEqual(manifestOf(1, 1))
    })

    it('counts pieces with foreign content as missing, reports them, and writes over them', async () => {
      await using server = await startRedisServer()
      const reports: string[] = []
      await using store = await openRedisConfigStore({
        url: server.url,
        onCorruption: (key, problem) => reports.push(`${key}: ${problem}`),
      })
      const { sha256, gzipped } = artifactOf('x')
      const other = artifactOf('y')
      const key = `${PREFIX}:piece:${sha256}`
      const large = `it has ${MAX_PACKED_ARTIFACT_BYTES + 1} bytes, expected ${MAX_PACKED_ARTIFACT_BYTES} at most`
      const fillings: (readonly [string, (client: Redis) => Promise<unknown>])[] = [
        ['not a piece as it was written', (client) => client.hset(key, { epoch: 'x' })],
        ['not a piece as it was written', (client) => client.rpush(key, 'x')],
        [large, (client) => client.setrange(key, MAX_PACKED_ARTIFACT_BYTES, 'x')],
      ]
      for (const [problem, fill] of fillings) {
        await store.putPieces(SHOP, new Map([[other.sha256, other.gzipped]]))
        await withClient(server, async (client) => {
          await client.del(key)
          await fill(client)
          // What holds the times of pieces is replaced as well.
          await client.set(`${PREFIX}:pieces`, 'text')
        })
        reports.length = 0
        const before = await sentBytes(server)
        expect(await store.getPiece(SHOP, sha256)).toBeNull()
        expect(reports).toEqual([`${key}: ${problem}`])
        expect(await store.listPieces(SHOP)).toEqual([])
        await store.deletePiece(SHOP, other.sha256, Date.now() + 60_000)
        expect(await store.renewPieces(SHOP, [sha256, other.sha256])).toEqual([sha256])
        expect((await sentBytes(server)) - before).toBeLessThan(64 * 1024)
        expect((await store.listPieces(SHOP)).map((piece) => piece.sha256)).toEqual([other.sha256])
        await store.putPieces(SHOP, new Map([[sha256, gzipped]]))
        expect(await store.getPiece(SHOP, sha256)).toEqual(gzipped)
        expect(await store.renewPieces(SHOP, [sha256, other.sha256])).toEqual([])
      }
    })

    it('lists no more than 10,000 pieces, the oldest first, and none whose name is no hash', async () => {
      await using server = await startRedisServer()
      await using store = await openRedisConfigStore({ url: server.url })
      const names = Array.from({ length: 10_003 }, (_, index) => index.toString(16).padStart(64, '0'))
      await withClient(server, async (client) => {
        await client.zadd(`${PREFIX}:pieces`, ...names.flatMap((name, index) => [20_000 - index, name]))
        await client.zadd(`${PREFIX}:pieces`, 1, 'x')
      })
      const listed = (await store.listPieces(SHOP)).map(({ sha256 }) => sha256)
      expect(listed).toHaveLength(9_999)
      expect(listed[0]).toBe(names.at(-1))
    })

    it('renews many pieces with several short scripts', async () => {
      await using server = await startRedisServer()
      await using store = await openRedisConfigStore({ url: server.url })
      const names = Array.from({ length: 4_096 }, (_, index) => index.toString(16).padStart(64, '0'))
      const { gzipped } = artifactOf('x')
      await store.putPieces(SHOP, new Map(names.map((name) => [name, gzipped])))
      await withClient(server, (client) => client.config('RESETSTAT'))
      expect(await store.renewPieces(SHOP, names)).toEqual([])
      await withClient(server, async (client) => {
        const calls = /cmdstat_eval:calls=(\d+)/.exec(await client.info('commandstats'))?.[1]
        expect(Number(calls)).toBe(Math.ceil(4_096 / 500))
      })
    })

    it('keeps pieces with the rights that config-distribution and routers had before there were any', async () => {
      await using server = await startRedisServer()
      const writing =
        'eval type hstrlen hmget hset lrange rpush zrange zadd zrem set del exists strlen getrange info ping client'
      const reading = 'eval hstrlen hmget type strlen getrange info ping client'
      await withClient(server, async (client) => {
        for (const [user, commands] of [
          ['writer', writing],
          ['reader', reading],
        ] as const) {
          const rights = commands.split(' ').map((name) => `+${name}`)
          await client.call('ACL', 'SETUSER', user, 'on', '>p', '~switchyard:*', '-@all', ...rights)
        }
      })
      await using writer = await openRedisConfigStore({ url: `redis://writer:p@127.0.0.1:${server.port}` })
      await using reader = await openRedisConfigStore({ url: `redis://reader:p@127.0.0.1:${server.port}` })
      const { sha256, gzipped } = artifactOf('x')
      await writer.putPieces(SHOP, new Map([[sha256, gzipped]]))
      expect(await reader.getPiece(SHOP, sha256)).toEqual(gzipped)
      expect(await writer.renewPieces(SHOP, [sha256])).toEqual([])
      expect(await writer.listPieces(SHOP)).toHaveLength(1)
      const late = Date.now() + 60_000
      await expect(reader.renewPieces(SHOP, [sha256])).rejects.toThrow(ConfigStoreUnavailableError)
      await expect(reader.deletePiece(SHOP, sha256, late)).rejects.toThrow(ConfigStoreUnavailableError)
      expect(await reader.getPiece(SHOP, sha256)).toEqual(gzipped)
      await writer.deletePiece(SHOP, sha256, late)
      expect(await reader.getPiece(SHOP, sha256)).toBeNull()
    })

    it('reads no more than it asked for when values grow between the question and the answer', async () => {
      await using server = await startRedisServer()
      await using store = await openRedisConfigStore({ url: server.url })
      const { sha256, gzipped } = artifactOf('x')
      const key = `${PREFIX}:artifact:${sha256}`
      await using flipping = await startFlipping(server, key)
      const before = await sentBytes(server)
      const most = isLongRun() ? 50 : 15
      for (let round = 0; round < most; round += 1) {
        await store.getArtifact(SHOP, sha256)
        await store.getManifest(SHOP)
      }
      // The small values and refusals; what the flips are answered with has its part.
      const sent = (await sentBytes(server)) - before
      expect(flipping.rounds).toBeGreaterThan(0)
      expect(sent).toBeLessThan(most * 2 * 1024 + flipping.rounds * 64)
      await flipping.stop()
      await store.putArtifact(SHOP, sha256, gzipped)
      expect(await store.getArtifact(SHOP, sha256)).toEqual(gzipped)
    })

    it('gives an artifact of several parts back as it was', async () => {
      await using server = await startRedisServer()
      await using store = await openRedisConfigStore({ url: server.url })
      for (const size of [1024 * 1024, 1024 * 1024 + 1, 3 * 1024 * 1024 + 17]) {
        const { sha256 } = artifactOf(String(size))
        const bytes = new Uint8Array([0x1f, 0x8b, ...randomBytes(size - 2)])
        await store.putArtifact(SHOP, sha256, bytes)
        const found = await store.getArtifact(SHOP, sha256)
        expect(found === null ? null : Buffer.compare(found, bytes)).toBe(0)
      }
    })

    it('is read with the commands that the protocol names, and no others', async () => {
      await using server = await startRedisServer()
      await using writer = await openRedisConfigStore({ url: server.url })
      const { sha256, gzipped } = artifactOf('x')
      await writer.putArtifact(SHOP, sha256, gzipped)
      await writer.putManifest(SHOP, manifestOf(1, 1))
      await writer.putHead(SHOP, 'head')
      const commands = 'EVAL HSTRLEN HMGET TYPE STRLEN GETRANGE PING INFO CLIENT'.split(' ')
      await withClient(server, (client) =>
        client.call(
          'ACL',
          'SETUSER',
          'router',
          'on',
          '>p',
          '~switchyard:*',
          '-@all',
          ...commands.map((name) => `+${name}`),
        ),
      )
      await using reader = await openRedisConfigStore({ url: `redis://router:p@127.0.0.1:${server.port}` })
      await reader.ping()
      expect(await reader.getManifest(SHOP)).toEqual(manifestOf(1, 1))
      expect(await reader.getHead(SHOP)).toBe('head')
      expect(await reader.getArtifact(SHOP, sha256)).toEqual(gzipped)
      await expect(reader.putHead(SHOP, 'other')).rejects.toThrow('NOPERM')
      await expect(reader.replaceManifest(SHOP, manifestOf(1, 2))).rejects.toThrow(
        ConfigStoreUnavailableError,
      )
      expect(await writer.getManifest(SHOP)).toEqual(manifestOf(1, 1))
    })

    it('names its keys as the protocol says', async () => {
      await using server = await startRedisServer()
      await using store = await openRedisConfigStore({ url: server.url })
      const { sha256, gzipped } = artifactOf('x')
      const graph = { namespace: 'default', graph: 'My Shop' }
      await store.putArtifact(graph, sha256, gzipped)
      await store.putManifest(graph, manifestOf(1, 1))
      await store.putHead(graph, 'head')
      await store.putPieces(graph, new Map([[sha256, gzipped]]))
      const prefix = 'switchyard:{default/=4dy=20=53hop}'
      await withClient(server, async (client) => {
        expect((await client.keys('*')).toSorted()).toEqual(
          [
            `${prefix}:manifest`,
            `${prefix}:head`,
            `${prefix}:history`,
            `${prefix}:artifacts`,
            `${prefix}:artifact:${sha256}`,
            `${prefix}:pieces`,
            `${prefix}:piece:${sha256}`,
          ].toSorted(),
        )
      })
    })
  })
})

/** One server serves all tests of the contract, and is emptied for each. */
function describeOnOne(
  name: string,
  start: () => Promise<SpawnedServer>,
  open: (server: SpawnedServer) => Promise<ConfigStore>,
): void {
  describe('on one server', () => {
    let server: SpawnedServer
    beforeAll(async () => {
      server = await start()
    })
    afterAll(() => server[Symbol.asyncDispose]())

    describeConfigStore(name, async () => {
      await withClient(server, (client) => client.flushall())
      return { open: () => open(server), async [Symbol.asyncDispose]() {} }
    })
  })
}

/** What the server has written to its clients, the answer to this question left out. */
async function sentBytes(server: SpawnedServer): Promise<number> {
  const client = new Redis(server.port, '127.0.0.1')
  const info = await client.info('stats')
  await client.quit()
  return Number(/total_net_output_bytes:(\d+)/.exec(info)?.[1])
}

/** Somebody who replaces the artifact and the manifest by large ones and back, all the time. */
async function startFlipping(server: SpawnedServer, artifact: string) {
  const client = new Redis(server.port, '127.0.0.1')
  const manifest = `${PREFIX}:manifest`
  const stopping = new AbortController()
  const state = { rounds: 0 }
  const small = { epoch: '1', revision: '1', manifest: 'm', signature: 'a..b' }
  const run = (async () => {
    while (!stopping.signal.aborted) {
      await client.set(artifact, 'x'.repeat(1000))
      await client.hset(manifest, small)
      await client.setrange(artifact, MAX_PACKED_ARTIFACT_BYTES, 'x')
      await client.eval(FILL, 1, manifest, 'hash', String(300 * 1024))
      state.rounds += 1
    }
  })()
  const stop = async (): Promise<void> => {
    if (stopping.signal.aborted) return
    stopping.abort()
    await run
    await client.quit()
  }
  return {
    get rounds() {
      return state.rounds
    },
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

function isUnavailable(store: ConfigStore): Promise<boolean> {
  return store.ping().then(
    () => false,
    (error: unknown) => error instanceof ConfigStoreUnavailableError,
  )
}

async function withClient(server: SpawnedServer, action: (client: Redis) => Promise<unknown>): Promise<void> {
  const client = new Redis(server.port, '127.0.0.1')
  await action(client)
  await client.quit()
}

/** A cluster of one node that has all slots. */
async function startCluster(): Promise<SpawnedServer> {
  const busPort = await freePort()
  const server = await startServer({
    binary: 'redis-server',
    scheme: 'redis',
    arguments: (port, dataDirectory) =>
      `--bind 127.0.0.1 --port ${port} --cluster-enabled yes --cluster-port ${busPort}
        --cluster-announce-ip 127.0.0.1`
        .split(/\s+/)
        .concat('--save', '', '--dir', dataDirectory),
  })
  await withClient(server, async (client) => {
    await client.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383')
    await waitFor('the cluster to be complete', async () =>
      String(await client.call('CLUSTER', 'INFO')).includes('cluster_state:ok'),
    )
  })
  return server
}

async function startSentinel(primaryPort: number): Promise<SpawnedServer> {
  const server = await startServer({
    binary: 'redis-server',
    scheme: 'redis',
    arguments: (port, dataDirectory) => {
      // A sentinel keeps its state in its configuration file, so it wants one of its own.
      const file = join(dataDirectory, 'sentinel.conf')
      writeFileSync(file, `bind 127.0.0.1\nport ${port}\nsentinel monitor yard 127.0.0.1 ${primaryPort} 1\n`)
      return [file, '--sentinel']
    },
  })
  return server
}
