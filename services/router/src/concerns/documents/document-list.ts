/** The documents of all manifests, and which of them each client may use. */
import {
  boundedProblems,
  type DocumentKey,
  LONGEST_COMPARED,
  type ParsedManifest,
  type ManifestDocument,
  ManifestError,
  MAX_DOCUMENT,
  normalHash,
} from '@switchyard/documents'
import { inTurns } from '@switchyard/service-kit/in-turns'
import { RecentTexts } from '../../memory/recent-texts.ts'
import { TextMap } from '../../memory/text-map.ts'

/** Bytes of memory for the normal hashes of texts that clients sent. */
const REMEMBERED_BYTES = 4 * 1024 * 1024

/** The documents that one client may use: those for all clients, and its own. */
export class DocumentList {
  /** Another one for each list and each revision of the lists, as a part of the key of shared executions. */
  readonly scope: string
  readonly #byKey = new Map<DocumentKey, ManifestDocument>()
  readonly #byText = new TextMap<ManifestDocument>()
  readonly #byNormalHash = new Map<string, ManifestDocument>()
  /** The list for all clients; null if this is that list. */
  readonly #forAll: DocumentList | null
  readonly #normalHashes: RecentTexts<string | null>

  constructor(scope: string, forAll: DocumentList | null, normalHashes: RecentTexts<string | null>) {
    this.scope = scope
    this.#forAll = forAll
    this.#normalHashes = normalHashes
  }

  /** Adds a document. False if the key stands for another text already. */
  add(document: ManifestDocument): boolean {
    const before = this.withKey(document.key)
    if (before !== null) return before.text === document.text
    this.#byKey.set(document.key, document)
    this.#byText.set(document.text, document)
    for (const hash of document.normalHashes) this.#byNormalHash.set(hash, document)
    return true
  }

  withKey(key: DocumentKey): ManifestDocument | null {
    return this.#first((list) => list.#byKey.get(key))
  }

  /** The document with this text, or with one that differs only in what GraphQL ignores. */
  withText(text: string): ManifestDocument | null {
    if (text.length > MAX_DOCUMENT) return null
    const same = this.#first((list) => list.#byText.get(text))
    if (same !== null) return same
    if (text.length > LONGEST_COMPARED) return null
    const hash = this.#normalHashOf(text)
    return hash === null ? null : this.#first((list) => list.#byNormalHash.get(hash))
  }

  #first(find: (list: DocumentList) => ManifestDocument | undefined): ManifestDocument | null {
    return find(this) ?? (this.#forAll === null ? undefined : find(this.#forAll)) ?? null
  }

  #normalHashOf(text: string): string | null {
    const known = this.#normalHashes.get(text)
    if (known !== undefined) return known
    const hash = normalHash(text)
    this.#normalHashes.set(text, hash)
    return hash
  }
}

/** One revision of all manifests. */
export class DocumentLists {
  /** Each document once for each manifest that has it. */
  readonly documents: readonly ManifestDocument[]
  readonly #forAll: DocumentList
  readonly #byClient: ReadonlyMap<string, DocumentList>

  private constructor(
    forAll: DocumentList,
    byClient: ReadonlyMap<string, DocumentList>,
    documents: readonly ManifestDocument[],
  ) {
    this.#forAll = forAll
    this.#byClient = byClient
    this.documents = documents
  }

  /** Makes lists that contain no documents. */
  static none(): DocumentLists {
    return new DocumentLists(new DocumentList(' 0', null, new RecentTexts(REMEMBERED_BYTES)), new Map(), [])
  }

  /**
   * Made in turns of the event loop. `revision`: another one for other manifests. Rejects with a
   * ManifestError where manifests contradict each other.
   */
  static async of(manifests: readonly ParsedManifest[], revision: number): Promise<DocumentLists> {
    const normalHashes = new RecentTexts<string | null>(REMEMBERED_BYTES)
    const forAll = new DocumentList(` ${revision}`, null, normalHashes)
    const byClient = new Map<string, DocumentList>()
    const listOf = (name: string): DocumentList => {
      const known = byClient.get(name)
      if (known !== undefined) return known
      const list = new DocumentList(` ${revision}.${byClient.size}`, forAll, normalHashes)
      byClient.set(name, list)
      return list
    }
    const problems: string[] = []
    // What is for all clients comes first: a list for one client must not contradict it.
    const ordered = manifests.toSorted((a, b) => Number(a.clients !== null) - Number(b.clients !== null))
    for (const { name, clients, documents } of ordered) {
      const lists = clients === null ? [forAll] : clients.map(listOf)
      await inTurns(documents, (document) => {
        if (lists.every((list) => list.add(document))) return
        const id = JSON.stringify(document.key)
        problems.push(`${name}: ${id} stands for another text in a manifest for the same client`)
      })
    }
    if (problems.length > 0) throw new ManifestError(boundedProblems(problems))
    const documents = manifests.flatMap(({ documents: own }) => own)
    return new DocumentLists(forAll, byClient, documents)
  }

  /** Returns the list of a client, by the name that the client gives itself. */
  of(clientName: string): DocumentList {
    return this.#byClient.get(clientName) ?? this.#forAll
  }
}
