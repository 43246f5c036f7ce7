/** Rule: a provision selects fields below the field that other subgraphs resolve elsewhere. */
import type { ConstDirectiveNode } from 'graphql'
import { finding, type SubgraphFinding } from '../../../findings/finding.ts'
import type { FieldModel, FieldSelection, FieldsType } from '../../../model/model.ts'
import { namedTypeOf } from '../../../model/names.ts'
import { appliedTo } from '../../../model/read-types.ts'
import { writtenName, type CheckedSubgraph, type Rule } from '../../checked/checked-subgraph.ts'
import { readApplication, within } from './read-application.ts'
import { isOwnLeaf } from './requirements.ts'
import {
  isBelowLeaf,
  isWithoutSelection,
  objectsOf,
  type Selected,
  walkSelection,
  walkSelections,
} from './walk.ts'

/** Finds provisions of what does not exist, or of what is provided anyway. */
export const provisions: Rule = function* provisions(subgraph) {
  for (const type of subgraph.fieldsTypes)
    for (const field of type.fields.values()) {
      // Further applications are reported as repeated.
      const node = appliedTo(field.applied, 'provides')
      if (node !== undefined) yield* checkProvision(subgraph, type, field, node)
    }
}

function* checkProvision(
  subgraph: CheckedSubgraph,
  type: FieldsType,
  field: FieldModel,
  node: ConstDirectiveNode,
): Iterable<SubgraphFinding> {
  const { model } = subgraph
  const on = `${writtenName(type)}.${field.name}`
  const targets = objectsOf(model, field)
  if (targets.length === 0) {
    yield finding('PROVIDES_ON_NON_OBJECT_FIELD', { on, type: namedTypeOf(field.type) }, [{ node }])
    return
  }
  if (type.kind === 'interface') {
    yield finding('PROVIDES_UNSUPPORTED_ON_INTERFACE', { on }, [{ node }])
    return
  }
  const application = { directive: 'provides', node, on, selection: field.provides } as const
  const selection = yield* readApplication(model, application)
  const isOfUnion = model.types.get(namedTypeOf(field.type))?.kind === 'union'
  if (selection !== null) yield* fieldsOfProvision(subgraph, { on, targets, isOfUnion }, selection)
}

type Provision = {
  readonly on: string
  readonly targets: readonly FieldsType[]
  /** Below a union, a fragment on a member is no part of the selection around it. */
  readonly isOfUnion: boolean
}

function* fieldsOfProvision(
  subgraph: CheckedSubgraph,
  { on, targets, isOfUnion }: Provision,
  selection: FieldSelection,
): Iterable<SubgraphFinding> {
  const { model } = subgraph
  const all = walkSelections(model, selection.set, targets, ({ field }) => field?.arguments.size === 0)
  const isOutermost = (selected: Selected) =>
    isOfUnion ? selection.set.selections.includes(selected.node) : selected.isOutermost
  for (const selected of all) {
    const at = [within(selection, selected.node.name)]
    const name = selected.node.name.value
    const type = writtenName(selected.type)
    if (selected.field === null)
      yield finding(
        'PROVIDES_INVALID_FIELDS',
        { on, problem: { kind: 'unknown-field', type, field: name } },
        at,
      )
    else if (selected.field.arguments.size > 0)
      yield finding('PROVIDES_FIELDS_HAS_ARGS', { on, field: `${type}.${name}` }, at)
    else if (isOutermost(selected) && isProvidedAnyway(subgraph, selected, selected.field))
      yield finding('PROVIDES_FIELDS_MISSING_EXTERNAL', { on, field: `${type}.${name}` }, at)
    else if (isBelowLeaf(subgraph, selected.field, selected.node))
      yield finding('PROVIDES_INVALID_FIELDS', { on, problem: { kind: 'below-leaf', type, field: name } }, at)
    else if (!selected.isInFragment && isWithoutSelection(model, selected.field, selected.node))
      yield finding(
        'PROVIDES_INVALID_FIELDS',
        { on, problem: { kind: 'no-subselection', type, field: name } },
        at,
      )
  }
}

/** A key field of an extension is resolved by whoever extends, although it may be marked as external. */
function isProvidedAnyway(
  subgraph: CheckedSubgraph,
  { type, isOutermost }: Selected,
  field: FieldModel,
): boolean {
  if (subgraph.model.minor === null || !isOutermost) return false
  if (isOwnLeaf(subgraph, field)) return true
  return field.isExternal && isKeyOfExtension(subgraph, type, field)
}

function isKeyOfExtension({ model }: CheckedSubgraph, type: FieldsType, field: FieldModel): boolean {
  if (type.kind !== 'object' || !type.isExtension) return false
  return type.keys.some(({ fields }) =>
    walkSelection(model, fields.set, type, () => true).some(
      (selected) => selected.type === type && selected.field === field,
    ),
  )
}
