/** Artifacts in pieces, made by hand: a list, and the chunks that it names. */
import { createHash } from 'node:crypto'
import { type Artifact, EXECUTION_CONFIG_FORMAT, PIECES_FORMAT } from '@switchyard/contracts'
import type { PieceList } from '@switchyard/contracts/artifact-pieces'
import type { BlobStore } from '@switchyard/event-log'

export type Pieces = {
  /** The text of the artifact that they make. */
  readonly whole: string
  /** The hash of the list. */
  readonly list: string
  readonly listText: string
  readonly chunks: readonly string[]
}

/** An artifact whose text these chunks make. */
export function piecesOf(...chunks: readonly string[]): Pieces {
  const settings = {
    subgraphs: [{ name: 'orders', routingUrl: 'http://localhost:4101/graphql' }],
    compatibilityVersion: 'v0.5',
  }
  const artifact: Artifact = {
    formatVersion: EXECUTION_CONFIG_FORMAT,
    supergraphSdl: chunks.join(''),
    ...settings,
  }
  const whole = JSON.stringify(artifact)
  const list: PieceList = {
    formatVersion: PIECES_FORMAT,
    artifact: hash(whole),
    chunks: chunks.map((text) => ({ sha256: hash(text), bytes: Buffer.byteLength(text) })),
    ...settings,
  }
  const listText = JSON.stringify(list)
  return { whole, list: hash(listText), listText, chunks }
}

/** Stores the chunks, and the list after them, as the composer does. */
export async function storePieces(store: BlobStore, { chunks, listText }: Pieces): Promise<void> {
  await store.putAll(chunks.map((text) => Buffer.from(text)))
  await store.put(Buffer.from(listText))
}

export async function textsIn(store: BlobStore): Promise<readonly string[]> {
  const texts: string[] = []
  for await (const { sha256 } of store.list()) texts.push(Buffer.from(await store.get(sha256)).toString())
  return texts.toSorted()
}

export function hash(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
