/**
 * Hint: subgraphs describe a type or a field differently. Clients see one of the texts, and no author has
 * decided which one.
 */
import type { StringValueNode } from 'graphql'
import { graphFinding, type Finding } from '../findings/finding.ts'
import type { Declared } from '../graph/declared.ts'
import type { TypeModel } from '../model/model.ts'
import type { SharedDefinition } from './shared-definitions.ts'

/** A description; none where the subgraph has none. */
type DescriptionIn = { readonly subgraph: number; readonly node: StringValueNode | undefined }

/** Finds a type and fields of it whose descriptions differ. */
export function* descriptions({ name, declarations, fields }: SharedDefinition): Iterable<Finding> {
  yield* describedDifferently(name, declarations.map(descriptionOfType))
  for (const [field, found] of fields)
    yield* describedDifferently(
      `${name}.${field}`,
      found.map(({ at, model }) => ({ subgraph: at, node: model.node.description })),
    )
}

/** The first description that a part of the type has. */
function descriptionOfType({ at, model }: Declared<TypeModel>): DescriptionIn {
  for (const part of model.parts)
    if ('description' in part && part.description !== undefined)
      return { subgraph: at, node: part.description }
  return { subgraph: at, node: undefined }
}

function* describedDifferently(coordinate: string, found: readonly DescriptionIn[]): Iterable<Finding> {
  const texts = new Set(found.map(({ node }) => node?.value.trim() ?? '').filter((text) => text !== ''))
  if (texts.size < 2) return
  const at = found.flatMap(({ subgraph, node }) => (node === undefined ? [] : [{ subgraph, node }]))
  yield graphFinding('INCONSISTENT_DESCRIPTION', { coordinate }, at)
}
