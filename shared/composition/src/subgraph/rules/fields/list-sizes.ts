/**
 * Rule: `@listSize` names arguments and fields that tell sizes of lists.
 *
 * https://ibm.github.io/graphql-specs/cost-spec.html#sec-The-List-Size-Directive
 */
import { Kind, type ConstArgumentNode, type ConstDirectiveNode, type TypeNode } from 'graphql'
import { finding, type SubgraphFinding } from '../../../findings/finding.ts'
import type { FieldModel, SubgraphModel } from '../../../model/model.ts'
import { namedTypeOf } from '../../../model/names.ts'
import { appliedTo } from '../../../model/read-types.ts'
import { writtenName, type Rule } from '../../checked/checked-subgraph.ts'

/** Finds sizes that are none, and names of what has no size. */
export const listSizes: Rule = function* listSizes({ model, fieldsTypes }) {
  for (const type of fieldsTypes) {
    for (const field of type.fields.values()) {
      const node = appliedTo(field.applied, 'listSize')
      if (node === undefined) continue
      const coordinate = `${writtenName(type)}.${field.name}`
      const wrong = [...wrongValues(node, coordinate)]
      yield* wrong
      if (wrong.length === 0) yield* wrongNames(model, field, node, coordinate)
    }
  }
}

function* wrongValues(node: ConstDirectiveNode, field: string): Iterable<SubgraphFinding> {
  for (const given of node.arguments ?? []) {
    const [{ value }, at] = [given, [{ node: given }]]
    if (given.name.value === 'assumedSize' && value.kind !== Kind.INT)
      yield finding('LIST_SIZE_INVALID_ASSUMED_SIZE', { field }, at)
    if (given.name.value === 'slicingArguments' && namesIn(given) === null)
      yield finding('LIST_SIZE_INVALID_SLICING_ARGUMENT', { field, kind: 'no-names' }, at)
    if (given.name.value === 'sizedFields' && namesIn(given) === null)
      yield finding('LIST_SIZE_INVALID_SIZED_FIELD', { field, kind: 'no-names' }, at)
    if (given.name.value === 'requireOneSlicingArgument' && value.kind !== Kind.BOOLEAN)
      yield finding('LIST_SIZE_INVALID_REQUIRE_ONE_SLICING_ARGUMENT', { field }, at)
  }
}

/** Null if the value is no list of strings. */
function namesIn({ value }: ConstArgumentNode): readonly string[] | null {
  if (value.kind !== Kind.LIST) return null
  const names = value.values.flatMap((one) => (one.kind === Kind.STRING ? [one.value] : []))
  return names.length === value.values.length ? names : null
}

/** Reports the first thing that is wrong: a size that is none, then the sized fields, then the arguments. */
function* wrongNames(
  model: SubgraphModel,
  field: FieldModel,
  node: ConstDirectiveNode,
  coordinate: string,
): Iterable<SubgraphFinding> {
  const given = new Map((node.arguments ?? []).map((one) => [one.name.value, one]))
  const size = given.get('assumedSize')?.value
  if (size?.kind === Kind.INT && Number(size.value) < 0) {
    yield finding('LIST_SIZE_INVALID_ASSUMED_SIZE', { field: coordinate }, [{ node }])
    return
  }
  const sized = given.get('sizedFields')
  const names = sized === undefined ? [] : (namesIn(sized) ?? [])
  const ofFields = [...wrongSizedFields(model, field, names, { node, coordinate })]
  yield* ofFields
  const slicing = given.get('slicingArguments')
  if (ofFields.length > 0 || slicing === undefined) return
  for (const argument of namesIn(slicing) ?? []) {
    const defined = field.arguments.get(argument)
    if (defined !== undefined && (defined.type === 'Int' || defined.type === 'Int!')) continue
    const kind = defined === undefined ? 'unknown-argument' : 'no-number'
    yield finding('LIST_SIZE_INVALID_SLICING_ARGUMENT', { field: coordinate, kind, argument }, [{ node }])
  }
}

function* wrongSizedFields(
  model: SubgraphModel,
  field: FieldModel,
  names: readonly string[],
  { node, coordinate }: { readonly node: ConstDirectiveNode; readonly coordinate: string },
): Iterable<SubgraphFinding> {
  const at = [{ node }]
  if (names.length === 0) {
    if (!isList(field.node.type))
      yield finding('LIST_SIZE_INVALID_SIZED_FIELD', { field: coordinate, kind: 'no-list' }, at)
    return
  }
  const type = model.types.get(namedTypeOf(field.type))
  if (type?.kind !== 'object' && type?.kind !== 'interface') {
    yield finding('LIST_SIZE_INVALID_SIZED_FIELD', { field: coordinate, kind: 'no-object' }, at)
    return
  }
  for (const sized of names) {
    const found = type.fields.get(sized)
    if (found === undefined)
      yield finding('LIST_SIZE_INVALID_SIZED_FIELD', { field: coordinate, kind: 'unknown-field', sized }, at)
    else if (!isList(found.node.type))
      yield finding('LIST_SIZE_APPLIED_TO_NON_LIST', { field: coordinate, sized }, at)
  }
}

function isList(type: TypeNode): boolean {
  return type.kind === Kind.LIST_TYPE || (type.kind === Kind.NON_NULL_TYPE && isList(type.type))
}
