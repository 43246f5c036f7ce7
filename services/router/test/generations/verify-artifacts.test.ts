import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { MAX_ARTIFACT_BYTES } from '@switchyard/contracts'
import { describe, expect, it } from 'vitest'
import type { OfferedConfig } from '../../src/generations/offered-config.ts'
import { verifyArtifacts } from '../../src/generations/verify/verify-artifacts.ts'

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

function offer(base: string, flags: readonly string[], stored: ReadonlyMap<string, Uint8Array>) {
  const read: string[] = []
  const config: OfferedConfig & { readonly base: string } = {
    source: 'config store',
    damage: [],
    graph: null,
    version: { epoch: 1, revision: 1 },
    createdAt: null,
    registrySequence: 1,
    base,
    featureFlags: new Map(flags.map((sha256, index) => [`flag${index}`, sha256])),
    pieces: new Map(),
    previews: new Map(),
    documents: [],
    rollouts: [],
    traceKeys: { keys: [] },
    traceAudience: '',
    signed: null,
    confirm: async () => {},
    readArtifact: async (sha256) => {
      read.push(sha256)
      return stored.get(sha256) ?? null
    },
    readPiece: async () => null,
  }
  return { config, read }
}

describe('the artifacts of a config', () => {
  it('are read once each, and not again when they are known', async () => {
    const texts = ['a', 'b', 'c'].map((text) => Buffer.from(text))
    const stored = new Map(texts.map((bytes) => [hashOf(bytes), gzipSync(bytes)]))
    const [a = '', b = '', c = ''] = stored.keys()
    const known = new Map([[b, gzipSync('b')]])
    const { config, read } = offer(a, [a, b, c, c], stored)
    expect(
      [...(await verifyArtifacts(config, { artifacts: known, pieces: new Map() })).artifacts.keys()].sort(),
    ).toEqual([a, b, c].sort())
    expect(read.sort()).toEqual([a, c].sort())
  })

  it('that would unpack to more than the limit are refused without being unpacked', async () => {
    const bomb = Buffer.alloc(MAX_ARTIFACT_BYTES + 1)
    const sha256 = hashOf(bomb)
    const { config } = offer(sha256, [], new Map([[sha256, gzipSync(bomb, { level: 9 })]]))
    await expect(verifyArtifacts(config)).rejects.toMatchObject({
      code: 'MANIFEST_ARTIFACT_INVALID',
      message: expect.stringContaining('cannot be unpacked'),
    })
  })

  it.each([
    ['are missing', null, 'MANIFEST_ARTIFACT_MISSING'],
    ['have another hash', gzipSync('other'), 'MANIFEST_ARTIFACT_INVALID'],
    ['are not gzip', Buffer.from('plain'), 'MANIFEST_ARTIFACT_INVALID'],
  ])('that %s are refused', async (_, bytes, code) => {
    const sha256 = hashOf(Buffer.from('x'))
    const { config } = offer(sha256, [], bytes === null ? new Map() : new Map([[sha256, bytes]]))
    await expect(verifyArtifacts(config)).rejects.toMatchObject({ code })
  })
})
