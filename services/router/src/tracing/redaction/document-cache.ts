/** What is secret in documents: the same ones are sent again and again, by clients and, as plans say, to subgraphs. */
import { type DocumentSecrets, secretsOfDocument } from './document.ts'
import type { NameTest } from './sensitive-names.ts'

/** In characters, of all documents that are remembered. */
const REMEMBERED = 1 << 20

/** How the router writes requests. */
const QUERY = /^\{"query":("(?:[^"\\]|\\.)*")/

export class DocumentCache {
  readonly #isSensitive: NameTest
  readonly #ofDocuments = new Map<string, DocumentSecrets>()
  /** By what stands in the request: a client's document may be the same text, and means something else. */
  readonly #ofLiterals = new Map<string, DocumentSecrets>()
  #size = 0

  constructor(isSensitive: NameTest) {
    this.#isSensitive = isSensitive
  }

  of(document: string): DocumentSecrets {
    return this.#ofDocuments.get(document) ?? this.#add(this.#ofDocuments, document, document)
  }

  /** Of the `query` of a request; null: it does not begin with one. */
  ofRequest(body: string): DocumentSecrets | null {
    const literal = QUERY.exec(body)?.[1]
    if (literal === undefined) return null
    return this.#ofLiterals.get(literal) ?? this.#add(this.#ofLiterals, literal, String(JSON.parse(literal)))
  }

  #add(known: Map<string, DocumentSecrets>, key: string, document: string): DocumentSecrets {
    const secrets = secretsOfDocument(document, this.#isSensitive)
    this.#size += key.length
    if (this.#size > REMEMBERED) {
      this.#ofDocuments.clear()
      this.#ofLiterals.clear()
      this.#size = key.length
    }
    if (key.length <= REMEMBERED) known.set(key, secrets)
    return secrets
  }
}
