import { type DocumentNode, type FragmentDefinitionNode, Kind } from 'graphql'

/** Fragment definitions by name. */
export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

/**
 * Returns the fragments of a document by name. Of several with one name, which validation refuses, the last
 * one counts.
 */
export function fragmentsOf(document: DocumentNode): Fragments {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
  return fragments
}
