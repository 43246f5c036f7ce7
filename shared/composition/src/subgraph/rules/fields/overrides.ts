/** Rule: `@override` moves a field of an object type that this subgraph resolves, under a valid label. */
import { Kind, print, type ConstDirectiveNode, type ValueNode } from 'graphql'
import { argument } from '../../../federation/federation-link.ts'
import { finding, type SubgraphFinding } from '../../../findings/finding.ts'
import type { FieldModel, SubgraphModel } from '../../../model/model.ts'
import { appliedTo } from '../../../model/read-types.ts'
import { writtenName, type Rule } from '../../checked/checked-subgraph.ts'
import { shortened } from '../../checked/values.ts'

/** The versions since which interfaces are checked, and labels exist. */
const INTERFACES_SINCE = 3
const LABELS_SINCE = 7

/** Finds overrides that cannot move their field. */
export const overrides: Rule = function* overrides(subgraph) {
  const minor = subgraph.model.minor ?? -1
  for (const type of subgraph.fieldsTypes) {
    for (const field of type.fields.values()) {
      const node = appliedTo(field.applied, 'override')
      if (node === undefined) continue
      const coordinate = `${writtenName(type)}.${field.name}`
      if (type.kind === 'interface') {
        if (minor >= INTERFACES_SINCE)
          yield finding('OVERRIDE_ON_INTERFACE', { field: coordinate }, [{ node }])
      } else yield* checkOverride(field, coordinate, node, minor)
    }
  }
}

function* checkOverride(
  { applied }: FieldModel,
  field: string,
  node: ConstDirectiveNode,
  minor: number,
): Iterable<SubgraphFinding> {
  const label = argument(node, 'label')
  if (label !== undefined && minor >= LABELS_SINCE && !isLabel(label)) {
    const text = shortened(print(label))
    yield finding('OVERRIDE_LABEL_INVALID', { field, label: text }, [{ node }])
    return
  }
  const external = appliedTo(applied, 'external')
  if (external === undefined || argument(node, 'from')?.kind !== Kind.STRING) return
  const facts = { kind: 'same-field', field, directive: external.name.value } as const
  yield finding('OVERRIDE_COLLISION_WITH_ANOTHER_DIRECTIVE', facts, [{ node }, { node: external }])
}

const NAME = /^[a-z][\w\-:./]*$/i
const PERCENT = /^percent\((?:\d{1,2}(?:\.\d{1,8})?|100(?:\.0{1,8})?)\)$/

/** A name, or a percentage from 0 to 100. */
function isLabel(label: ValueNode): boolean {
  return label.kind === Kind.STRING && (NAME.test(label.value) || PERCENT.test(label.value))
}

/**
 * Finds overrides from the subgraph itself. It is asked with the names that mean this subgraph: its own, and
 * that of the subgraph that it replaces.
 */
export function* overridesFromSelf(
  { types, minor }: SubgraphModel,
  names: ReadonlySet<string>,
): Iterable<SubgraphFinding> {
  for (const type of types.values()) {
    const isFound = type.kind === 'interface' && (minor ?? -1) >= INTERFACES_SINCE
    if ((type.kind !== 'object' && type.kind !== 'interface') || isFound) continue
    for (const { name, override } of type.fields.values()) {
      if (override === null || !names.has(override.from)) continue
      const field = `${writtenName(type)}.${name}`
      yield finding('OVERRIDE_FROM_SELF_ERROR', { field }, [{ node: override.node }])
    }
  }
}
