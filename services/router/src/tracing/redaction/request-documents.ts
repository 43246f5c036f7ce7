/** What the documents of one request tell: its client's, and those that were sent to subgraphs. */
import type { Trace, TraceNode } from '@switchyard/request-trace'
import { RecordedJson, valueOf } from '../recorded-json.ts'
import type { DocumentSecrets } from './document.ts'
import type { DocumentCache } from './document-cache.ts'

export class RequestDocuments {
  readonly #cache: DocumentCache
  /** Other names of sensitive fields, of any of them. */
  readonly #aliases = new Set<string>()

  constructor(cache: DocumentCache) {
    this.#cache = cache
  }

  /** Takes notice of those that were sent to subgraphs. */
  learn(node: TraceNode | Trace['fetches']): void {
    if (node.kind !== 'Single') {
      for (const child of node.children) this.learn(child)
      return
    }
    const { input } = node.fetch.trace
    if (input === undefined || 'truncated' in input) return
    if (input.body instanceof RecordedJson && this.ofRequest(input.body) !== null) return
    const query = queryOf(valueOf(input.body))
    if (query !== null) this.of(query)
  }

  of(document: string): DocumentSecrets {
    return this.#noted(this.#cache.of(document))
  }

  /** null: it is unlike the requests of the router. */
  ofRequest(request: RecordedJson): DocumentSecrets | null {
    const secrets = this.#cache.ofRequest(request.text)
    return secrets === null ? null : this.#noted(secrets)
  }

  isAlias(name: string): boolean {
    return this.#aliases.has(name)
  }

  /** false: no member of this JSON is called so. */
  mayNameAlias(json: string): boolean {
    if (this.#aliases.size === 0) return false
    return json.includes('\\') || [...this.#aliases].some((alias) => json.includes(`"${alias}"`))
  }

  #noted(secrets: DocumentSecrets): DocumentSecrets {
    for (const alias of secrets.aliases) this.#aliases.add(alias)
    return secrets
  }
}

/** Of a request as GraphQL over HTTP has it; null: it is none. */
export function queryOf(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('query' in body)) return null
  return typeof body.query === 'string' ? body.query : null
}
