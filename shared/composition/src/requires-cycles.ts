/**
 * Fields whose `@requires` lead back to themselves, which no order of fetching can satisfy. The library
 * follows such a circle without end; this is asked when it has stopped.
 */
import type { FieldNode } from 'graphql'
import type { CompositionError, SdlLocation } from './contract/composition-result.ts'
import { fieldSetOf, topLevelFields } from './subgraph/field-sets.ts'
import { placesInFieldSet } from './locations/field-set-places.ts'
import { federationDirectives, isExternal, type ParsedSubgraph } from './subgraph/subgraph.ts'

type Resolver = {
  readonly subgraph: string
  readonly place: string
  readonly needs: readonly string[]
  /** Returns the places where the requirement for a place is written. */
  readonly at: (need: string) => readonly SdlLocation[]
}

/** One error for each field that no order of fetching can provide. */
export function findRequiresCycles(subgraphs: readonly ParsedSubgraph[]): readonly CompositionError[] {
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
      locations: here.flatMap((resolver) =>
        needs.filter((need) => resolver.needs.includes(need)).flatMap((need) => resolver.at(need)),
      ),
    }
  })
}

function resolversOf(subgraph: ParsedSubgraph): readonly Resolver[] {
  return [...subgraph.types.values()].flatMap((type) =>
    [...type.fields.values()]
      .filter((field) => !isExternal(subgraph, type, field))
      .map((field) => {
        const applied = federationDirectives(subgraph, field, 'requires')
        const required = applied.flatMap((node) => topLevelFields(fieldSetOf(node)))
        return {
          subgraph: subgraph.name,
          place: `${type.name}.${field.name.value}`,
          needs: required.map((node: FieldNode) => `${type.name}.${node.name.value}`),
          at: (need: string) =>
            applied.flatMap((node) =>
              placesInFieldSet(subgraph, node, type.name, {
                kind: 'field',
                type: type.name,
                field: need.slice(type.name.length + 1),
              }),
            ),
        }
      }),
  )
}
