/** Finds the applications of federation directives in a subgraph, each with the element that has it. */
import type { ConstDirectiveNode } from 'graphql'
import type { SpecifiedDirective } from '../directives/specified-directives.ts'
import type { Described, SubgraphModel, TypeModel } from '../model/model.ts'
import { writtenName } from '../subgraph/checked/checked-subgraph.ts'

/** One application of a directive that a specification brings. */
export type AppliedDirective = {
  readonly directive: SpecifiedDirective
  readonly node: ConstDirectiveNode
  /** `Query.a`, `Query.a(n:)`, as the document names the type. */
  readonly coordinate: string
}

/** The wanted applications by the names that the subgraph gives their directives, type by type. */
export function appliedDirectives(
  { types }: SubgraphModel,
  isWanted: (directive: SpecifiedDirective) => boolean,
): ReadonlyMap<string, readonly AppliedDirective[]> {
  const found = new Map<string, AppliedDirective[]>()
  for (const type of types.values())
    for (const [coordinate, { applied }] of elementsOf(type))
      for (const { name, isComposed, node } of applied) {
        const directive = { specification: 'federation', name }
        if (isComposed || !isWanted(directive)) continue
        const used = node.name.value
        const known = found.get(used)
        if (known === undefined) found.set(used, [{ directive, node, coordinate }])
        else known.push({ directive, node, coordinate })
      }
  return found
}

/** The type, its members and their arguments, with their coordinates. */
function* elementsOf(type: TypeModel): Iterable<readonly [string, Pick<Described, 'applied'>]> {
  const owner = writtenName(type)
  yield [owner, type]
  const members = 'fields' in type ? type.fields : 'values' in type ? type.values : null
  for (const member of members?.values() ?? []) {
    const coordinate = `${owner}.${member.name}`
    yield [coordinate, member]
    if ('arguments' in member)
      for (const one of member.arguments.values()) yield [`${coordinate}(${one.name}:)`, one]
  }
}
