/**
 * Rule: a type has the fields of its interfaces, and what clients see of it implements what they see of its
 * interfaces. Fields that clients do not see count as well: routers read the supergraph as a schema, and many
 * refuse one that is none.
 *
 * https://spec.graphql.org/draft/#IsValidImplementation()
 */
import { graphFinding, type Finding } from '../../../findings/finding.ts'
import type { MergedField } from '../../merged.ts'
import { isNarrower } from '../../../graph/type-texts.ts'
import {
  isHidden,
  isChecked,
  type CheckedFieldsType,
  type CheckedGraph,
  type TypeRule,
} from '../../checked/checked-graph.ts'
import { isOfInterfaceObjects } from '../../checked/interface-objects.ts'
import { firstNameOf, nameOf, namesOf, typeOf } from '../../checked/places.ts'
import { checkArguments, type ImplementingField } from './implemented-arguments.ts'

/** Finds types that lack a part of an interface, or have it otherwise, after subgraphs were merged. */
export const implementations: TypeRule = function* implementations(type, graph) {
  if (!isChecked(type) || type.merged.interfaces.length === 0) return
  const own = new Map(type.merged.fields.map((field) => [field.name, field]))
  const names = new Set(type.merged.interfaces)
  for (const name of names) {
    const implemented = graph.interface(name)
    if (implemented === null) continue
    const isVisible = !isHidden(type.merged) && !isHidden(implemented.merged)
    if (isVisible) yield* missingInterfaces(type, implemented, names, graph)
    yield* checkFields(graph, { type, own, implemented, isVisible })
  }
}

function* missingInterfaces(
  type: CheckedFieldsType,
  implemented: CheckedFieldsType,
  names: ReadonlySet<string>,
  graph: CheckedGraph,
): Iterable<Finding> {
  const places = () => [type, implemented].flatMap((one) => one.declarations.flatMap((part) => namesOf(part)))
  const facts = { type: type.name, implemented: implemented.name }
  for (const missing of implemented.merged.interfaces) {
    const found = graph.interface(missing)
    if (missing === type.name)
      yield graphFinding('INVALID_GRAPHQL', { kind: 'implements-itself', ...facts }, places())
    else if (!names.has(missing) && found !== null && !isHidden(found.merged))
      yield graphFinding('INVALID_GRAPHQL', { kind: 'missing-interface', ...facts, missing }, places())
  }
}

type Pair = {
  readonly type: CheckedFieldsType
  readonly own: ReadonlyMap<string, MergedField>
  readonly implemented: CheckedFieldsType
  /** Whether clients see both. */
  readonly isVisible: boolean
}

function* checkFields(graph: CheckedGraph, { type, own, implemented, isVisible }: Pair): Iterable<Finding> {
  for (const expected of implemented.merged.fields) {
    const declared = implemented.fields.get(expected.name)
    const field = own.get(expected.name)
    if (field === undefined) {
      // Another rule tells it of an interface, whatever fields it has.
      if (type.kind === 'interface' && declared !== undefined && isOfInterfaceObjects(declared)) continue
      const facts = { kind: 'field', type: type.name, field: `${implemented.name}.${expected.name}` } as const
      const lacking = type.declarations.filter(({ model }) => model.interfaces.has(implemented.name))
      yield graphFinding('INTERFACE_FIELD_NO_IMPLEM', facts, [
        ...(declared?.declarations ?? []).map((one) => nameOf(one, { kind: 'declared' })),
        ...lacking.flatMap((one) => firstNameOf(one, { kind: 'no-field', field: expected.name })),
      ])
    } else {
      const pair = {
        field,
        expected,
        coordinate: `${type.name}.${field.name}`,
        implemented: `${implemented.name}.${field.name}`,
        declared: type.fields.get(field.name)?.declarations ?? [],
        expectedDeclared: declared?.declarations ?? [],
      }
      yield* checkType(graph, pair)
      if (isVisible && !isHidden(expected) && !isHidden(field)) yield* checkArguments(pair)
    }
  }
}

function* checkType({ facts }: CheckedGraph, pair: ImplementingField): Iterable<Finding> {
  const { field, expected, coordinate, implemented, declared, expectedDeclared } = pair
  if (isNarrower(field.type, expected.type, facts.subtypes)) return
  yield graphFinding(
    'INVALID_GRAPHQL',
    { kind: 'field-of-other-type', coordinate, type: field.type, implemented, expected: expected.type },
    [...expectedDeclared, ...declared].map((one) => typeOf(one, one.model.isExternal)),
  )
}
