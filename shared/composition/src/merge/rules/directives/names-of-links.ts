/**
 * Rule: what clients see has no type of a specification that brings a composed directive. Routers take such
 * types, which they know by the beginnings of their names, for a part of the directive.
 */
import { graphFinding } from '../../../findings/finding.ts'
import { namedTypeOf } from '../../../model/names.ts'
import { isFieldsType, prefixesOf, type MergedType } from '../../merged.ts'
import type { GraphRule } from '../../checked/checked-graph.ts'
import { namesOf } from '../../checked/places.ts'

/** Finds such types that other types refer to. */
export const namesOfLinks: GraphRule = function* namesOfLinks({ types, merged }) {
  const prefixes = prefixesOf(merged)
  if (prefixes.length === 0) return
  const isOfLink = (name: string) => prefixes.some((prefix) => name.startsWith(prefix))
  const used = new Set<string>()
  for (const type of merged.types.values())
    if (!isOfLink(type.name)) for (const name of typesIn(type)) if (isOfLink(name)) used.add(name)
  for (const name of used)
    yield graphFinding(
      'INVALID_GRAPHQL',
      { kind: 'name-of-link', name },
      types.get(name).flatMap((one) => namesOf(one)),
    )
}

/** The types that a type refers to. */
function typesIn(type: MergedType): readonly string[] {
  if (type.kind === 'union') return type.members.map(({ name }) => name)
  if (type.kind === 'input') return type.fields.map((field) => namedTypeOf(field.type))
  if (!isFieldsType(type)) return []
  const ofFields = type.fields.flatMap((field) => [field.type, ...field.arguments.map((one) => one.type)])
  return [...type.interfaces, ...ofFields.map(namedTypeOf)]
}
