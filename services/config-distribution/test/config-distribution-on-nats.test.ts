import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRedisConfigStore } from '@switchyard/config-store'
import { openNatsStorage } from '@switchyard/event-log'
import { describe, expect, it } from 'vitest'
import { saveSigningKey, startConfigDistribution } from '../src/config-distribution.ts'
import {
  natsServerAvailable,
  redisServerAvailable,
  startNatsServer,
  startServiceProcess,
  startRedisServer,
  waitFor,
} from '@switchyard/testkit'
import { composed, completed, composedInPieces, cut, failed, GRAPH, hash, reused } from './records.ts'
import { benchOn, QUIET, servedManifest, unusablePieces } from './setup.ts'

const MAIN = 'services/config-distribution/src/main.ts'

const everything = { owns: ['registry', 'compositions', 'configs'], ownsBlobs: true } as const
const available = natsServerAvailable() && redisServerAvailable()

describe.skipIf(!available)('config-distribution on NATS and Redis', () => {
  it('commits every change once with two instances, and heals a flushed Redis', async () => {
    await using nats = await startNatsServer()
    await using redis = await startRedisServer()
    await using storage = await openNatsStorage({ url: nats.url, name: 'test', ...everything })
    await using own = await openNatsStorage({ url: nats.url, name: 'two', ...everything })
    await using store = await openRedisConfigStore({ url: redis.url })
    await using ownStore = await openRedisConfigStore({ url: redis.url })
    const bench = await benchOn({ ...storage, store })
    const { signingKey } = bench
    const intervals = { repairMs: 100 }
    await using first = bench.start({ intervals })
    const { log, blobs, pieces, announcer } = own
    const parts = { log, blobs, pieces, announcer, store: ownStore }
    await using second = startConfigDistribution({ ...parts, signingKey, logger: QUIET, intervals })
    await bench.artifacts('base 1', 'base 2', 'a 1')
    for (const [index, record] of [
      completed(1, composed('base 1')),
      completed(2, reused('base 1'), { a: composed('a 1') }),
      completed(3, failed(), { a: reused('a 1') }),
      completed(4, failed()),
      completed(5, composed('base 2'), { a: reused('a 1') }),
    ].entries()) {
      await bench.compose(record)
      if (index % 2 === 0) await Promise.all([first.idle(), second.idle()])
    }
    await Promise.all([first.idle(), second.idle()])
    const records = await bench.configRecords()
    expect(records.map(({ revision }) => revision)).toEqual(records.map((_, index) => index + 1))
    const served = await servedManifest(store, signingKey)
    expect(served).toMatchObject({
      revision: records.length,
      base: { artifact: hash('base 2') },
      featureFlags: { a: { artifact: hash('a 1') } },
    })
    await flush(redis.port)
    await waitFor('the store to be rebuilt', () => servedManifest(store, signingKey).catch(() => null))
    expect(await servedManifest(store, signingKey)).toEqual(served)
  })

  it('publishes without the bucket of pieces, and puts them in the store once that is there', async () => {
    await using nats = await startNatsServer()
    await using redis = await startRedisServer()
    await using storage = await openNatsStorage({ url: nats.url, name: 'test', ...everything })
    await using store = await openRedisConfigStore({ url: redis.url })
    const bench = await benchOn({ ...storage, store })
    const base = cut('base 1', ['type A\n', 'type B\n'])
    await bench.artifacts('base 1')
    await using service = bench.start({ intervals: { repairMs: 50 } })
    await bench.compose(completed(1, composedInPieces(base)))
    await service.idle()
    const served = await servedManifest(store, bench.signingKey)
    expect(served?.base).toEqual({ artifact: hash('base 1'), pieces: hash(base.list) })
    expect(await store.listPieces(GRAPH)).toEqual([])

    await using owner = await openNatsStorage({ url: nats.url, name: 'two', ...everything, ownsPieces: true })
    await (await benchOn({ ...owner, store })).cutArtifacts(base)
    await waitFor('the list', () => store.getPiece(GRAPH, hash(base.list)))
    if (served !== null) expect(await unusablePieces(store, served)).toEqual([])
  })

  it('goes on by itself after kill -9 of an instance, of NATS and of Redis, and stops in order', async () => {
    await using nats = await startNatsServer()
    await using redis = await startRedisServer()
    await using storage = await openNatsStorage({ url: nats.url, name: 'test', ...everything })
    await using store = await openRedisConfigStore({ url: redis.url })
    const bench = await benchOn({ ...storage, store })
    const directory = await mkdtemp(join(tmpdir(), 'switchyard-key-'))
    try {
      const keyFile = join(directory, 'key.json')
      await saveSigningKey(keyFile, bench.signingKey)
      const env = {
        SWITCHYARD_NATS_URL: nats.url,
        SWITCHYARD_REDIS_URL: redis.url,
        SWITCHYARD_SIGNING_KEY_FILE: keyFile,
      }
      const serves = async (name: string): Promise<boolean> => {
        const manifest = await servedManifest(store, bench.signingKey).catch(() => null)
        return manifest?.base?.artifact === hash(name)
      }
      await using survivor = await startServiceProcess(MAIN, env)
      await using victim = await startServiceProcess(MAIN, env)
      await waitFor('both to be ready', async () => (await survivor.ready()) && victim.ready())
      await bench.artifacts('base 1', 'base 2', 'base 3', 'base 4')
      await bench.compose(completed(1, composed('base 1')))
      await waitFor('revision 1', () => serves('base 1'))

      await bench.compose(completed(2, composed('base 2')))
      await victim.end('SIGKILL')
      await waitFor('revision 2', () => serves('base 2'))

      await redis.kill9()
      await bench.compose(completed(3, composed('base 3')))
      await waitFor('the commit without Redis', async () => (await bench.configRecords()).length === 3)
      await redis.restart()
      await waitFor('revision 3', () => serves('base 3'))

      await nats.kill9()
      await nats.restart()
      await waitFor('the server', () => bench.compose(completed(4, composed('base 4'))))
      await waitFor('revision 4', () => serves('base 4'))
      await waitFor('ready again', () => survivor.ready())
      expect(await survivor.end('SIGTERM')).toBe(0)
      expect((await bench.configRecords()).map(({ revision }) => revision)).toEqual([1, 2, 3, 4])
      const secret = /"d":"([^"]+)"/.exec(bench.signingKey.exportPrivate())?.[1] ?? ''
      expect(secret).not.toBe('')
      expect(survivor.output()).not.toContain(secret)
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  })
})

/** FLUSHALL in Redis's inline form. */
function flush(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', reject)
    socket.once('data', () => {
      socket.destroy()
      resolve()
    })
    socket.write('FLUSHALL\r\n')
  })
}
