/**
 * Puts the manifests of documents to use that were published for the graph, as each config names them. They
 * were checked when they were published. Should one not be readable all the same, those before stay: what
 * clients may send must not depend on it, and neither must the config.
 */
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { DocumentReference } from '@switchyard/contracts'
import { type ParsedManifest, ManifestError, readManifest } from '@switchyard/documents'
import { messageOf } from '@switchyard/values'
import type { KnownDocuments } from '../concerns/documents/known-documents.ts'
import type { DocumentEvents } from '../concerns/documents/events.ts'
import type { VerifiedConfig } from './offered-config.ts'

const unpack = promisify(gunzip)

export type PublishedDocumentsOptions = {
  /** Bytes of one manifest, as it is at this moment. */
  readonly maxManifestSize: () => number
  readonly events: DocumentEvents
}

/** The published manifests in use. */
export class PublishedManifests {
  readonly #options: PublishedDocumentsOptions
  /** The documents that are read, by the hash of their manifest. */
  #read: ReadonlyMap<string, ParsedManifest['documents']> = new Map()
  /** The newest that could be read. */
  #manifests: readonly ParsedManifest[] = []
  /** Whose documents they are among. */
  readonly #attached = new Set<KnownDocuments>()
  #used = '[]'

  constructor(options: PublishedDocumentsOptions) {
    this.#options = options
  }

  /**
   * Adds the published manifests to `known`, until the result is disposed. Rejects with a ManifestError if
   * they contradict each other.
   */
  async attach(known: KnownDocuments): Promise<Disposable> {
    this.#attached.add(known)
    try {
      if (this.#manifests.length > 0) await known.use({ published: this.#manifests })
    } catch (error) {
      this.#attached.delete(known)
      throw error
    }
    return { [Symbol.dispose]: () => void this.#attached.delete(known) }
  }

  /**
   * Resolves when those of the config are used, or cannot be. Where the config is served without what is
   * damaged of it, the others are used; what is left out is told with the config.
   */
  async take(config: Pick<VerifiedConfig, 'documents' | 'artifacts'>): Promise<void> {
    const { artifacts } = config
    const documents = config.documents.filter(({ manifest }) => artifacts.has(manifest))
    const wanted = JSON.stringify(documents)
    if (wanted === this.#used) return
    try {
      const manifests: ParsedManifest[] = []
      for (const reference of documents) manifests.push(await this.#manifestOf(reference, artifacts))
      this.#manifests = manifests
      this.#read = new Map(
        documents.map(({ manifest }, index) => [manifest, manifests[index]?.documents ?? []]),
      )
      for (const known of this.#attached) await known.use({ published: manifests })
      this.#used = wanted
    } catch (error) {
      this.#options.events.publishedNotUsed(
        error instanceof ManifestError ? error.problems : [messageOf(error)],
      )
    }
  }

  async #manifestOf(
    { name, manifest: sha256, clients }: DocumentReference,
    artifacts: ReadonlyMap<string, Uint8Array>,
  ): Promise<ParsedManifest> {
    const gzipped = artifacts.get(sha256)
    if (gzipped === undefined) throw new ManifestError([`${name}: it is not part of the config`])
    const documents =
      this.#read.get(sha256) ?? (await readPublished({ name, gzipped }, this.#options.maxManifestSize()))
    return { name, clients: clients ?? null, documents }
  }
}

/** Rejects with a ManifestError, which names the manifest. */
export async function readPublished(
  { name, gzipped }: { readonly name: string; readonly gzipped: Uint8Array },
  maxManifestSize: number,
): Promise<ParsedManifest['documents']> {
  try {
    return await readManifest(await unpack(gzipped, { maxOutputLength: maxManifestSize }))
  } catch (error) {
    if (error instanceof ManifestError)
      throw new ManifestError(error.problems.map((problem) => `${name}: ${problem}`))
    const most = `documents.max_manifest_size is ${maxManifestSize} bytes`
    throw new ManifestError([`${name} cannot be unpacked (${messageOf(error)}; ${most})`])
  }
}
