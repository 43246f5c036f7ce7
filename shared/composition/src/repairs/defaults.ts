/**
 * Repair: defaults as values.
 *
 * The library carries a default as text and writes whatever is of an enum, a list of enum values too, as one
 * enum value of that text. It prints right, but is no value that the merged schema could be checked with.
 */
import { parseConstValue, visit } from 'graphql'
import type { DocumentNode } from 'graphql'

/** The supergraph with every default as the value that its text means. */
export function withParsedDefaults(supergraph: DocumentNode): DocumentNode {
  return visit(supergraph, {
    InputValueDefinition({ defaultValue, ...node }) {
      if (defaultValue?.kind !== 'EnumValue') return undefined
      return { ...node, defaultValue: parseConstValue(defaultValue.value) }
    },
  })
}
