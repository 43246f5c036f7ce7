/**
 * Puts the manifests of documents to use that were published for the graph, as each config names them. They
 * were checked when they were published. Should one not be readable all the same, those before stay: what
 * clients may send must not depend on it, and neither must the config.
 */
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { DocumentReference } from '@switchyard/contracts'
import { type Manifest, ManifestError, readManifest } from '@switchyard/documents'
import type { KnownDocuments } from '../documents/known-documents.ts'
import { messageOf } from '../errors/http-error.ts'
import type { DocumentEvents } from '../observe/document-events.ts'
import type { VerifiedConfig } from './offered-config.ts'

const unpack = promisify(gunzip)

export type PublishedDocumentsOptions = {
  readonly known: KnownDocuments
  /** Bytes of one manifest. */
  readonly maxManifestSize: number
  readonly events: DocumentEvents
}

/** The published manifests in use. */
export class PublishedDocuments {
  readonly #options: PublishedDocumentsOptions
  /** The documents that are read, by the hash of their manifest. */
  #read: ReadonlyMap<string, Manifest['documents']> = new Map()
  #used = '[]'

  constructor(options: PublishedDocumentsOptions) {
    this.#options = options
  }

  /** Resolves when those of the config are used, or cannot be. */
  async take({ documents, artifacts }: Pick<VerifiedConfig, 'documents' | 'artifacts'>): Promise<void> {
    const wanted = JSON.stringify(documents)
    if (wanted === this.#used) return
    const { known, events } = this.#options
    try {
      const manifests: Manifest[] = []
      for (const reference of documents) manifests.push(await this.#manifestOf(reference, artifacts))
      await known.use({ published: manifests })
      this.#read = new Map(
        documents.map(({ manifest }, index) => [manifest, manifests[index]?.documents ?? []]),
      )
      this.#used = wanted
    } catch (error) {
      events.publishedNotUsed(error instanceof ManifestError ? error.problems : [messageOf(error)])
    }
  }

  async #manifestOf(
    { name, manifest: sha256, clients }: DocumentReference,
    artifacts: ReadonlyMap<string, Uint8Array>,
  ): Promise<Manifest> {
    const gzipped = artifacts.get(sha256)
    if (gzipped === undefined) throw new ManifestError([`${name}: it is not part of the config`])
    const documents = this.#read.get(sha256) ?? (await this.#documentsIn(name, gzipped))
    return { name, clients: clients ?? null, documents }
  }

  async #documentsIn(name: string, gzipped: Uint8Array): Promise<Manifest['documents']> {
    const { maxManifestSize } = this.#options
    try {
      return await readManifest(await unpack(gzipped, { maxOutputLength: maxManifestSize }))
    } catch (error) {
      if (error instanceof ManifestError)
        throw new ManifestError(error.problems.map((problem) => `${name}: ${problem}`))
      const most = `documents.max_manifest_size is ${maxManifestSize} bytes`
      throw new ManifestError([`${name} cannot be unpacked (${messageOf(error)}; ${most})`])
    }
  }
}
