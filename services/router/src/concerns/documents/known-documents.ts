/** The documents of all manifests that are used: of files, and of those that were published for the graph. */
import type { ParsedManifest } from '@switchyard/documents'
import type { DocumentEvents } from './events.ts'
import { DocumentLists } from './document-list.ts'

type Manifests = {
  readonly files: readonly ParsedManifest[]
  readonly published: readonly ParsedManifest[]
}

/**
 * The documents of all manifests in use; none before the first manifests. Disposed when nobody uses them any
 * more.
 */
export class KnownDocuments implements Disposable {
  readonly #events: DocumentEvents
  readonly #listeners: (() => void)[] = []
  #manifests: Manifests = { files: [], published: [] }
  #lists = DocumentLists.none()
  #revision = 0
  #isOver = false
  /** Manifests are put to use one after the other. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(events: DocumentEvents) {
    this.#events = events
  }

  get lists(): DocumentLists {
    return this.#lists
  }

  /** Called when other manifests are used from now on. */
  onChanged(listener: () => void): void {
    this.#listeners.push(listener)
  }

  /**
   * Replaces the manifests of the same origin. Resolves when the new ones are in use. Rejects with a
   * ManifestError if manifests contradict each other; the previous ones then stay.
   */
  use(manifests: Partial<Manifests>): Promise<void> {
    const used = this.#last.then(() => this.#use({ ...this.#manifests, ...manifests }))
    this.#last = used.catch(() => {})
    return used
  }

  [Symbol.dispose](): void {
    this.#isOver = true
    this.#listeners.length = 0
    this.#events.letGo(this.#lists.documents.length)
  }

  async #use(manifests: Manifests): Promise<void> {
    const all = [...manifests.files, ...manifests.published]
    const lists = await DocumentLists.of(all, this.#revision + 1)
    if (this.#isOver) return
    const before = this.#lists.documents.length
    this.#revision++
    this.#manifests = manifests
    this.#lists = lists
    this.#events.read(lists.documents.length, before)
    for (const listener of this.#listeners) listener()
  }
}
