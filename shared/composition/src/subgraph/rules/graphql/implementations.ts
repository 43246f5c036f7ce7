/**
 * Rule: types implement the interfaces that they name.
 *
 * https://spec.graphql.org/draft/#IsValidImplementation()
 */
import { Kind, print, type NamedTypeNode, type TypeNode } from 'graphql'
import { finding, type Place, type SubgraphFinding } from '../../../findings/finding.ts'
import type { FieldModel, FieldsType } from '../../../model/model.ts'
import { isKnownType, writtenName, type CheckedSubgraph, type Rule } from '../../checked/checked-subgraph.ts'

/** Findings of the rule in one subgraph. Their number can be the product of types and fields. */
const MOST_FINDINGS = 10_000

/** Finds what types lack of their interfaces. */
export const implementations: Rule = function* implementations(subgraph) {
  let left = MOST_FINDINGS
  for (const type of subgraph.fieldsTypes)
    for (const node of implementedBy(type))
      for (const one of checkOne(subgraph, type, node)) {
        yield one
        left -= 1
        if (left === 0) return
      }
}

function implementedBy({ parts }: FieldsType): readonly NamedTypeNode[] {
  const nodes = parts.flatMap((part) => ('interfaces' in part ? (part.interfaces ?? []) : []))
  return [...new Map(nodes.map((node) => [node.name.value, node])).values()]
}

function* checkOne(
  subgraph: CheckedSubgraph,
  type: FieldsType,
  node: NamedTypeNode,
): Iterable<SubgraphFinding> {
  const [name, implemented] = [writtenName(type), node.name.value]
  const found = subgraph.model.types.get(subgraph.names.type(implemented))
  const facts = { type: name, implemented }
  if (found === undefined) {
    // The standard scalars are types without a definition.
    if (!isKnownType(subgraph, implemented)) return
    yield finding('INVALID_GRAPHQL', { kind: 'no-interface', ...facts }, [{ node }])
  } else if (found.kind !== 'interface')
    yield finding('INVALID_GRAPHQL', { kind: 'no-interface', ...facts }, [{ node }])
  else if (found === type || found.interfaces.has(name))
    yield finding('INVALID_GRAPHQL', { kind: 'implements-itself', ...facts }, [{ node }])
  else {
    for (const missing of found.interfaces)
      if (!type.interfaces.has(missing) && isKnownType(subgraph, missing))
        yield finding('INVALID_GRAPHQL', { kind: 'missing-interface', ...facts, missing }, [{ node }])
    yield* missingFields(subgraph, type, found)
  }
}

function* missingFields(
  subgraph: CheckedSubgraph,
  type: FieldsType,
  implemented: FieldsType,
): Iterable<SubgraphFinding> {
  const [first] = type.parts
  for (const expected of implemented.fields.values()) {
    const { name: field } = expected
    const own = type.fields.get(field)
    if (own !== undefined) {
      const coordinates = [`${writtenName(type)}.${field}`, `${writtenName(implemented)}.${field}`] as const
      yield* checkField(subgraph, own, expected, coordinates)
    } else if (first !== undefined)
      yield finding(
        'INVALID_GRAPHQL',
        { kind: 'missing-field', type: writtenName(type), implemented: writtenName(implemented), field },
        [
          { node: first.name, label: { kind: 'no-field', field } },
          { node: expected.node.name, label: { kind: 'declared' } },
        ],
      )
  }
}

function* checkField(
  subgraph: CheckedSubgraph,
  own: FieldModel,
  expected: FieldModel,
  [coordinate, implemented]: readonly [own: string, implemented: string],
): Iterable<SubgraphFinding> {
  if (own.type !== expected.type && !isSubtype(subgraph, own.node.type, expected.node.type))
    yield finding(
      'INVALID_GRAPHQL',
      {
        kind: 'field-of-other-type',
        coordinate,
        type: print(own.node.type),
        implemented,
        expected: print(expected.node.type),
      },
      [typePlace(own.node.type, own.isExternal), typePlace(expected.node.type, expected.isExternal)],
    )
  for (const { name: argument, node, type } of expected.arguments.values()) {
    const found = own.arguments.get(argument)
    const given = found?.node
    if (given === undefined)
      yield finding(
        'INVALID_GRAPHQL',
        { kind: 'missing-argument-of-interface', coordinate, implemented, argument },
        [
          { node: own.node.name, label: { kind: 'no-argument', argument } },
          { node: node.name, label: { kind: 'declared' } },
        ],
      )
    else if (found?.type !== type)
      yield finding(
        'INVALID_GRAPHQL',
        {
          kind: 'argument-of-other-type',
          coordinate: `${coordinate}(${argument}:)`,
          type: print(given.type),
          implemented: `${implemented}(${argument}:)`,
          expected: print(node.type),
        },
        [typePlace(given.type, own.isExternal), typePlace(node.type, expected.isExternal)],
      )
  }
  yield* additionalArguments(own, expected, [coordinate, implemented])
}

function* additionalArguments(
  own: FieldModel,
  expected: FieldModel,
  [coordinate, implemented]: readonly [own: string, implemented: string],
): Iterable<SubgraphFinding> {
  for (const { name: argument, node, defaultValue } of own.arguments.values()) {
    const isRequired = node.type.kind === Kind.NON_NULL_TYPE && defaultValue === null
    if (!isRequired || expected.arguments.has(argument)) continue
    yield finding(
      'INVALID_GRAPHQL',
      { kind: 'additional-required-argument', coordinate: `${coordinate}(${argument}:)`, implemented },
      [
        { node: node.name, label: { kind: 'required' } },
        { node: expected.node.name, label: { kind: 'no-argument', argument } },
      ],
    )
  }
}

function typePlace(node: TypeNode, isExternal: boolean): Place {
  return { node, label: { kind: 'type', type: print(node), isExternal } }
}

/** Unknown types are reported elsewhere, and count as whatever is expected. */
function isSubtype(subgraph: CheckedSubgraph, own: TypeNode, expected: TypeNode): boolean {
  let [type, than] = [own, expected]
  while (type.kind !== Kind.NAMED_TYPE || than.kind !== Kind.NAMED_TYPE) {
    if (than.kind === Kind.NON_NULL_TYPE) {
      if (type.kind !== Kind.NON_NULL_TYPE) return false
      ;[type, than] = [type.type, than.type]
    } else if (type.kind === Kind.NON_NULL_TYPE) type = type.type
    else if (type.kind === Kind.LIST_TYPE && than.kind === Kind.LIST_TYPE)
      [type, than] = [type.type, than.type]
    else return false
  }
  return isNamedSubtype(subgraph, type.name.value, than.name.value)
}

function isNamedSubtype(subgraph: CheckedSubgraph, own: string, expected: string): boolean {
  if (own === expected || !isKnownType(subgraph, own) || !isKnownType(subgraph, expected)) return true
  const { model, names } = subgraph
  const than = model.types.get(names.type(expected))
  const type = model.types.get(names.type(own))
  if (than?.kind === 'union') return than.members.has(names.type(own))
  if (than?.kind !== 'interface' || type === undefined) return false
  return (type.kind === 'object' || type.kind === 'interface') && type.interfaces.has(expected)
}
