/** Tries out a change that was foreseen: composes what it affects, and compares that with what is served. */
import { SubgraphSchema } from '@switchyard/contracts'
import type { NamespaceState } from '@switchyard/domain'
import {
  checkForeseen,
  CheckLimitError,
  type CheckReport,
  type ForeseenChange,
  neededSchemas,
} from '@switchyard/schema-checks'
import { apiPath } from '../registry/registry-client.ts'
import { LocalRefusal } from '../run/errors.ts'
import type { CheckCall } from './checked.ts'
import { onlyIfThere, readSchemas, readServed } from './read-namespace.ts'

/** The result of a trial. */
export type TriedChange = {
  readonly report: CheckReport
  /** The schemas that errors point into, by the name of their subgraph. */
  readonly sources: ReadonlyMap<string, { readonly sdl: string; readonly file?: string }>
  /** Whether the newest composition of a graph, or of a flag in it, fails without the change. */
  readonly failsNow: (graph: string, featureFlag: string | null) => boolean
}

/** `known` are schemas by hash that are at hand. */
export type TrialOptions = { readonly known?: ReadonlyMap<string, string>; readonly isStrict?: boolean }

/** Rejects with a LocalRefusal if that takes too much. */
export async function tryChange(
  { context, registry, namespace }: CheckCall,
  state: NamespaceState,
  foreseen: ForeseenChange,
  { known = new Map(), isStrict = false }: TrialOptions = {},
): Promise<TriedChange> {
  const graphs = foreseen.graphs.map((graph) => graph.name)
  const [sdls, served] = await Promise.all([
    schemasFor({ context, registry, namespace }, state, foreseen, known),
    readServed(registry, namespace, graphs),
  ])
  const options = { signal: context.signal, isStrict }
  const report = await checkForeseen(foreseen, { sdls, served }, options).catch(told)
  const sources = new Map<string, { readonly sdl: string }>()
  const composed = foreseen.graphs.flatMap(({ compositions }) => compositions)
  for (const subgraph of composed.flatMap(({ subgraphs }) => subgraphs)) {
    const sdl = sdls.get(subgraph.schema)
    if (sdl !== undefined) sources.set(subgraph.name, { sdl })
  }
  const failsNow = (graph: string, featureFlag: string | null) =>
    served.get(graph)?.failed.has(featureFlag) === true
  return { report, sources, failsNow }
}

/**
 * Reads the schemas that are needed. One that a subgraph would get from another is read from that one, and
 * one that an undo would publish again is asked for by its hash.
 */
async function schemasFor(
  { registry, namespace }: CheckCall,
  { subgraphs }: NamespaceState,
  foreseen: ForeseenChange,
  known: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const holders = new Map([...subgraphs.values()].map(({ name, schema }) => [schema?.sha256, name]))
  const held = new Map<string, { readonly name: string }>()
  const former = new Map<string, string>()
  for (const [hash, { name }] of neededSchemas(foreseen)) {
    const holder = holders.get(hash)
    if (holder !== undefined || known.has(hash)) held.set(hash, { name: holder ?? name })
    else {
      const path = `${apiPath('subgraphs', namespace, name, 'schema')}?sha256=${hash}`
      former.set(hash, (await onlyIfThere(registry.get(path, SubgraphSchema))).sdl)
    }
  }
  return readSchemas(registry, namespace, held, new Map([...known, ...former]))
}

function told(error: unknown): never {
  throw error instanceof CheckLimitError ? new LocalRefusal('CHECK_TOO_EXPENSIVE', error.message) : error
}
