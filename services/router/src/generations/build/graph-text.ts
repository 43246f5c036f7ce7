/** The text of a supergraph in definitions, as long as a graph that was compiled from it lives. */
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { MAX_ARTIFACT_BYTES } from '@switchyard/contracts'
import { settingsOf } from '@switchyard/contracts/artifact-pieces'
import { splitSchema } from '@switchyard/engine'
import type { ArtifactContent } from '../content/artifact-content.ts'
import { type ReadArtifact, readArtifact } from './compile-artifact.ts'

const unpack = promisify(gunzip)

/** The definitions of a text, and of each of its chunks by hash. */
export type SplitText = {
  readonly definitions: readonly string[]
  readonly chunks: ReadonlyMap<string, readonly string[]>
}

/** An artifact whose text is cut into its definitions. */
export type SplitArtifact = Omit<ReadArtifact, 'formatVersion' | 'supergraphSdl'> & {
  readonly text: SplitText
}

/**
 * Unpacks an artifact and cuts its text into definitions, with pauses. Chunks that one of `others` has are
 * taken from there. Rejects if it is none.
 */
export async function splitArtifact(
  content: ArtifactContent,
  others: readonly SplitText[] = [],
): Promise<SplitArtifact> {
  if (content.kind === 'whole') {
    const text = await unpackedText(content.gzipped)
    await setImmediate()
    const { supergraphSdl, ...artifact } = readArtifact(text)
    await setImmediate()
    return { ...artifact, text: { definitions: splitSchema(supergraphSdl), chunks: new Map() } }
  }
  const chunks = new Map<string, readonly string[]>()
  for (const [sha256, gzipped] of content.chunks) {
    const known = others.find((text) => text.chunks.has(sha256))?.chunks.get(sha256)
    chunks.set(sha256, known ?? splitSchema(await unpackedText(gzipped)))
  }
  const definitions = content.list.chunks.flatMap(({ sha256 }) => chunks.get(sha256) ?? [])
  return { ...settingsOf(content.list), text: { definitions, chunks } }
}

async function unpackedText(gzipped: Uint8Array): Promise<string> {
  const bytes = await unpack(gzipped, { maxOutputLength: MAX_ARTIFACT_BYTES })
  return bytes.toString('utf8')
}

/** The text that one graph was compiled from. It is unpacked when it is first asked for. */
export class GraphText {
  /** The text, or the content that has it. */
  #text: SplitText | ArtifactContent

  constructor(text: SplitText | ArtifactContent) {
    this.#text = text
  }

  async read(): Promise<SplitText> {
    if ('definitions' in this.#text) return this.#text
    const { text } = await splitArtifact(this.#text)
    this.#text = text
    return text
  }
}

/** The text with definitions that another one has as well as the same strings, which then are kept once. */
export function sharedText({ definitions, chunks }: SplitText, other: SplitText): SplitText {
  const known = new Map(other.definitions.map((definition) => [definition, definition]))
  const own = (definition: string) => {
    // As a string of its own: a part of a text keeps all of that text in memory.
    const shared = known.get(definition) ?? copied(definition)
    known.set(definition, shared)
    return shared
  }
  const shared = new Map(
    [...chunks].map(([sha256, chunk]) => [sha256, other.chunks.get(sha256) ?? chunk.map(own)] as const),
  )
  return { definitions: definitions.map(own), chunks: shared }
}

function copied(text: string): string {
  const copy: string = JSON.parse(JSON.stringify(text))
  return copy
}
