/** Why no subgraph answers a field at the place where an operation asks for it. */
import type { CompiledType } from '../../graph/compiled/compiled-graph.ts'
import { fieldOf, type Graph, presenceOf, typeOf } from '../../graph/graph.ts'

/** A text for people that names every subgraph which could resolve the field. */
export function unreachableReason(graph: Graph, coordinate: string): string {
  const [typeName = '', name = ''] = coordinate.split('.')
  const id = graph.typeByName.get(typeName)
  if (id === undefined) return 'the type is unknown'
  const type = typeOf(graph, id)
  if (name === '__typename')
    return `the objects come from a subgraph that has ${typeName} as interface object, and no subgraph tells their types by a key that can be had here`
  const owners = [type, ...type.interfaces.map((owner) => typeOf(graph, owner))]
  const reasons = owners.flatMap((owner) => ownerReasons(graph, owner, name, owner === type))
  return reasons.length === 0 ? 'no subgraph resolves it' : reasons.join('; ')
}

/** An interface matters only where a subgraph has it as an object and so contributes the field. */
function ownerReasons(graph: Graph, owner: CompiledType, name: string, isType: boolean): readonly string[] {
  return (fieldOf(graph, owner.id, name)?.edges ?? []).flatMap((edge) => {
    const presence = presenceOf(graph, owner.id, edge.sub)
    if (edge.external || presence === undefined || !(isType || presence.interfaceObject)) return []
    const isObject = owner.kind === 'object' || presence.interfaceObject
    const subgraph = `"${graph.compiled.subgraphs[edge.sub]?.name ?? edge.sub}"`
    if (!isObject && presence.runtime.length === 0)
      return [`${subgraph} declares it on an interface of which it has no objects`]
    const keys = presence.keys.filter(({ resolvable }) => resolvable).map(({ text }) => `"${text}"`)
    const way =
      keys.length === 0
        ? `finds no ${owner.name} by a key`
        : `finds ${owner.name} by ${keys.join(' or ')}, which cannot be had here`
    const inputs = edge.requires === null ? '' : `, and requires "${edge.requires.text}"`
    return [`${subgraph} resolves it, but ${way}${inputs}`]
  })
}
