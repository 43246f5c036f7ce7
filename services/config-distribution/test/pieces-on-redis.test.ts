/** Pieces in Redis, which may lose any key, and hold whatever somebody else writes. */
import { gzipSync } from 'node:zlib'
import { openRedisConfigStore } from '@switchyard/config-store'
import { askRedis, redisServerAvailable, startRedisServer, waitFor } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { completed, composedInPieces, cut, hash, piecesIn } from './records.ts'
import { benchOn, openBench, recordedLog, servedManifest, unusablePieces } from './setup.ts'

const BASE = cut('base 1', ['type A\n', 'type B\n', 'type C\n'])
const FLAG = cut('a 1', ['type A\n', 'type D\n'])
const ALL = [...new Set([...piecesIn(BASE), ...piecesIn(FLAG)])]
const PREFIX = 'switchyard:{default/shop}'
const keyOf = (piece: string) => `${PREFIX}:piece:${piece}`

async function serve(intervals: { readonly repairMs?: number; readonly verifyMs?: number }) {
  await using use = new AsyncDisposableStack()
  const server = use.use(await startRedisServer())
  const storage = use.use(await openBench())
  const store = use.use(await openRedisConfigStore({ url: server.url }))
  const bench = await benchOn({ ...storage, store })
  await bench.cutArtifacts(BASE, FLAG)
  const { logger, lines } = recordedLog()
  const service = use.use(bench.start({ logger, intervals }))
  await bench.compose(completed(1, composedInPieces(BASE), { a: composedInPieces(FLAG) }))
  await service.idle()
  const isWhole = async () => {
    const manifest = await servedManifest(store, bench.signingKey).catch(() => null)
    return manifest !== null && (await unusablePieces(store, manifest).catch(() => ['damaged'])).length === 0
  }
  const started = use.move()
  return {
    server,
    bench,
    lines,
    isWhole,
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

describe.skipIf(!redisServerAvailable())('pieces in Redis', () => {
  it('are put again when Redis loses single ones, all of them, or everything', async () => {
    await using running = await serve({ repairMs: 20 })
    const { server, isWhole, lines } = running
    expect(await isWhole()).toBe(true)
    for (const piece of ALL) {
      await askRedis(server, {}, 'DEL', keyOf(piece))
      await waitFor(`the piece ${piece}`, isWhole)
    }
    const told = lines.filter(({ event }) => event === 'config.artifacts-repaired')
    expect(told.map(({ artifacts }) => artifacts)).toEqual(ALL.map((piece) => [piece]))
    await askRedis(server, {}, 'DEL', ...ALL.map(keyOf), `${PREFIX}:pieces`)
    await waitFor('all pieces', isWhole)
    await askRedis(server, {}, 'FLUSHALL')
    await waitFor('everything', isWhole)
  })

  it('are put again when something else, or a bomb, stands in their place', async () => {
    await using running = await serve({ verifyMs: 20 })
    const { bench, isWhole } = running
    const [list = '', chunk = ''] = ALL
    for (const [piece, bytes] of [
      [chunk, gzipSync('something else')],
      [list, gzipSync('{}')],
      [chunk, new Uint8Array([0x1f, 0x8b, 1, 2, 3])],
      [list, gzipSync(Buffer.alloc(32 * 1024 * 1024, ' '))],
      [chunk, gzipSync(Buffer.alloc(32 * 1024 * 1024, ' '))],
    ] as const) {
      await bench.store.putPieces({ namespace: 'default', graph: 'shop' }, new Map([[piece, bytes]]))
      await waitFor('the repair', isWhole)
    }
  })

  it('are there before the manifest for whoever reads while it is published', async () => {
    await using running = await serve({})
    const { bench } = running
    await using reader = await openRedisConfigStore({ url: running.server.url })
    const bases = Array.from({ length: 10 }, (_, index) =>
      cut(`base ${index + 2}`, ['type A\n', `type T${index}\n`]),
    )
    await bench.cutArtifacts(...bases)
    const seen = new Set<number>()
    const publishing = (async () => {
      for (const [index, base] of bases.entries()) {
        await bench.compose(completed(index + 2, composedInPieces(base)))
        await waitFor('the revision', () => seen.has(index + 2))
      }
    })()
    while (seen.size < bases.length) {
      const manifest = await servedManifest(reader, bench.signingKey)
      if (manifest === null || seen.has(manifest.revision) || manifest.revision === 1) continue
      expect(await unusablePieces(reader, manifest)).toEqual([])
      expect(manifest.base?.pieces).toBe(hash(bases[manifest.revision - 2]?.list ?? ''))
      seen.add(manifest.revision)
    }
    await publishing
  })
})
