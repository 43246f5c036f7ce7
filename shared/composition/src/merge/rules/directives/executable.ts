/** Rule: a directive that operations use takes the same arguments in all subgraphs. */
import { print, type InputValueDefinitionNode } from 'graphql'
import { EXECUTABLE_LOCATIONS } from '../../../directives/executable-locations.ts'
import { graphFinding, type Finding } from '../../../findings/finding.ts'
import type { GraphRule } from '../../checked/checked-graph.ts'
import { place } from '../../checked/places.ts'

/** Finds arguments of such directives that have several types. */
export const executableDirectives: GraphRule = function* executableDirectives({ subgraphs }) {
  for (const name of subgraphs[0]?.directives.keys() ?? []) {
    const definitions = subgraphs.flatMap(({ directives }) => directives.get(name) ?? [])
    if (definitions.length < subgraphs.length) continue
    const isExecutable = definitions.some(({ locations }) =>
      locations.some(({ value }) => EXECUTABLE_LOCATIONS.has(value)),
    )
    if (isExecutable)
      yield* checkArguments(
        name,
        definitions.map((node) => node.arguments ?? []),
      )
  }
}

function* checkArguments(
  directive: string,
  bySubgraph: readonly (readonly InputValueDefinitionNode[])[],
): Iterable<Finding> {
  const byName = bySubgraph.map((all) => new Map(all.map((one) => [one.name.value, one])))
  for (const { name } of bySubgraph[0] ?? []) {
    const nodes = byName.flatMap((all) => all.get(name.value) ?? [])
    const declared = nodes.map((node, at) => ({ at, node, type: print(node.type) }))
    const byType = Map.groupBy(declared, ({ type }) => type)
    if (nodes.length < bySubgraph.length || byType.size < 2) continue
    const types = [...byType].map(([text, found]) => ({ text, at: found.map(({ at }) => at) }))
    yield graphFinding(
      'FIELD_ARGUMENT_TYPE_MISMATCH',
      { coordinate: `@${directive}(${name.value}:)`, types },
      declared.map(({ at, node, type }) => place(at, node.type, { kind: 'type', type, isExternal: false })),
    )
  }
}
