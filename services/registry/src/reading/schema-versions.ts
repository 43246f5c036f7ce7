/** The schemas of each subgraph, so that its history is told without a walk through the log. */
import type { RegistryEvent } from '@switchyard/contracts'

/** The last versions of a subgraph are remembered; so many take some 20 KB. */
const KEPT_PER_SUBGRAPH = 200

export type SchemaVersion = {
  /** Sequence of the record that published it. */
  readonly sequence: number
  readonly sha256: string
  readonly bytes: number
}

export class SchemaVersions {
  /** Versions by namespace and subgraph, oldest first. */
  readonly #namespaces = new Map<string, Map<string, SchemaVersion[]>>()

  /** Takes in an applied record. `exists` tells which subgraphs there are after it. */
  note(
    namespace: string,
    sequence: number,
    events: readonly RegistryEvent[],
    exists: (subgraph: string) => boolean,
  ): void {
    const subgraphs = this.#namespaces.get(namespace) ?? new Map<string, SchemaVersion[]>()
    this.#namespaces.set(namespace, subgraphs)
    let isAnyDeleted = false
    for (const event of events) {
      if (event.type === 'namespace.deleted') subgraphs.clear()
      if (event.type === 'subgraph.deleted') {
        isAnyDeleted = true
        subgraphs.delete(event.name)
      }
      if (event.type !== 'subgraph.schema-published') continue
      const { name, schema: sha256, bytes } = event
      const versions = subgraphs.get(name) ?? []
      versions.push({ sequence, sha256, bytes })
      if (versions.length > KEPT_PER_SUBGRAPH) versions.shift()
      subgraphs.set(name, versions)
    }
    // Feature subgraphs are deleted with their base, without an event of their own.
    if (isAnyDeleted) for (const name of subgraphs.keys()) if (!exists(name)) subgraphs.delete(name)
  }

  /** Newest first. */
  of(namespace: string, subgraph: string): readonly SchemaVersion[] {
    return this.#namespaces.get(namespace)?.get(subgraph)?.toReversed() ?? []
  }
}
