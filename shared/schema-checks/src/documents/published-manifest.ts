/** Manifests of persisted documents that are published for a graph, and the documents in them. */

export type PublishedManifest = {
  readonly name: string
  /** Names of the clients that may use it; absent for all clients. */
  readonly clients?: readonly string[] | undefined
  /** Texts of documents by identifier. */
  readonly manifest: Readonly<Record<string, string>>
}

/** A document, once for all manifests that have it under the same identifier. */
export type DistinctDocument = {
  /** The identifier without a prefix. */
  readonly id: string
  /** Names, in the order of the manifests. */
  readonly manifests: readonly string[]
  /** Names of the clients that may use it by any of the manifests; null for all clients. */
  readonly clients: readonly string[] | null
  readonly text: string
}

export function distinctDocuments(manifests: readonly PublishedManifest[]): readonly DistinctDocument[] {
  const byId = new Map<string, DistinctDocument[]>()
  for (const { name, clients, manifest } of manifests) {
    for (const [id, text] of Object.entries(manifest)) {
      const sameId = byId.get(id) ?? []
      const known = sameId.findIndex((document) => document.text === text)
      const before = sameId[known]
      if (before === undefined) sameId.push({ id, manifests: [name], clients: clients ?? null, text })
      else sameId[known] = joined(before, name, clients)
      byId.set(id, sameId)
    }
  }
  return [...byId.values()].flat()
}

function joined(
  document: DistinctDocument,
  name: string,
  clients: readonly string[] | undefined,
): DistinctDocument {
  const all = document.clients === null || clients === undefined
  return {
    ...document,
    manifests: [...document.manifests, name],
    clients: all ? null : [...new Set([...(document.clients ?? []), ...clients])],
  }
}
