/** How a subgraph's own definition of a federation directive differs from that of the specification. */
import { Kind, print, type DirectiveDefinitionNode, type InputValueDefinitionNode } from 'graphql'
import type { DefinitionProblem } from '../../catalogue/links.ts'
import { namedTypeOf, type Names } from '../../model/names.ts'

/** The first difference that counts; null if there is none. A definition may leave out what is optional. */
export function definitionProblem(
  own: DirectiveDefinitionNode,
  specified: DirectiveDefinitionNode,
  names: Names,
): DefinitionProblem | null {
  const given = new Map((own.arguments ?? []).map((one) => [one.name.value, one]))
  for (const expected of specified.arguments ?? []) {
    const problem = argumentProblem(given.get(expected.name.value), expected, names)
    if (problem !== null) return problem
  }
  const expected = specified.locations.map(({ value }) => value)
  const isSomewhere = own.locations.some(({ value }) => expected.includes(value))
  return isSomewhere ? null : { kind: 'locations', expected }
}

function argumentProblem(
  own: InputValueDefinitionNode | undefined,
  specified: InputValueDefinitionNode,
  names: Names,
): DefinitionProblem | null {
  const argument = specified.name.value
  if (own === undefined)
    return specified.type.kind === Kind.NON_NULL_TYPE ? { kind: 'missing-argument', argument } : null
  const expected = print(specified.type)
  if (namedTypeOf(expected) === 'FieldSet' && !isFieldSet(print(own.type), names))
    return { kind: 'argument-type', argument, expected }
  const value = specified.defaultValue
  if (value?.kind !== Kind.BOOLEAN) return null
  const isSame = own.defaultValue?.kind === Kind.BOOLEAN && own.defaultValue.value === value.value
  return isSame ? null : { kind: 'default', argument, expected: String(value.value) }
}

/** A selection may be declared as a string, and in Federation 1 as a list or without `!`. */
function isFieldSet(type: string, { link }: Names): boolean {
  const isNullable = link === null && type === 'String'
  if (isNullable || !type.endsWith('!')) return isNullable
  const named = namedTypeOf(type)
  if (named === 'String' || named === '_FieldSet') return true
  if (link === null) return false
  const names = ['FieldSet', 'federation__FieldSet', `${link.namespace}__FieldSet`]
  return names.includes(named) || link.imports.get(named) === 'FieldSet'
}
