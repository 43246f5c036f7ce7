/** The text of a supergraph in pieces, as long as a graph that was compiled from it lives. */
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { MAX_ARTIFACT_BYTES } from '@switchyard/contracts'
import { splitSchema } from '@switchyard/engine'
import { readArtifact } from './compile-artifact.ts'

const unpack = promisify(gunzip)

/** An artifact whose text is in pieces: one for each definition. */
export type SplitArtifact = Omit<ReturnType<typeof readArtifact>, 'supergraphSdl'> & {
  readonly pieces: readonly string[]
}

/** Unpacks an artifact and splits its text, with pauses. Rejects if it is none. */
export async function splitArtifact(gzipped: Uint8Array): Promise<SplitArtifact> {
  const bytes = await unpack(gzipped, { maxOutputLength: MAX_ARTIFACT_BYTES })
  const text = bytes.toString('utf8')
  await setImmediate()
  const { supergraphSdl, ...artifact } = readArtifact(text)
  await setImmediate()
  return { ...artifact, pieces: splitSchema(supergraphSdl) }
}

/** The text that one graph was compiled from. It is unpacked when it is first asked for. */
export class GraphText {
  /** The pieces, or the artifact that has them. */
  #text: readonly string[] | Uint8Array

  constructor(text: readonly string[] | Uint8Array) {
    this.#text = text
  }

  async read(): Promise<readonly string[]> {
    if (!(this.#text instanceof Uint8Array)) return this.#text
    const { pieces } = await splitArtifact(this.#text)
    this.#text = pieces
    return pieces
  }
}

/** The pieces with those that another text has as well as the same strings, which then are kept once. */
export function sharedPieces(pieces: readonly string[], others: readonly string[]): readonly string[] {
  const known = new Map(others.map((piece) => [piece, piece]))
  // As a string of its own: a part of a text keeps all of that text in memory.
  return pieces.map((piece) => known.get(piece) ?? copied(piece))
}

function copied(text: string): string {
  const copy: string = JSON.parse(JSON.stringify(text))
  return copy
}
