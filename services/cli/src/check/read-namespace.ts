/** Reads the input of a dry run: the state of a namespace, its schemas, and what its graphs serve now. */
import { createHash } from 'node:crypto'
import { ExecutionConfigFile, FederatedGraphDetail, SubgraphSchema } from '@switchyard/contracts'
import type { NamespaceState } from '@switchyard/domain'
import type { ServedGraph } from '@switchyard/schema-checks'
import { readNamespace } from '../command/consequences.ts'
import { LocalRefusal, RefusedByRegistry } from '../run/errors.ts'
import { warningsIn } from '../output/composition-messages.ts'
import { apiPath, type RegistryClient } from '../registry/registry-client.ts'

/** Requests at a time. */
const AT_ONCE = 6
const ATTEMPTS = 3

/** The namespace changed while it was read, so that the parts do not belong to one state. */
class NamespaceMoved extends Error {}

/** Runs `work` on one consistent state; again from the start when somebody publishes in the meantime. */
export async function onOneState<Result>(
  registry: RegistryClient,
  namespace: string,
  work: (state: NamespaceState) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    const state = await readNamespace(registry, namespace)
    try {
      return await work(state)
    } catch (error) {
      if (!(error instanceof NamespaceMoved)) throw error
      if (attempt === ATTEMPTS) {
        throw new LocalRefusal(
          'NAMESPACE_CHANGES',
          `Schemas of namespace "${namespace}" were published while they were read, ${ATTEMPTS} times in a row. Try again in a moment.`,
        )
      }
    }
  }
}

/** SDL by hash. `known` are schemas that are at hand, which are not asked for. */
export async function readSchemas(
  registry: RegistryClient,
  namespace: string,
  needed: ReadonlyMap<string, { readonly name: string }>,
  known: ReadonlyMap<string, string> = new Map(),
): Promise<ReadonlyMap<string, string>> {
  const sdls = new Map(known)
  const missing = [...needed].filter(([hash]) => !sdls.has(hash))
  await eachOf(missing, async ([hash, { name }]) => {
    const { sdl } = await onlyIfThere(
      registry.get(apiPath('subgraphs', namespace, name, 'schema'), SubgraphSchema),
    )
    if (schemaHashOf(sdl) !== hash) throw new NamespaceMoved()
    sdls.set(hash, sdl)
  })
  return sdls
}

/** Reads what each of these graphs serves, and which of its compositions fail, by the name of the graph. */
export async function readServed(
  registry: RegistryClient,
  namespace: string,
  graphs: readonly string[],
): Promise<ReadonlyMap<string, ServedGraph>> {
  const served = new Map<string, ServedGraph>()
  await eachOf(graphs, async (graph) => {
    const config = await registry
      .get(apiPath('graphs', namespace, graph, 'execution-config'), ExecutionConfigFile)
      .catch(nullIfNotFound)
    const { compositions } = await onlyIfThere(
      registry.get(apiPath('graphs', namespace, graph), FederatedGraphDetail),
    )
    const failed = compositions.filter(({ status }) => status === 'failed')
    served.set(graph, {
      supergraphs: supergraphsOf(config),
      failed: new Map(failed.map((report) => [report.featureFlag, report])),
      warnings: new Map(compositions.map(({ featureFlag, hints }) => [featureFlag, warningsIn(hints)])),
      documents: config?.documents ?? [],
    })
  })
  return served
}

/** The hash by which the registry knows a schema: SHA-256 in hexadecimal digits. */
export function schemaHashOf(sdl: string): string {
  return createHash('sha256').update(sdl).digest('hex')
}

function supergraphsOf(config: ExecutionConfigFile | null): ReadonlyMap<string | null, string> {
  if (config === null) return new Map()
  const flags = Object.entries(config.featureFlags).map(
    ([name, { supergraphSdl }]) => [name, supergraphSdl] as const,
  )
  return new Map<string | null, string>([[null, config.base.supergraphSdl], ...flags])
}

/** Returns an answer. Rejects with NamespaceMoved if what a snapshot names does not exist any more. */
export async function onlyIfThere<T>(answer: Promise<T>): Promise<T> {
  const found = await answer.catch(nullIfNotFound)
  if (found === null) throw new NamespaceMoved()
  return found
}

function nullIfNotFound(error: unknown): null {
  if (error instanceof RefusedByRegistry && error.code === 'NOT_FOUND') return null
  throw error
}

async function eachOf<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const queue = items.values()
  await Promise.all(
    Array.from({ length: Math.min(AT_ONCE, items.length) }, async () => {
      for (const item of queue) await work(item)
    }),
  )
}
