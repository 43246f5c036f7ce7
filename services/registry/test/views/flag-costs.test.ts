/** The facts by which the costs of a flag are estimated, of compositions in pieces and of whole ones. */
import type { ArtifactReference } from '@switchyard/contracts'
import { describe, expect, it } from 'vitest'
import { costsOfRollout } from '../../src/views/flag-costs.ts'
import { openStorage, type Storage } from '../harness.ts'

const SUBGRAPHS = [{ name: 'a', routingUrl: 'http://a.example/' }]
const BASE = ['type A {\n  a: Int\n}\n', 'type B {\n  b: Int\n}\n', 'type C {\n  c: Int\n}\n']
const FLAG = [BASE[0] ?? '', 'type B {\n  b: Int\n  more: Int\n}\n', 'type D {\n  d: Int\n}\n']

async function whole({ blobs }: Storage, texts: readonly string[]): Promise<ArtifactReference> {
  const artifact = {
    formatVersion: 1,
    compatibilityVersion: 'join/v0.5',
    supergraphSdl: texts.join(''),
    subgraphs: SUBGRAPHS,
  }
  return { artifact: await blobs.put(Buffer.from(JSON.stringify(artifact))) }
}

async function inPieces(storage: Storage, texts: readonly string[]): Promise<ArtifactReference> {
  const { pieces } = storage
  const { artifact } = await whole(storage, texts)
  const chunks = []
  for (const text of texts)
    chunks.push({ sha256: await pieces.put(Buffer.from(text)), bytes: Buffer.byteLength(text) })
  const list = { formatVersion: 2, artifact, chunks, compatibilityVersion: 'join/v0.5', subgraphs: SUBGRAPHS }
  return { artifact, pieces: await pieces.put(Buffer.from(JSON.stringify(list))) }
}

async function estimateOf(storage: Storage, base: ArtifactReference, own: ArtifactReference | null) {
  const newest = () => ({ base, featureFlags: own === null ? {} : { next: own } })
  const revisions = { newest } as unknown as Parameters<typeof costsOfRollout>[0]['revisions']
  const { blobs, pieces } = storage
  const { flagCosts } = await costsOfRollout({ blobs, pieces, revisions }, 'default', {
    graph: 'shop',
    flag: 'next',
  })
  return flagCosts[0]?.estimate
}

describe('the costs of a flag', () => {
  it.each([
    ['whole', whole],
    ['in pieces', inPieces],
  ])('are estimated by what base does not have, of compositions that are stored %s', async (_, store) => {
    await using storage = await openStorage()
    const [base, own] = [await store(storage, BASE), await store(storage, FLAG)]
    expect(await estimateOf(storage, base, own)).toMatchObject({
      bytes: Buffer.byteLength(FLAG.join('')),
      changedDefinitions: 2,
      compiled: 'changes',
    })
    expect(await estimateOf(storage, base, base)).toMatchObject({ changedDefinitions: 0 })
  })

  it('are unknown if a composition is large and not in pieces', async () => {
    await using storage = await openStorage()
    const large = ['type L {\n', '  x: Int\n'.repeat(250_000), '}\n'].join('')
    const base = await whole(storage, BASE)
    expect(await estimateOf(storage, base, await whole(storage, [...FLAG, large]))).toBeNull()
    const inBoth = await inPieces(storage, BASE)
    expect(await estimateOf(storage, inBoth, await inPieces(storage, [...FLAG, large]))).toMatchObject({
      changedDefinitions: 3,
    })
  })

  it('are unknown without a composition, or if it cannot be read', async () => {
    await using storage = await openStorage()
    const base = await inPieces(storage, BASE)
    expect(await estimateOf(storage, base, null)).toBeNull()
    const lost = { artifact: 'a'.repeat(64), pieces: 'b'.repeat(64) }
    expect(await estimateOf(storage, base, lost)).toBeNull()
    const noArtifact = { artifact: await storage.blobs.put(Buffer.from('no JSON')) }
    expect(await estimateOf(storage, base, noArtifact)).toBeNull()
  })
})
