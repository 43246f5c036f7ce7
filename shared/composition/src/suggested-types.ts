/** Suggests, for the name of a type that does not exist, the type of the subgraph that was probably meant. */
import { didYouMean } from '@switchyard/contracts/nearest-word'
import { isTypeDefinitionNode, isTypeExtensionNode, specifiedScalarTypes } from 'graphql'
import type { CompositionError } from './contract/composition-result.ts'
import type { SourceDocument } from './refusals.ts'

/** Errors that get a suggestion: each compares its name with all names of types in the subgraph. */
const MOST_SUGGESTIONS = 50
const UNKNOWN_TYPE = /^\[[^\]]*\] Unknown type (\w+)$/
const SCALARS = specifiedScalarTypes.map(({ name }) => name)

/** The errors, with `Did you mean "Product"?` after the first fifty unknown types, where a name is near. */
export function withSuggestedTypes(
  errors: readonly CompositionError[],
  sources: readonly SourceDocument[],
): readonly CompositionError[] {
  const known = new Map<string, readonly string[]>()
  let left = MOST_SUGGESTIONS
  return errors.map((error) => {
    const [, name] = UNKNOWN_TYPE.exec(error.message) ?? []
    if (name === undefined || left === 0) return error
    const source = sources.find((one) => one.name === error.subgraphs[0])
    if (source === undefined) return error
    left -= 1
    const types = known.get(source.name) ?? typesOf(source)
    known.set(source.name, types)
    const suggestion = didYouMean(name, types)
    return suggestion === '' ? error : { ...error, message: `${error.message}.${suggestion}` }
  })
}

function typesOf({ document }: SourceDocument): readonly string[] {
  const own = document.definitions.flatMap((node) =>
    isTypeDefinitionNode(node) || isTypeExtensionNode(node) ? [node.name.value] : [],
  )
  return [...new Set([...own, ...SCALARS])]
}
