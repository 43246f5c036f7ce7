/** Rule: a requirement selects fields of the type that other subgraphs resolve. */
import type { ConstDirectiveNode } from 'graphql'
import { finding, type SubgraphFinding } from '../../../findings/finding.ts'
import type { FieldModel, FieldsType } from '../../../model/model.ts'
import { namedTypeOf } from '../../../model/names.ts'
import { appliedTo } from '../../../model/read-types.ts'
import { kindOf, writtenName, type CheckedSubgraph, type Rule } from '../../checked/checked-subgraph.ts'
import { readApplication, within } from './read-application.ts'
import { isBelowLeaf, walkSelection } from './walk.ts'

/** Finds requirements that nobody can fulfil, or that need no other subgraph. */
export const requirements: Rule = function* requirements(subgraph) {
  for (const type of subgraph.fieldsTypes)
    for (const field of type.fields.values()) {
      // Further applications are reported as repeated.
      const node = appliedTo(field.applied, 'requires')
      if (node !== undefined) yield* checkRequirement(subgraph, type, field, node)
    }
}

function* checkRequirement(
  subgraph: CheckedSubgraph,
  type: FieldsType,
  field: FieldModel,
  node: ConstDirectiveNode,
): Iterable<SubgraphFinding> {
  const { model } = subgraph
  const on = `${writtenName(type)}.${field.name}`
  if (type.kind === 'interface') {
    yield finding('REQUIRES_UNSUPPORTED_ON_INTERFACE', { on }, [{ node }])
    return
  }
  const application = { directive: 'requires', node, on, selection: field.requires } as const
  const selection = yield* readApplication(model, application)
  if (selection === null) return
  for (const selected of walkSelection(model, selection.set, type, () => true)) {
    const at = [within(selection, selected.node.name)]
    const name = selected.node.name.value
    if (selected.field === null) {
      const problem = { kind: 'unknown-field', type: writtenName(selected.type), field: name } as const
      yield finding('REQUIRES_INVALID_FIELDS', { on, problem }, at)
    } else if (isBelowLeaf(subgraph, selected.field, selected.node)) {
      const problem = { kind: 'below-leaf', type: writtenName(selected.type), field: name } as const
      yield finding('REQUIRES_INVALID_FIELDS', { on, problem }, at)
    } else if (model.minor !== null && selected.isOutermost && isOwnLeaf(subgraph, selected.field))
      yield finding(
        'REQUIRES_FIELDS_MISSING_EXTERNAL',
        { on, field: `${writtenName(selected.type)}.${name}` },
        at,
      )
  }
}

/** Objects may be resolved here in part, so only leaves tell who resolves them. */
export function isOwnLeaf(subgraph: CheckedSubgraph, field: FieldModel): boolean {
  const kind = kindOf(subgraph, namedTypeOf(field.type))
  return !field.isExternal && (kind === 'scalar' || kind === 'enum')
}
