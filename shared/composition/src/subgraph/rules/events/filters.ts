/** Checks `@openfed__subscriptionFilter`. */
import type { ConstDirectiveNode } from 'graphql'
import { SUBSCRIPTION_FILTER } from '../../../events/event-directives.ts'
import { filterProblems } from '../../../events/event-filter.ts'
import { finding, type SubgraphFinding } from '../../../findings/finding.ts'
import type { FieldModel } from '../../../model/model.ts'
import { namedTypeOf } from '../../../model/names.ts'
import type { CheckedSubgraph } from '../../checked/checked-subgraph.ts'
import { argumentAt } from './subjects.ts'

/** Finds what is wrong with the condition. */
export function* filterFindings(
  subgraph: CheckedSubgraph,
  model: FieldModel,
  node: ConstDirectiveNode,
  field: string,
): Iterable<SubgraphFinding> {
  const on = { directive: SUBSCRIPTION_FILTER, field }
  for (const one of node.arguments ?? [])
    if (one.name.value !== 'condition')
      yield finding(
        'EVENT_DIRECTIVE_INVALID',
        { kind: 'unknown-argument', ...on, argument: one.name.value },
        [{ node: one }],
      )
  const condition = node.arguments?.find(({ name }) => name.value === 'condition')?.value
  if (condition === undefined) {
    yield finding('EVENT_DIRECTIVE_INVALID', { kind: 'missing-argument', ...on, argument: 'condition' }, [
      { node },
    ])
    return
  }
  const scope = {
    hasLeaf: (path: readonly string[]) => hasLeaf(subgraph, model, path),
    hasArgument: (path: readonly string[]) => argumentAt(subgraph.model, model, path)?.isLeaf === true,
  }
  for (const { kind, text, node: at } of filterProblems(condition, scope))
    yield finding('EVENT_FILTER_INVALID', { field, kind, text }, [{ node: at }])
}

/** True for a scalar or an enum in the events, or a list of them. */
function hasLeaf({ model }: CheckedSubgraph, field: FieldModel, path: readonly string[]): boolean {
  let { type } = field
  for (const name of path) {
    const owner = model.types.get(namedTypeOf(type))
    const found = owner?.kind === 'object' || owner?.kind === 'interface' ? owner.fields.get(name) : undefined
    // An object in a list has no path of its own.
    if (found === undefined || type.includes('[')) return false
    type = found.type
  }
  const kind = model.types.get(namedTypeOf(type))?.kind
  return kind === undefined || kind === 'scalar' || kind === 'enum'
}
