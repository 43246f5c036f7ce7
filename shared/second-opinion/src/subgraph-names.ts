/**
 * Maps the values of `enum join__Graph`, by which the stitching library names subgraphs, to the names people
 * use.
 */
import { type DocumentNode, Kind } from 'graphql'

export function subgraphNames(supergraph: DocumentNode): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const definition of supergraph.definitions) {
    if (definition.kind !== Kind.ENUM_TYPE_DEFINITION || definition.name.value !== 'join__Graph') continue
    for (const value of definition.values ?? []) {
      const graph = value.directives?.find((directive) => directive.name.value === 'join__graph')
      const name = graph?.arguments?.find((argument) => argument.name.value === 'name')?.value
      if (name?.kind === Kind.STRING) names.set(value.name.value, name.value)
    }
  }
  return names
}
