/** Artifacts that are stored as a whole, in pieces, or both. */
import { createHash } from 'node:crypto'
import { temporaryDirectory } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import {
  BlobCorruptedError,
  BlobMissingError,
  hasArtifact,
  openSqliteEventLog,
  readArtifact,
} from '../src/index.ts'

const CHUNKS = ['type Query { a: Int }\n', 'type Ü { b: Int }\n']
const SETTINGS = {
  subgraphs: [{ name: 'a', routingUrl: 'http://127.0.0.1:1/' }],
  compatibilityVersion: 'v0.5',
}
const WHOLE = Buffer.from(
  JSON.stringify({ formatVersion: 1, supergraphSdl: [...CHUNKS, ...CHUNKS].join(''), ...SETTINGS }),
)

function hashOf(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function listOf(more: object = {}): Buffer {
  const chunks = [...CHUNKS, ...CHUNKS].map((text) => ({
    sha256: hashOf(text),
    bytes: Buffer.byteLength(text),
  }))
  return Buffer.from(
    JSON.stringify({ formatVersion: 2, artifact: hashOf(WHOLE), chunks, ...SETTINGS, ...more }),
  )
}

async function stores() {
  const directory = await temporaryDirectory()
  const { blobs, pieces, ...storage } = await openSqliteEventLog({ dataDir: directory.path })
  await pieces.putAll(CHUNKS.map((text) => Buffer.from(text)))
  return {
    blobs,
    pieces,
    async [Symbol.asyncDispose]() {
      await storage[Symbol.asyncDispose]()
      await directory[Symbol.asyncDispose]()
    },
  }
}

describe('an artifact', () => {
  it('is read as a whole, or else made from its pieces, byte for byte', async () => {
    await using own = await stores()
    const reference = { artifact: hashOf(WHOLE), pieces: await own.pieces.put(listOf()) }
    expect(await hasArtifact(own, reference)).toBe(true)
    expect(Buffer.from(await readArtifact(own, reference))).toEqual(WHOLE)
    await own.blobs.put(WHOLE)
    await own.pieces.delete(reference.pieces)
    expect(await hasArtifact(own, reference)).toBe(true)
    expect(Buffer.from(await readArtifact(own, reference))).toEqual(WHOLE)
    expect(Buffer.from(await readArtifact(own, { artifact: reference.artifact }))).toEqual(WHOLE)
  })

  it('is missing where neither it nor its list is there', async () => {
    await using own = await stores()
    const reference = { artifact: hashOf(WHOLE), pieces: hashOf('list') }
    expect(await hasArtifact(own, reference)).toBe(false)
    await expect(readArtifact(own, reference)).rejects.toThrow(BlobMissingError)
    await expect(readArtifact(own, { artifact: reference.artifact })).rejects.toThrow(BlobMissingError)
  })

  it.each([
    ['make another artifact', listOf({ compatibilityVersion: 'v0.6' }), 'its pieces make the artifact'],
    ['are no list', Buffer.from('{}'), 'no list of chunks'],
  ])('is damaged where its pieces %s', async (_, list, reason) => {
    await using own = await stores()
    const reading = readArtifact(own, { artifact: hashOf(WHOLE), pieces: await own.pieces.put(list) })
    await expect(reading).rejects.toThrow(BlobCorruptedError)
    await expect(reading).rejects.toThrow(reason)
  })

  it('cannot be made where a chunk is missing', async () => {
    await using own = await stores()
    await own.pieces.delete(hashOf(CHUNKS[0] ?? ''))
    const list = await own.pieces.put(listOf())
    await expect(readArtifact(own, { artifact: hashOf(WHOLE), pieces: list })).rejects.toThrow(
      BlobMissingError,
    )
  })
})
