/** Compositions that are stored in pieces, beside the whole. */
import { createHash } from 'node:crypto'
import {
  Artifact,
  type RecordedResult,
  referenceOf,
  type RouterHeartbeat,
  routerStatusSubject,
} from '@switchyard/contracts'
import { chunksOf, joinArtifact, parsePieceList } from '@switchyard/contracts/artifact-pieces'
import {
  type BlobStore,
  BlobStoreUnavailableError,
  type EventLog,
  hasArtifact,
  readArtifact,
} from '@switchyard/event-log'
import { replaced, waitFor } from '@switchyard/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { StoredPieces } from '../src/stored-pieces.ts'
import { type Bench, createShop as createSmallShop, openBench, PRODUCTS, toggle } from './setup.ts'

let bench: Bench

beforeEach(async () => {
  bench = await openBench()
})
afterEach(async () => {
  await bench[Symbol.asyncDispose]()
})

/** Of a shop that is large enough to be stored in pieces. */
const LARGE_PRODUCTS = `${PRODUCTS}\n${Array.from(
  { length: 2000 },
  (_, type) => `type More${type} { a: String b: String c: String }`,
).join('\n')}`

async function createShop(bench: Bench): Promise<void> {
  await createSmallShop(bench)
  await bench.publish('products', LARGE_PRODUCTS)
}

function piecesOf(result: RecordedResult | undefined): string | undefined {
  return result?.status === 'composed' || result?.status === 'reused' ? result.pieces : undefined
}

describe('a composition', () => {
  it('is stored in pieces that make the artifact, byte for byte', async () => {
    await using composer = bench.start()
    await createShop(bench)
    await bench.command([toggle(true)])
    await composer.idle()
    const { base, featureFlags } = await bench.last()
    for (const result of [base, featureFlags[0]?.result]) {
      const list = parsePieceList(await bench.pieces.get(piecesOf(result) ?? ''))
      const texts = new Map<string, string>()
      for (const sha256 of chunksOf(list))
        texts.set(sha256, Buffer.from(await bench.pieces.get(sha256)).toString())
      const joined = JSON.stringify(joinArtifact(list, (sha256) => texts.get(sha256) ?? ''))
      expect(JSON.parse(joined)).toEqual(await bench.artifact(result))
      expect(createHash('sha256').update(joined).digest('hex')).toBe(list.artifact)
      expect(result).toMatchObject({ artifact: list.artifact })
    }
  })

  it('is stored as a whole only, where it is small', async () => {
    await using composer = bench.start()
    await createSmallShop(bench)
    await composer.idle()
    const { base } = await bench.last()
    expect([base.status, piecesOf(base)]).toEqual(['composed', undefined])
  })

  it('is recorded without pieces, and that is told, where these cannot be stored', async () => {
    const refuse = () => Promise.reject(new BlobStoreUnavailableError('it may not be written'))
    const pieces: BlobStore = replaced(bench.pieces, { put: refuse, putAll: refuse })
    await using composer = bench.start({ pieces, ...bench.logged })
    await createShop(bench)
    await composer.idle()
    const { base } = await bench.last()
    expect(base.status).toBe('composed')
    expect(piecesOf(base)).toBeUndefined()
    await bench.artifact(base)
    expect(await bench.line('composition.pieces-not-stored')).toMatchObject({ level: 'warn' })
  })

  it('is stored in pieces only, where that is the form and no router needs more', async () => {
    await using composer = bench.start({ artifactForm: 'pieces', listenMs: 0 })
    await beat(bench)
    await createShop(bench)
    await bench.command([toggle(true)])
    await composer.idle()
    const { base, featureFlags } = await bench.last()
    for (const result of [base, featureFlags[0]?.result]) {
      const reference = referenceOf(result ?? { status: 'empty' })
      expect(reference?.pieces).toBeDefined()
      if (reference === null) continue
      expect(await bench.blobs.has(reference.artifact)).toBe(false)
      const artifact = Artifact.parse(
        JSON.parse(Buffer.from(await readArtifact(bench, reference)).toString()),
      )
      expect(artifact.supergraphSdl).toContain('type More1999')
    }
  })

  it('is stored as a whole, where its pieces cannot be, whatever the form', async () => {
    const refuse = () => Promise.reject(new BlobStoreUnavailableError('it may not be written'))
    const pieces: BlobStore = replaced(bench.pieces, { put: refuse, putAll: refuse })
    await using composer = bench.start({ artifactForm: 'pieces', listenMs: 0, pieces })
    await beat(bench)
    await createShop(bench)
    await composer.idle()
    const { base } = await bench.last()
    expect(piecesOf(base)).toBeUndefined()
    await bench.artifact(base)
  })

  it('of a flag is stored as a whole, where a record cannot name the pieces of so many', async () => {
    await using composer = bench.start({ artifactForm: 'pieces', listenMs: 0 })
    await beat(bench)
    await createShop(bench)
    const flags = Array.from({ length: 900 }, (_, at) => ({
      type: 'feature-flag.created' as const,
      name: `flag${at}`,
      labels: [],
      featureSubgraphs: ['reviews-next'],
      enabled: true,
    }))
    await bench.command(flags)
    await composer.idle()
    const { base, featureFlags } = await bench.last()
    expect(featureFlags).toHaveLength(900)
    expect(piecesOf(base)).toBeDefined()
    for (const { result } of featureFlags) {
      const reference = referenceOf(result)
      if (reference === null) throw new Error('it was not composed')
      expect(await hasArtifact(bench, reference)).toBe(true)
    }
  })

  it('is composed again to be stored as a whole, when it is needed as one', async () => {
    {
      await using composer = bench.start({ artifactForm: 'pieces', listenMs: 0 })
      await beat(bench)
      await createShop(bench)
      await composer.idle()
    }
    const before = (await bench.last()).base
    await using composer = bench.start({ artifactForm: 'both' })
    await bench.command([toggle(true)])
    await composer.idle()
    const { base } = await bench.last()
    expect(base).toMatchObject({ status: 'composed', pieces: piecesOf(before) })
    await bench.artifact(base)
  })

  it('is composed again when the list of a remembered one is no longer stored', async () => {
    await using composer = bench.start()
    await createShop(bench)
    await bench.command([toggle(true)])
    await composer.idle()
    const list = piecesOf((await bench.last()).featureFlags[0]?.result) ?? ''
    await bench.command([toggle(false)])
    await composer.idle()
    await bench.pieces.delete(list)
    await bench.command([toggle(true)])
    await composer.idle()
    expect((await bench.last()).featureFlags[0]?.result).toMatchObject({ status: 'composed', pieces: list })
    expect(await bench.pieces.has(list)).toBe(true)
  })

  it('keeps its hash and its pieces when a schema is published again that changes nothing', async () => {
    await using composer = bench.start()
    await createShop(bench)
    await composer.idle()
    const before = (await bench.last()).base
    await bench.publish('products', `${LARGE_PRODUCTS}\n`)
    await composer.idle()
    expect(piecesOf((await bench.last()).base)).toBe(piecesOf(before))
  })
})

describe('a composer that dies', () => {
  it.each(['both', 'pieces'] as const)(
    'between any two writes leaves no record without all of its composition (%s)',
    async (artifactForm) => {
      for (let writes = 0; await isCutShort(artifactForm, writes); writes += 1);
    },
  )

  /** Returns false if it made fewer writes. */
  async function isCutShort(artifactForm: 'both' | 'pieces', writes: number): Promise<boolean> {
    await using own = await openBench()
    await createShop(own)
    let left = writes
    const death = Promise.withResolvers<void>()
    const write = () => {
      left -= 1
      if (left >= 0) return
      death.resolve()
      throw new BlobStoreUnavailableError('the process died')
    }
    const dying = (store: BlobStore): BlobStore =>
      replaced(store, {
        put: async (bytes) => {
          write()
          return store.put(bytes)
        },
        putAll: async (blobs) => {
          // One after the other, as on NATS.
          for (const bytes of blobs) {
            write()
            await store.put(bytes)
          }
          return []
        },
      })
    const log: EventLog = replaced(own.log, {
      append: async (subject, record, expectedLast) => {
        write()
        return own.log.append(subject, record, expectedLast)
      },
    })
    {
      const stores = { blobs: dying(own.blobs), pieces: dying(own.pieces) }
      await using composer = own.start({ artifactForm, listenMs: 0, log, ...stores })
      await beat(own)
      await Promise.race([composer.idle(), death.promise])
    }
    await expectWhole(own)
    await using next = own.start({ artifactForm, listenMs: 0 })
    await beat(own)
    await next.idle()
    expect(await own.records()).not.toEqual([])
    await expectWhole(own)
    return left < 0
  }

  async function expectWhole(own: Bench): Promise<void> {
    for (const record of await own.records()) {
      const reference = record.type === 'composition.completed' ? referenceOf(record.base) : null
      if (reference === null) continue
      expect((await readArtifact(own, reference)).length).toBeGreaterThan(0)
      if (reference.pieces === undefined) continue
      for (const sha256 of chunksOf(parsePieceList(await own.pieces.get(reference.pieces))))
        expect(await own.pieces.has(sha256)).toBe(true)
    }
  }
})

describe('pieces', () => {
  const HASH = 'a'.repeat(64)
  const chunk = (text: string) => {
    const bytes = new TextEncoder().encode(text)
    return { sha256: createHash('sha256').update(bytes).digest('hex'), bytes }
  }
  const list = (text: string) => new TextEncoder().encode(`list of ${text}`)

  it('are put before their list, and those that were put lately are not put again', async () => {
    const puts: string[] = []
    const note = (bytes: Uint8Array) => void puts.push(Buffer.from(bytes).toString())
    const pieces: BlobStore = replaced(bench.pieces, {
      put: async (bytes) => {
        note(bytes)
        return bench.pieces.put(bytes)
      },
      putAll: async (blobs) => {
        for (const bytes of blobs) note(bytes)
        return bench.pieces.putAll(blobs)
      },
    })
    let now = 0
    const stored = new StoredPieces({ pieces, onFailed: () => {}, monotonicNow: () => now })
    const hash = await stored.put({ artifact: HASH, list: list('a b'), chunks: [chunk('a'), chunk('b')] })
    expect(await bench.pieces.has(hash ?? '')).toBe(true)
    await stored.put({ artifact: HASH, list: list('a c'), chunks: [chunk('a'), chunk('c')] })
    now += 31 * 60_000
    await stored.put({ artifact: HASH, list: list('a c'), chunks: [chunk('a'), chunk('c')] })
    expect(puts).toEqual(['a', 'b', 'list of a b', 'c', 'list of a c', 'a', 'c', 'list of a c'])
  })

  it('are all put again after a failure, since some of them may not be there', async () => {
    let fails = false
    const counts: number[] = []
    const pieces: BlobStore = replaced(bench.pieces, {
      put: (bytes) =>
        fails ? Promise.reject(new BlobStoreUnavailableError('gone')) : bench.pieces.put(bytes),
      putAll: async (blobs) => {
        counts.push(blobs.length)
        return bench.pieces.putAll(blobs)
      },
    })
    const failures: string[] = []
    const stored = new StoredPieces({ pieces, onFailed: ({ message }) => void failures.push(message) })
    const artifact = { artifact: HASH, list: list('a b'), chunks: [chunk('a'), chunk('b')] }
    fails = true
    expect(await stored.put(artifact)).toBeNull()
    fails = false
    expect(await stored.put(artifact)).not.toBeNull()
    expect(counts).toEqual([2, 2])
    expect(failures).toEqual([expect.stringContaining('gone')])
  })
})

/** Resolves when composers have heard of a router that reads pieces. */
async function beat({ announcer }: Bench): Promise<void> {
  const subject = routerStatusSubject({ namespace: 'default', graph: 'shop' }, 'r1')
  let isHeard = false
  using _ = announcer.subscribe(subject, () => (isHeard = true))
  announcer.announce(subject, {
    instance: 'r1',
    boot: 'b',
    namespace: 'default',
    graph: 'shop',
    epoch: 1,
    revision: 1,
    registrySequence: 1,
    flags: [],
    configCreatedAt: null,
    formats: [1, 2],
    state: 'serving',
  } satisfies RouterHeartbeat)
  await waitFor('the heartbeat', () => isHeard)
}
