/** Compositions that are read in pieces, from a store that may hold anything. */
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { buildArtifact, cutArtifact } from '@switchyard/composition'
import { describe, expect, it } from 'vitest'
import {
  type ArtifactContent,
  contentOf,
  hasArtifact,
  unpackedSizeIn,
} from '../../src/generations/content/artifact-content.ts'
import { compileArtifact } from '../../src/generations/build/compile-artifact.ts'
import { dispensable, type OfferedConfig } from '../../src/generations/offered-config.ts'
import { unpackGraph } from '../../src/planning/packed-graph.ts'
import { NOTHING_KNOWN, verifyArtifacts } from '../../src/generations/verify/verify-artifacts.ts'

/** A graph of several chunks, of which `size` changes one. */
function artifactOf(size = 8) {
  const types = Array.from({ length: 2000 }, (_, type) => {
    const fields = Array.from({ length: type === 1000 ? size : 8 }, (__, field) => `  field${field}: String`)
    return `type Type${type}\n{\n${fields.join('\n')}\n}`
  })
  const header =
    'schema @link(url: "https://specs.apollo.dev/link/v1.0") @link(url: "https://specs.apollo.dev/join/v0.5", for: EXECUTION)\n{\n  query: Query\n}\n\n' +
    'enum join__Graph\n{\n  A @join__graph(name: "a", url: "http://127.0.0.1:1/")\n}\n\ntype Query\n{\n  first: Type0\n}'
  const artifact = buildArtifact(`${header}\n\n${types.join('\n\n')}\n`, [
    { name: 'a', routingUrl: 'http://127.0.0.1:1/' },
  ])
  const whole = Buffer.from(JSON.stringify(artifact))
  const sha256 = hashOf(whole)
  const pieces = cutArtifact(artifact, sha256)
  if (pieces === null) throw new Error('it cannot be cut')
  return {
    sha256,
    whole: gzipSync(whole),
    list: hashOf(pieces.list),
    listBytes: pieces.list,
    chunks: pieces.chunks,
  }
}

type TestArtifact = ReturnType<typeof artifactOf>

/** A store that has these artifacts, and what is read from it. */
function storeOf(...artifacts: readonly TestArtifact[]) {
  const whole = new Map(artifacts.map((one) => [one.sha256, one.whole]))
  const pieces = new Map<string, Uint8Array>()
  for (const { list, listBytes, chunks } of artifacts) {
    for (const { sha256, bytes } of chunks) pieces.set(sha256, gzipSync(bytes))
    pieces.set(list, gzipSync(listBytes))
  }
  const read: { readonly whole: string[]; readonly pieces: string[] } = { whole: [], pieces: [] }
  const offer = (base: TestArtifact, ...flags: readonly TestArtifact[]) => ({
    ...OFFER,
    base: base.sha256,
    featureFlags: new Map(flags.map(({ sha256 }, at) => [`flag${at}`, sha256])),
    pieces: new Map([base, ...flags].map(({ sha256, list }) => [sha256, list])),
    readArtifact: async (sha256: string) => {
      read.whole.push(sha256)
      return whole.get(sha256) ?? null
    },
    readPiece: async (sha256: string) => {
      read.pieces.push(sha256)
      return pieces.get(sha256) ?? null
    },
  })
  return { whole, pieces, read, offer }
}

const OFFER: Omit<OfferedConfig, 'base' | 'readArtifact' | 'readPiece' | 'pieces' | 'featureFlags'> = {
  source: 'config store',
  damage: [],
  graph: null,
  version: { epoch: 1, revision: 1 },
  createdAt: null,
  registrySequence: 1,
  previews: new Map(),
  documents: [],
  rollouts: [],
  traceKeys: { keys: [] },
  traceAudience: '',
  signed: null,
  confirm: async () => {},
}

const BASE = artifactOf()
const FLAG = artifactOf(9)

describe('a composition that is stored in pieces', () => {
  it('is read in pieces, each of them once, and what is known is not read again', async () => {
    expect(BASE.chunks.length).toBeGreaterThan(5)
    const { offer, read } = storeOf(BASE, FLAG)
    const config = await verifyArtifacts(offer(BASE, FLAG))
    expect(read.whole).toEqual([])
    expect(new Set(read.pieces).size).toBe(read.pieces.length)
    expect(read.pieces).toHaveLength(BASE.chunks.length + 1 + 2)
    expect([...config.pieces.keys()].sort()).toEqual([BASE.sha256, FLAG.sha256].sort())
    expect(config.damage).toEqual([])
    const text = BASE.chunks.reduce((sum, { bytes }) => sum + bytes.length, 0)
    expect(unpackedSizeIn(config, BASE.sha256)).toBe(text)

    const next = artifactOf(10)
    const later = storeOf(BASE, FLAG, next)
    const changed = await verifyArtifacts(later.offer(next, FLAG), config)
    expect(later.read.pieces).toHaveLength(2)
    expect(changed.artifacts.has(BASE.list)).toBe(false)
  })

  it('is compiled to what it is compiled to as a whole', async () => {
    const { offer } = storeOf(BASE)
    const content = contentOf(await verifyArtifacts(offer(BASE)), BASE.sha256)
    expect(content?.kind).toBe('pieces')
    if (content === null) throw new Error('it is not there')
    expect(graphOf(content)).toEqual(graphOf({ kind: 'whole', gzipped: BASE.whole }))
  })

  it.each<[string, (store: ReturnType<typeof storeOf>) => void, string]>([
    ['chunk is missing', ({ pieces }) => pieces.delete(chunkOf(BASE)), 'is not there'],
    ['chunk is another one', ({ pieces }) => pieces.set(chunkOf(BASE), gzipSync('x')), 'another hash'],
    ['chunk is no gzip', ({ pieces }) => pieces.set(chunkOf(BASE), Buffer.from('x')), 'cannot be unpacked'],
    [
      'chunk unpacks to more than an artifact may have',
      ({ pieces }) => pieces.set(chunkOf(BASE), gzipSync(Buffer.alloc(70_000_000))),
      'cannot be unpacked to at most',
    ],
    ['list is missing', ({ pieces }) => pieces.delete(BASE.list), 'is not there'],
    [
      'list unpacks to more than a list may have',
      ({ pieces }) => pieces.set(BASE.list, gzipSync(Buffer.alloc(50_000_000))),
      'cannot be unpacked to at most',
    ],
  ])('is read as a whole where a %s', async (_, damage, reason) => {
    const store = storeOf(BASE)
    damage(store)
    const told: string[] = []
    const onDamagedPieces = (error: Error) => void told.push(error.message)
    const config = await verifyArtifacts(store.offer(BASE), NOTHING_KNOWN, { onDamagedPieces })
    expect(told).toEqual([expect.stringContaining(reason)])
    expect([...config.artifacts.keys()]).toContain(BASE.sha256)
    expect([config.pieces.size, config.damage]).toEqual([0, []])
    expect(contentOf(config, BASE.sha256)?.kind).toBe('whole')
  })

  it.each<[string, object, string]>([
    [
      'names more chunks than there may be',
      { chunks: Array.from({ length: 5000 }, () => ({ sha256: BASE.list, bytes: 1 })) },
      'chunks',
    ],
    ['is that of another artifact', { artifact: FLAG.sha256 }, `of the artifact ${FLAG.sha256}`],
    [
      'declares fewer bytes than a chunk has',
      { chunks: [{ sha256: chunkOf(BASE), bytes: 10 }] },
      'not what the list',
    ],
    ['is none', { chunks: 'all' }, 'no list of chunks'],
  ])('is read as a whole where the list %s, whoever signed it', async (_, change, reason) => {
    const store = storeOf(BASE)
    const list = Buffer.from(
      JSON.stringify({ ...JSON.parse(Buffer.from(BASE.listBytes).toString()), ...change }),
    )
    const forged = { ...BASE, list: hashOf(list) }
    store.pieces.set(forged.list, gzipSync(list))
    const told: string[] = []
    const onDamagedPieces = (error: Error) => void told.push(error.message)
    const config = await verifyArtifacts(store.offer(forged), NOTHING_KNOWN, { onDamagedPieces })
    expect(told).toEqual([expect.stringContaining(reason)])
    expect(config.artifacts.has(BASE.sha256)).toBe(true)
  })

  it('is refused where the pieces and the whole are missing, unless it may be left out', async () => {
    const store = storeOf(BASE, FLAG)
    store.whole.delete(FLAG.sha256)
    store.pieces.delete(FLAG.list)
    const offer = store.offer(BASE, FLAG)
    await expect(verifyArtifacts(offer)).rejects.toMatchObject({ code: 'MANIFEST_ARTIFACT_MISSING' })
    const config = await verifyArtifacts(offer, NOTHING_KNOWN, { mayLack: dispensable(offer, null) })
    expect([hasArtifact(config, BASE.sha256), hasArtifact(config, FLAG.sha256)]).toEqual([true, false])
    expect(config.damage).toHaveLength(1)
  })

  it('is not read as a whole where the store does not answer, and nothing is called damaged', async () => {
    const { offer, read } = storeOf(BASE)
    const readPiece = () => Promise.reject(new Error('the store is away'))
    await expect(verifyArtifacts({ ...offer(BASE), readPiece })).rejects.toThrow('the store is away')
    expect(read.whole).toEqual([])
  })
})

function graphOf(content: ArtifactContent) {
  const compiled = compileArtifact(content)
  if (!compiled.ok) throw new Error(compiled.message)
  const { packed, subgraphs, isPatchable } = compiled
  return { graph: unpackGraph(packed), subgraphs, isPatchable }
}

function chunkOf({ chunks }: TestArtifact): string {
  return chunks[2]?.sha256 ?? ''
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
