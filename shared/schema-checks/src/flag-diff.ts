/**
 * How the client schema with a flag differs from that of the base, also of a flag that nobody is served yet.
 */
import type { CompositionMessage } from '@switchyard/contracts'
import {
  type Applicability,
  applyEvent,
  compositionInputs,
  flagApplicability,
  type NamespaceState,
  sortedByName,
  type SubgraphToCompose,
} from '@switchyard/domain'
import type { ServedGraph } from './check.ts'
import type { SchemaChange } from './changes/schema-change.ts'
import { type CompositionTask, runTask, type TaskResult } from './threads/composition-task.ts'

/** A flag in a graph that its labels choose, taken as if it were enabled. */
export type FlagInGraph = {
  readonly graph: string
  readonly applicability: Applicability
  /** Members that are left out, since they have no published schema. */
  readonly unpublished: readonly string[]
  readonly base: readonly SubgraphToCompose[]
  /** Empty when the flag does not apply. */
  readonly flag: readonly SubgraphToCompose[]
  readonly allowUnenforcedAuthorization: boolean
}

export type FlagDiff =
  | {
      readonly kind: 'compared'
      /** Tells for each side whether it is served, or was composed for the comparison. */
      readonly base: 'served' | 'composed'
      readonly flag: 'served' | 'composed'
      readonly changes: readonly SchemaChange[]
      readonly hints: readonly CompositionMessage[]
    }
  | {
      readonly kind: 'failed'
      readonly side: 'base' | 'flag'
      readonly errors: readonly CompositionMessage[]
      readonly hints: readonly CompositionMessage[]
    }

/** Graphs by name; empty when the flag's labels choose none. The flag must exist. */
export function flagInGraphs(state: NamespaceState, name: string): readonly FlagInGraph[] {
  const enabled = applyEvent(state, { type: 'feature-flag.enabled', name })
  const flag = enabled.flags.get(name)
  if (flag === undefined) return []
  return sortedByName(enabled.graphs.values()).flatMap((graph): readonly FlagInGraph[] => {
    const applicability = flagApplicability(enabled, graph, flag)
    if (applicability.kind === 'other-labels') return []
    const inputs = compositionInputs(enabled, graph.name)
    const own = inputs?.flags.find((input) => input.name === name)
    return [
      {
        graph: graph.name,
        applicability,
        unpublished: own?.unpublished ?? [],
        base: inputs?.base ?? [],
        flag: own?.subgraphs ?? [],
        allowUnenforcedAuthorization: graph.allowUnenforcedAuthorization,
      },
    ]
  })
}

/**
 * Whether both sides of the diff are served. Otherwise both are composed here, so that they are of the same
 * moment.
 */
export function isServed(served: ServedGraph | undefined, flag: string): boolean {
  return served?.supergraphs.has(flag) === true && served.supergraphs.has(null)
}

export async function diffFlag(
  name: string,
  place: FlagInGraph,
  { sdls, served }: { readonly sdls: ReadonlyMap<string, string>; readonly served: ServedGraph | undefined },
): Promise<FlagDiff> {
  const servedBase = served?.supergraphs.get(null)
  const servedFlag = served?.supergraphs.get(name)
  if (servedBase !== undefined && servedFlag !== undefined) {
    const supergraphs = new Map([
      ['base', servedBase],
      ['flag', servedFlag],
    ])
    const { allowUnenforcedAuthorization } = place
    const after = { kind: 'served', supergraph: 'flag', allowUnenforcedAuthorization } as const
    const result = await runTask({ sdls, supergraphs }, { after, before: ['base'] })
    return compared({ ...result, hints: served?.warnings.get(name) ?? [] }, 'served', 'served')
  }
  const composeFlagOn = (base: string) =>
    runTask(
      { sdls, supergraphs: new Map([['base', base]]) },
      { after: composing(place, place.flag), before: ['base'] },
    )
  const base = await composeBase(place, sdls)
  if (base.kind === 'composed')
    return compared(await composeFlagOn(base.supergraphSdl), 'composed', 'composed')
  if (servedBase === undefined) return { ...base, side: 'base' }
  // While the base is broken, its last good composition is what clients have.
  return compared(await composeFlagOn(servedBase), 'served', 'composed')
}

function composeBase(place: FlagInGraph, sdls: ReadonlyMap<string, string>): Promise<TaskResult> {
  return runTask({ sdls, supergraphs: new Map() }, { after: composing(place, place.base), before: [] })
}

function composing(
  { allowUnenforcedAuthorization }: FlagInGraph,
  subgraphs: readonly SubgraphToCompose[],
): CompositionTask['after'] {
  return { kind: 'compose', subgraphs, allowUnenforcedAuthorization }
}

function compared(result: TaskResult, base: 'served' | 'composed', flag: 'served' | 'composed'): FlagDiff {
  if (result.kind === 'failed') return { ...result, side: 'flag' }
  return { kind: 'compared', base, flag, changes: result.changes[0] ?? [], hints: result.hints }
}
