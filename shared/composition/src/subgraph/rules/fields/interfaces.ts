/** Rule: what is said of fields and of who may see them is said of object types, and not of interfaces. */
import type { ConstDirectiveNode } from 'graphql'
import { AUTHORIZATION_DIRECTIVES } from '../../../directives/unsupported-directives.ts'
import { finding, type SubgraphFinding } from '../../../findings/finding.ts'
import type { Applied, FieldModel, FieldsType } from '../../../model/model.ts'
import { appliedTo } from '../../../model/read-types.ts'
import { writtenName, type Rule } from '../../checked/checked-subgraph.ts'

/** Finds such directives on interfaces and their fields, and interface objects without a key. */
export const interfaces: Rule = function* interfaces({ fieldsTypes }) {
  for (const type of fieldsTypes) {
    const coordinate = writtenName(type)
    if (type.kind === 'interface' || type.isInterfaceObject) yield* authorization(type.applied, coordinate)
    if (type.kind === 'interface')
      for (const field of type.fields.values()) yield* ofInterface(field, `${coordinate}.${field.name}`)
    const node = appliedTo(type.applied, 'interfaceObject')
    if (type.kind === 'object' && node !== undefined && !hasKey(type))
      yield finding('INTERFACE_OBJECT_USAGE_ERROR', { kind: 'no-key', type: coordinate }, [{ node }])
  }
}

/** A key that cannot be read is one as well. */
function hasKey({ applied }: FieldsType): boolean {
  return appliedTo(applied, 'key') !== undefined
}

function* authorization(applied: readonly Applied[], coordinate: string): Iterable<SubgraphFinding> {
  for (const { name, isComposed, node } of applied)
    if (!isComposed && AUTHORIZATION_DIRECTIVES.has(name))
      yield finding('AUTH_REQUIREMENTS_APPLIED_ON_INTERFACE', { coordinate, directive: name }, [{ node }])
}

function* ofInterface(field: FieldModel, coordinate: string): Iterable<SubgraphFinding> {
  yield* authorization(field.applied, coordinate)
  const shareable = appliedTo(field.applied, 'shareable')
  if (shareable !== undefined)
    yield finding('INVALID_SHAREABLE_USAGE', { field: coordinate }, [{ node: shareable }])
  yield* cost(appliedTo(field.applied, 'cost'), coordinate)
  for (const { name, applied } of field.arguments.values())
    yield* cost(appliedTo(applied, 'cost'), `${coordinate}(${name}:)`)
}

function* cost(node: ConstDirectiveNode | undefined, coordinate: string): Iterable<SubgraphFinding> {
  if (node !== undefined) yield finding('COST_APPLIED_TO_INTERFACE_FIELD', { coordinate }, [{ node }])
}
