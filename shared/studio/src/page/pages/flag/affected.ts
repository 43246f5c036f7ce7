/** Finds what commands about a flag affect, by the state of its namespace. */
import type { Read } from '../../api/client.ts'

export type Snapshot = Read<'/v1/namespaces/{namespace}/snapshot'>
export type FlagDetail = Read<'/v1/feature-flags/{namespace}/{name}'>

/** A subgraph that a promotion or its undo publishes anew. */
export type Publication = { readonly subgraph: string; readonly content: string }

/** Returns what the subgraphs get that a flag replaces, where they differ from its feature subgraphs. */
export function promoted({ subgraphs }: Snapshot, { featureSubgraphs }: FlagDetail): readonly Publication[] {
  const byName = new Map(subgraphs.map((one) => [one.name, one]))
  return featureSubgraphs.flatMap((name) => {
    const own = byName.get(name)
    const base = byName.get(own?.base ?? '')
    if (own === undefined || base === undefined) return []
    const parts = [
      ...(own.schema === null || own.schema.sha256 === base.schema?.sha256 ? [] : ['the schema']),
      ...(own.routingUrl === base.routingUrl ? [] : [`the routing URL ${own.routingUrl}`]),
    ]
    if (parts.length === 0) return []
    return [{ subgraph: base.name, content: `${parts.join(' and ')} that ${name} has` }]
  })
}

/** Returns what the subgraphs get back when the promotion is undone. */
export function undone({ launched }: FlagDetail): readonly Publication[] {
  return (launched?.promoted ?? []).map(({ subgraph }) => ({
    subgraph,
    content: 'what it had before the promotion',
  }))
}

/** Returns the names of the rollouts of a flag. */
export function rolloutsOf({ rollouts }: Snapshot, flag: string): readonly string[] {
  return rollouts.filter((rollout) => rollout.flag === flag).map(({ name }) => name)
}

/** Returns the reason why a flag should not be promoted: it fails somewhere. Null if it fails nowhere. */
export function failure({ compositions }: FlagDetail): string | null {
  const failed = compositions.filter(({ status }) => status === 'failed').map(({ graph }) => graph)
  return failed.length === 0
    ? null
    : `Its composition fails in ${failed.join(', ')}. Base would fail there in the same way.`
}
