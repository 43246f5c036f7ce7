/** Pieces leave the config store when no recent revision needs them, and never before. */
import { waitFor } from '@switchyard/testkit'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KEPT_REVISIONS, UNUSED_FOR_MS } from '../src/store/artifact-sweep.ts'
import { recentRevisions } from '../src/log/config-log.ts'
import { sweepPieces } from '../src/store/piece-sweep.ts'
import {
  completed,
  composed,
  composedInPieces,
  cut,
  type CutArtifact,
  GRAPH,
  hash,
  piecesIn,
} from './records.ts'
import { type Bench, intercepted, openBench, recordedLog, servedManifest } from './setup.ts'

const signal = new AbortController().signal
const HOURS_LATER = 2 * UNUSED_FOR_MS

let bench: Bench

beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench[Symbol.asyncDispose]())

const stored = async () => (await bench.store.listPieces(GRAPH)).map(({ sha256 }) => sha256).toSorted()

function hashesOf(...artifacts: readonly CutArtifact[]): readonly string[] {
  return [...new Set(artifacts.flatMap(piecesIn))].toSorted()
}

function sweep({ now = Date.now() + HOURS_LATER, store = bench.store, pieces = bench.pieces } = {}) {
  const revisions = () => recentRevisions(bench.log, GRAPH, KEPT_REVISIONS)
  return sweepPieces({ graph: GRAPH, store, pieces, revisions, now, signal })
}

/** Publishes a revision for each of these bases. */
async function publish(...bases: readonly CutArtifact[]): Promise<void> {
  await bench.cutArtifacts(...bases)
  await using service = bench.start()
  for (const [index, base] of bases.entries()) {
    await bench.compose(completed(index + 1, composedInPieces(base)))
    await service.idle()
  }
}

describe('a sweep of pieces', () => {
  it('keeps what the newest 20 revisions need, also in common with older ones, and removes the rest', async () => {
    const bases = Array.from({ length: KEPT_REVISIONS + 3 }, (_, index) =>
      cut(`base ${index}`, ['type All\n', `type Pair${Math.floor(index / 2)}\n`, `type Own${index}\n`]),
    )
    await publish(...bases)
    const foreign = gzipSync('nobody names it')
    await bench.store.putPieces(GRAPH, new Map([[hash('nobody names it'), foreign]]))
    const recent = hashesOf(...bases.slice(3))
    const count = (await stored()).length
    expect(await sweep()).toBe(count - recent.length)
    expect(await stored()).toEqual(recent)
    expect(await sweep()).toBe(0)
  })

  it('removes nothing that was stored or needed within the hour', async () => {
    await publish(cut('base 1', ['type A\n']))
    await bench.store.putPieces(GRAPH, new Map([[hash('x'), gzipSync('x')]]))
    expect(await sweep({ now: Date.now() + UNUSED_FOR_MS - 60_000 })).toBe(0)
    expect(await stored()).toContain(hash('x'))
  })

  it('keeps what was needed again after it was listed', async () => {
    await publish(cut('base 1', ['type A\n']))
    await bench.store.putPieces(GRAPH, new Map([hash('x'), hash('y')].map((name) => [name, gzipSync('x')])))
    const listedAt = Date.now()
    await waitFor('a later time', () => Date.now() > listedAt)
    let isFirst = true
    const store = intercepted(bench.store, async (method) => {
      if (method !== 'deletePiece' || !isFirst) return
      isFirst = false
      await bench.store.renewPieces(GRAPH, [hash('x')])
    })
    await sweep({ store })
    expect(await stored()).toContain(hash('x'))
    expect(await stored()).not.toContain(hash('y'))
  })

  it('reads a list from the blob store that the config store has lost, or holds damaged', async () => {
    const [first, second] = [cut('base 1', ['type A\n']), cut('base 2', ['type B\n'])]
    await publish(first, second)
    await bench.store.putPieces(GRAPH, new Map([[hash(first.list), gzipSync('something else')]]))
    await bench.store.deletePiece(GRAPH, hash(second.list), Date.now() + 60_000)
    await bench.store.putPieces(GRAPH, new Map([[hash('x'), gzipSync('x')]]))
    expect(await sweep()).toBe(1)
    expect(await stored()).toEqual([hash(first.list), hash('type A\n'), hash('type B\n')].toSorted())
  })

  it.each(['missing', 'damaged'])('removes nothing while a list is %s', async (kind) => {
    const [first, second] = [cut('base 1', ['type A\n']), cut('base 2', ['type B\n'])]
    await publish(first, second)
    await bench.store.putPieces(GRAPH, new Map([[hash('x'), gzipSync('x')]]))
    const before = await stored()
    const damaged = new Map([[hash(first.list), gzipSync('something else')]])
    if (kind === 'missing') await bench.store.deletePiece(GRAPH, hash(first.list), Date.now() + 60_000)
    else await bench.store.putPieces(GRAPH, damaged)
    await bench.pieces.delete(hash(first.list))
    await expect(sweep()).rejects.toThrow(`the piece ${hash(first.list)} is not in the blob store`)
    expect((await stored()).filter((name) => name !== hash(first.list))).toEqual(
      before.filter((name) => name !== hash(first.list)),
    )
  })

  it('of a running service goes on with artifacts when a list cannot be read, and says so', async () => {
    await publish(cut('base 1', ['type A\n']), cut('base 2', ['type B\n']))
    const lost = cut('base 1', ['type A\n']).list
    await bench.pieces.delete(hash(lost))
    await bench.store.deletePiece(GRAPH, hash(lost), Date.now() + 60_000)
    await bench.store.putPieces(GRAPH, new Map([[hash('x'), gzipSync('x')]]))
    await bench.store.putArtifact(GRAPH, hash('old'), gzipSync('old'))
    const { logger, lines } = recordedLog()
    const now = () => Date.now() + HOURS_LATER
    await using service = bench.start({ logger, now, intervals: { sweepMs: 20 } })
    await waitFor('the failure', () => lines.some(({ event }) => event === 'config.sweep-failed'))
    await waitFor('the artifact', async () => !(await bench.store.hasArtifact(GRAPH, hash('old'))))
    expect(lines.find(({ event }) => event === 'config.sweep-failed')?.msg).toContain(hash(lost))
    expect(await stored()).toContain(hash('x'))
    await bench.pieces.put(new TextEncoder().encode(lost))
    await waitFor('the piece', async () => !(await stored()).includes(hash('x')))
    await waitFor('the line', () => lines.some(({ msg }) => /^removed \d+ pieces/.test(msg)))
    await service.idle()
    expect(await servedManifest(bench.store, bench.signingKey)).toMatchObject({ revision: 2 })
  })

  it('reads no list of a graph without old pieces', async () => {
    await bench.artifacts('base 1')
    await using service = bench.start()
    await bench.compose(completed(1, composed('base 1')))
    await service.idle()
    const pieces = intercepted(bench.pieces, () => {
      throw new Error('was asked')
    })
    expect(await sweep({ pieces })).toBe(0)
  })
})
