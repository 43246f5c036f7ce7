/**
 * Fields whose `@requires` lead back to themselves, which no order of fetching can satisfy. The library follows such a
 * circle without end; this is asked when it has stopped.
 */
import type { FieldNode } from 'graphql'
import type { CompositionError } from './composition-result.ts'
import { fieldSetOf, topLevelFields } from './field-sets.ts'
import { federationDirectives, isExternal, type Subgraph } from './subgraph.ts'

type Resolver = {
  readonly subgraph: string
  readonly place: string
  readonly needs: readonly string[]
  readonly line: number
  readonly column: number
}

export function findRequiresCycles(subgraphs: readonly Subgraph[]): readonly CompositionError[] {
  const resolvers = subgraphs.flatMap((subgraph) => resolversOf(subgraph))
  const known = new Set(resolvers.map(({ place }) => place))
  const possible = new Set<string>()
  for (let before = -1; before !== possible.size; ) {
    before = possible.size
    for (const { place, needs } of resolvers)
      if (needs.every((need) => possible.has(need) || !known.has(need))) possible.add(place)
  }
  const stuck = [...known].filter((place) => !possible.has(place)).sort()
  return stuck.map((place) => {
    const here = resolvers.filter((resolver) => resolver.place === place)
    const needs = [...new Set(here.flatMap((resolver) => resolver.needs))].filter((need) =>
      stuck.includes(need),
    )
    return {
      code: 'SATISFIABILITY_ERROR',
      message: `"${place}" requires ${needs.map((need) => `"${need}"`).join(' and ')}, which cannot be fetched without "${place}" itself. One of the fields of this circle has to be resolved without @requires.`,
      subgraphs: [...new Set(here.map(({ subgraph }) => subgraph))].sort(),
      locations: here.map(({ subgraph, line, column }) => ({ subgraph, line, column })),
    }
  })
}

function resolversOf(subgraph: Subgraph): readonly Resolver[] {
  return [...subgraph.types.values()].flatMap((type) =>
    [...type.fields.values()]
      .filter((field) => !isExternal(subgraph, type, field))
      .map((field) => {
        const required = federationDirectives(subgraph, field, 'requires').flatMap((node) =>
          topLevelFields(fieldSetOf(node)),
        )
        const token = field.name.loc?.startToken
        return {
          subgraph: subgraph.name,
          place: `${type.name}.${field.name.value}`,
          needs: required.map((node: FieldNode) => `${type.name}.${node.name.value}`),
          line: token?.line ?? 1,
          column: token?.column ?? 1,
        }
      }),
  )
}
