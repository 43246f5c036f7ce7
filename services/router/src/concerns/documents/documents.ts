/** Decides which document is carried out for a request, by the manifests and `documents.mode`. */
import { HttpError } from '../../errors/http-error.ts'
import type { DocumentEvents } from './events.ts'
import type { AskedDocument } from './asked-document.ts'
import type { AutomaticDocuments } from './automatic-documents.ts'
import { type DocumentKey, isKeyOf, isSha256 } from '@switchyard/documents'
import type { DocumentList, DocumentLists } from './document-list.ts'
import type { SharedDocuments } from './shared-documents.ts'

/**
 * The documents that clients may send. `off` allows any text, since there are no manifests. `allow` allows
 * any text, and identifiers of the manifests; `log_unknown` does the same, and logs texts that are in no
 * manifest. `safelist` allows only documents of a manifest, by text or identifier; `ids_only` only by
 * identifier.
 */
export type DocumentsMode = 'off' | 'allow' | 'log_unknown' | 'safelist' | 'ids_only'

/** The client of a request, for logs and for limits. */
export type DocumentClient = {
  /** The name that the client gives itself. */
  readonly name: string
  readonly address: string
  readonly operationName: string | null
}

export type DocumentsOptions = {
  readonly mode: DocumentsMode
  /** Returns the lists in use; null if there are no manifests. */
  readonly lists: () => DocumentLists | null
  /** Documents that clients have added; null if clients cannot add documents. */
  readonly automatic: AutomaticDocuments | null
  /** Documents that clients have added to other routers; null if routers share none. */
  readonly shared?: SharedDocuments | null
  /** Names of members and parameters with an identifier. */
  readonly idParameters: readonly string[]
  readonly events: DocumentEvents
}

/** The documents that the router knows, and who may use which. */
export class Documents {
  readonly idParameters: readonly string[]
  readonly #mode: DocumentsMode
  readonly #lists: () => DocumentLists | null
  readonly #automatic: AutomaticDocuments | null
  readonly #shared: SharedDocuments | null
  readonly #events: DocumentEvents

  constructor({ mode, lists, automatic, shared = null, idParameters, events }: DocumentsOptions) {
    this.idParameters = idParameters
    this.#mode = mode
    this.#lists = lists
    this.#automatic = automatic
    this.#shared = shared
    this.#events = events
  }

  /** Returns the documents that the client may use at this moment; null if there are no manifests. */
  listOf(clientName: string): DocumentList | null {
    return this.#lists()?.of(clientName) ?? null
  }

  /**
   * Looks for a document that a client may have added to another router. Undefined if there is nothing to
   * wait for. The promise never rejects; pass its value to `resolve` as `fetched`.
   */
  fetch(
    { text, key }: AskedDocument,
    list: DocumentList | null,
    { address }: DocumentClient,
  ): Promise<string | null> | undefined {
    if (this.#shared === null || text !== null || key === null || !isSha256(key)) return undefined
    if ((list?.withKey(key) ?? null) !== null) return undefined
    if (this.#automatic === null || this.#automatic.has(key)) return undefined
    return this.#shared.get(key)?.then((found) => {
      if (found !== null) this.#automatic?.add(key, found, address, true)
      return found
    })
  }

  /**
   * The text to carry out, of a request that has one or an identifier. What is in a manifest is carried out
   * as it stands there. Throws HttpError.
   */
  resolve(
    asked: AskedDocument,
    list: DocumentList | null,
    client: DocumentClient,
    fetched: string | null = null,
  ): string {
    const { text, key, isAutomatic } = asked
    if (key === null) return this.#permitted(text ?? '', list, client)
    const listed = list?.withKey(key) ?? null
    if (text !== null) return this.#textWithKey(text, key, listed?.text ?? null, { list, client })
    if (listed !== null) {
      this.#events.used('by-id')
      return listed.text
    }
    const sentBefore = this.#automatic?.get(key) ?? fetched
    if (sentBefore !== null) {
      this.#events.used('automatic')
      if (this.#shared !== null) this.#offer(key, this.#shared)
      return sentBefore
    }
    if (this.#automatic !== null && isAutomatic && isSha256(key))
      // Apollo Client knows it by this very message or by its code.
      throw new HttpError('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound')
    throw notInList(key)
  }

  /**
   * Checks a text and a key that came together. A client must not be led to believe that a key stands for
   * another text than it does.
   */
  #textWithKey(
    text: string,
    key: DocumentKey,
    listed: string | null,
    { list, client }: { readonly list: DocumentList | null; readonly client: DocumentClient },
  ): string {
    const fits = isSha256(key) ? isKeyOf(key, text) : listed === null || listed === text
    if (!fits) {
      const message =
        'The request has an identifier of a document and a text, and they do not belong together.'
      throw new HttpError('PERSISTED_QUERY_HASH_MISMATCH', message)
    }
    if (listed !== null) {
      this.#events.used('by-id')
      return listed
    }
    if (this.#mode === 'ids_only') throw notInList(key)
    const permitted = this.#permitted(text, list, client)
    if (this.#automatic !== null && isSha256(key)) {
      this.#events.used('automatic-new')
      if (!this.#automatic.has(key)) {
        const isShared = this.#shared?.add(key, text, client.address, 'new') ?? false
        this.#automatic.add(key, text, client.address, isShared)
      }
    }
    return permitted
  }

  /**
   * Offers a document that is used again and again to other routers, even if it was not shared when it was
   * sent.
   */
  #offer(key: DocumentKey, shared: SharedDocuments): void {
    this.#automatic?.offer(key, (text, client) => shared.add(key, text, client, 'used'))
  }

  #permitted(text: string, list: DocumentList | null, client: DocumentClient): string {
    switch (this.#mode) {
      case 'off':
      case 'allow':
        return text
      case 'log_unknown':
        if ((list?.withText(text) ?? null) === null)
          this.#events.unlistedText(client.name, client.operationName, text)
        else this.#events.used('listed-text')
        return text
      case 'safelist':
        return this.#listedText(text, list)
      case 'ids_only':
        throw new HttpError(
          'PERSISTED_QUERY_ID_REQUIRED',
          'This router carries out documents that it knows, by their identifier: expected "documentId" in place of "query".',
        )
      default:
        return this.#mode satisfies never
    }
  }

  #listedText(text: string, list: DocumentList | null): string {
    const listed = list?.withText(text) ?? null
    if (listed === null) {
      const message =
        'This router executes only documents of its safelist, which does not have this one for this client.'
      throw new HttpError('QUERY_NOT_IN_SAFELIST', message)
    }
    this.#events.used('listed-text')
    return listed.text
  }
}

const MAX_SHOWN = 80

function notInList(key: DocumentKey): HttpError {
  const shown = JSON.stringify(key.slice(0, MAX_SHOWN))
  return new HttpError(
    'PERSISTED_QUERY_NOT_IN_LIST',
    `The router knows no document ${shown} for this client.`,
  )
}
