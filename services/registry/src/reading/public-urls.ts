/** The URLs at which browsers reach the routers of graphs. */
import { type GraphName, PublicUrl } from '@switchyard/contracts'
import type { RegistryReader } from './registry-reader.ts'

/** Origins that the policy of a page names. Servers and proxies refuse headers that are too long. */
const MAX_ORIGINS = 20
/** Graphs that are looked at for one page. */
const MAX_GRAPHS = 1_000

/** URLs that a registry is told at its start, for graphs that have none in their records. */
export type ToldUrls = {
  /** Returns null for a graph whose URL nobody told. */
  of(graph: GraphName): string | null
  all(): Iterable<string>
}

const NONE: ToldUrls = { of: () => null, all: () => [] }

type Graphs = Pick<RegistryReader, 'namespaces' | 'state'>

export class PublicUrls {
  readonly #fold: Graphs
  readonly #told: ToldUrls

  constructor(fold: Graphs, told: ToldUrls = NONE) {
    this.#fold = fold
    this.#told = told
  }

  /** Returns the URL of the graph's record, or else the one that the registry was told. */
  of(name: GraphName): string | null {
    const graph = this.#fold.state(name.namespace).graphs.get(name.graph)
    if (graph === undefined) return null
    return graph.publicUrl ?? this.#told.of(name)
  }

  /** Returns the origins of all graphs, as many as a policy may name, with that of `first` in front. */
  origins(first: GraphName | null): readonly string[] {
    const origins = new Set<string>()
    const add = (url: string | null) => {
      const origin = originOf(url)
      if (origin !== null && origins.size < MAX_ORIGINS) origins.add(origin)
    }
    if (first !== null) add(this.of(first))
    for (const url of this.#told.all()) add(url)
    let left = MAX_GRAPHS
    for (const namespace of this.#fold.namespaces()) {
      for (const graph of this.#fold.state(namespace).graphs.keys()) {
        if (left-- === 0 || origins.size === MAX_ORIGINS) return [...origins]
        add(this.of({ namespace, graph }))
      }
    }
    return [...origins]
  }
}

/** Null for what is no public URL: a record may come from elsewhere, by an import. */
function originOf(url: string | null): string | null {
  return url !== null && PublicUrl.safeParse(url).success ? new URL(url).origin : null
}
