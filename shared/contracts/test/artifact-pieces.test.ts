/** Lists of chunks as somebody else may have written them. */
import { describe, expect, it } from 'vitest'
import { InvalidPieceListError, parsePieceList } from '../src/artifact-pieces.ts'
import { MAX_ARTIFACT_BYTES, MAX_CHUNKS } from '../src/index.ts'

const HASH = 'a'.repeat(64)
const LIST = {
  formatVersion: 2,
  artifact: HASH,
  chunks: [{ sha256: HASH, bytes: 10 }],
  subgraphs: [{ name: 'a', routingUrl: 'http://127.0.0.1:1/' }],
  compatibilityVersion: 'v0.5',
}

function bytesOf(list: object): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(list))
}

describe('a list of chunks', () => {
  it('is read as it was written', () => {
    expect(parsePieceList(bytesOf(LIST))).toEqual(LIST)
    expect(parsePieceList(bytesOf({ ...LIST, later: true }))).toEqual(LIST)
  })

  it.each([
    ['is no JSON', new TextEncoder().encode('{'), 'no JSON'],
    ['is of another format', bytesOf({ ...LIST, formatVersion: 3 }), 'formatVersion'],
    ['names no chunk', bytesOf({ ...LIST, chunks: [] }), 'chunks'],
    ['names a chunk by no hash', bytesOf({ ...LIST, chunks: [{ sha256: '../x', bytes: 1 }] }), 'sha256'],
    ['declares no size', bytesOf({ ...LIST, chunks: [{ sha256: HASH }] }), 'bytes'],
    ['declares an empty chunk', bytesOf({ ...LIST, chunks: [{ sha256: HASH, bytes: 0 }] }), 'bytes'],
    [
      'declares more than an artifact may have',
      bytesOf({ ...LIST, chunks: [1, 2].map(() => ({ sha256: HASH, bytes: MAX_ARTIFACT_BYTES - 1 })) }),
      `Expected: ${MAX_ARTIFACT_BYTES} at most`,
    ],
    [
      'names more chunks than there may be',
      bytesOf({ ...LIST, chunks: Array.from({ length: MAX_CHUNKS + 1 }, () => LIST.chunks[0]) }),
      `It names ${MAX_CHUNKS + 1} chunks`,
    ],
    [
      'is larger than it may be',
      bytesOf({ ...LIST, chunks: Array.from({ length: 60_000 }, () => LIST.chunks[0]) }),
      'bytes. Expected:',
    ],
    [
      'names more subgraphs than there may be',
      bytesOf({ ...LIST, subgraphs: Array.from({ length: 10_001 }, () => LIST.subgraphs[0]) }),
      'It names 10001 subgraphs',
    ],
    [
      'names subgraphs that are none',
      bytesOf({ ...LIST, subgraphs: [...LIST.subgraphs, {}] }),
      'at subgraphs[1].name',
    ],
    ['is an array', bytesOf([LIST]), 'no list of chunks'],
  ])('that %s is refused, with the reason', (_, bytes, reason) => {
    expect(() => parsePieceList(bytes)).toThrow(InvalidPieceListError)
    expect(() => parsePieceList(bytes)).toThrow(reason)
  })
})
