/** Walks the selections of `@key`, `@requires` and `@provides`. */
import { Kind, type ASTNode, type DirectiveNode, type FieldNode, type SelectionSetNode } from 'graphql'
import { namedTypeOf } from '../../../model/names.ts'
import type { FieldModel, FieldsType, SubgraphModel } from '../../../model/model.ts'

/** A field that a selection names, on one of the types that the selection is applied to. */
export type Selected = {
  readonly type: FieldsType
  /** Null if the type does not have the field. */
  readonly field: FieldModel | null
  readonly node: FieldNode
  /** True for fields of the outermost selection, outside of fragments. */
  readonly isOutermost: boolean
  readonly isInFragment: boolean
}

type Level = {
  readonly set: SelectionSetNode
  readonly type: FieldsType
  readonly isOutermost: boolean
  readonly isInFragment: boolean
}

/**
 * The fields of a selection on a type, each with its type, and no `__typename`. `entersInto` tells whether
 * the walk goes on below a field. A selection below a union is applied to each member, but each selection to
 * each type once: unions in unions would otherwise multiply.
 */
export function walkSelection(
  model: SubgraphModel,
  set: SelectionSetNode,
  type: FieldsType,
  entersInto: (selected: Selected, of: 'interface' | 'union' | 'object') => boolean,
): readonly Selected[] {
  const found: Selected[] = []
  const seen = new Map<SelectionSetNode, Set<FieldsType>>()
  const left: Level[] = [{ set, type, isOutermost: true, isInFragment: false }]
  // A list of its own instead of recursion: selections of strangers may be nested deeply.
  for (let level = left.pop(); level !== undefined; level = left.pop()) {
    const types = seen.get(level.set)
    if (types?.has(level.type) === true) continue
    if (types === undefined) seen.set(level.set, new Set([level.type]))
    else types.add(level.type)
    for (const inner of walkLevel(model, level, found, entersInto).toReversed()) left.push(inner)
  }
  return found
}

function walkLevel(
  model: SubgraphModel,
  level: Level,
  found: Selected[],
  entersInto: Parameters<typeof walkSelection>[3],
): readonly Level[] {
  const inner: Level[] = []
  for (const node of level.set.selections) {
    if (node.kind === Kind.INLINE_FRAGMENT) {
      const named = node.typeCondition?.name.value
      const type = named === undefined ? level.type : model.types.get(named)
      if (type?.kind === 'object' || type?.kind === 'interface')
        inner.push({ set: node.selectionSet, type, isOutermost: false, isInFragment: true })
    }
    if (node.kind !== Kind.FIELD || node.name.value === '__typename') continue
    const { type, isOutermost, isInFragment } = level
    const field = type.fields.get(node.name.value) ?? null
    const selected = { type, field, node, isOutermost, isInFragment }
    found.push(selected)
    if (field === null || node.selectionSet === undefined) continue
    for (const below of typesBelow(model, field, (of) => entersInto(selected, of)))
      inner.push({ set: node.selectionSet, type: below, isOutermost: false, isInFragment })
  }
  return inner
}

function typesBelow(
  model: SubgraphModel,
  field: FieldModel,
  entersInto: (of: 'interface' | 'union' | 'object') => boolean,
): readonly FieldsType[] {
  const kind = model.types.get(namedTypeOf(field.type))?.kind
  const isComposite = kind === 'object' || kind === 'interface' || kind === 'union'
  return isComposite && entersInto(kind) ? objectsOf(model, field) : []
}

/** The types with fields that a field returns: its type, or the members of its union. */
export function objectsOf(model: SubgraphModel, field: FieldModel): readonly FieldsType[] {
  const named = namedTypeOf(field.type)
  const type = model.types.get(named)
  return (type?.kind === 'union' ? [...type.members] : [named]).flatMap((name) => {
    const found = model.types.get(name)
    return found?.kind === 'object' || found?.kind === 'interface' ? [found] : []
  })
}

/** The directives in a selection outside of fragments, with the nodes that they stand on. */
export function directivesIn(set: SelectionSetNode): readonly DirectiveNode[] {
  const found: DirectiveNode[] = []
  const left: ASTNode[] = [set]
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (node.kind === Kind.SELECTION_SET) for (const one of node.selections.toReversed()) left.push(one)
    if (node.kind !== Kind.FIELD) continue
    if (node.name.value !== '__typename') for (const one of node.directives ?? []) found.push(one)
    if (node.selectionSet !== undefined) left.push(node.selectionSet)
  }
  return found
}
