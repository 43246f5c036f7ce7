/** The content of a composition as a config has it: as a whole, or in pieces. */
import type { PieceList } from '@switchyard/contracts/artifact-pieces'

/** An artifact of which a config has the chunks. `sha256` is the hash of the list. */
export type CutArtifact = { readonly sha256: string; readonly list: PieceList }

/** Gzipped bytes that were checked. Those of chunks are by hash. */
export type ArtifactContent =
  | { readonly kind: 'whole'; readonly gzipped: Uint8Array }
  | {
      readonly kind: 'pieces'
      readonly list: PieceList
      readonly chunks: ReadonlyMap<string, Uint8Array>
    }

type HeldArtifacts = {
  /** Gzipped bytes by hash: artifacts as a whole, and lists and chunks of the others. */
  readonly artifacts: ReadonlyMap<string, Uint8Array>
  /** The artifacts that are there in pieces, by their hash. */
  readonly pieces: ReadonlyMap<string, CutArtifact>
}

/** Whether a config has an artifact. */
export function hasArtifact({ artifacts, pieces }: HeldArtifacts, artifact: string): boolean {
  return artifacts.has(artifact) || pieces.has(artifact)
}

/** The content of an artifact; null if the config does not have it. */
export function contentOf({ artifacts, pieces }: HeldArtifacts, artifact: string): ArtifactContent | null {
  const cut = pieces.get(artifact)
  if (cut === undefined) {
    const gzipped = artifacts.get(artifact)
    return gzipped === undefined ? null : { kind: 'whole', gzipped }
  }
  const chunks = new Map<string, Uint8Array>()
  for (const { sha256 } of cut.list.chunks) {
    const gzipped = artifacts.get(sha256)
    if (gzipped === undefined) return null
    chunks.set(sha256, gzipped)
  }
  return { kind: 'pieces', list: cut.list, chunks }
}

/** Bytes that an artifact has when it is unpacked; 0 if the config does not have it. */
export function unpackedSizeIn({ artifacts, pieces }: HeldArtifacts, artifact: string): number {
  const cut = pieces.get(artifact)
  if (cut !== undefined) return textSize(cut.list)
  const gzipped = artifacts.get(artifact)
  return gzipped === undefined ? 0 : unpackedSize(gzipped)
}

/** Bytes that the content has when it is unpacked. */
export function unpackedSizeOf(content: ArtifactContent): number {
  return content.kind === 'whole' ? unpackedSize(content.gzipped) : textSize(content.list)
}

function textSize({ chunks }: PieceList): number {
  return chunks.reduce((sum, { bytes }) => sum + bytes, 0)
}

/**
 * Bytes that gzipped bytes of one member unpack to, as gzip notes them at the end:
 * https://www.rfc-editor.org/rfc/rfc1952#section-2.3.1
 */
export function unpackedSize({ buffer, byteOffset, byteLength }: Uint8Array): number {
  if (byteLength < 4) return 0
  return new DataView(buffer, byteOffset, byteLength).getUint32(byteLength - 4, true)
}
