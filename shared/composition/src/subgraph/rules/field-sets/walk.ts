/** Walks the selections of `@key`, `@requires` and `@provides`. */
import { Kind } from 'graphql'
import type { ASTNode, DirectiveNode, FieldNode, InlineFragmentNode, SelectionSetNode } from 'graphql'
import { namedTypeOf } from '../../../model/names.ts'
import type { FieldModel, FieldsType, SubgraphModel } from '../../../model/model.ts'
import { kindOf, writtenName, type CheckedSubgraph } from '../../checked/checked-subgraph.ts'

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

type EntersInto = (selected: Selected, of: 'interface' | 'union' | 'object') => boolean

/**
 * The fields of a selection on a type, each with its type, and no `__typename`. `entersInto` tells whether
 * the walk goes on below a field. A selection below a union is applied to each member, but each selection to
 * each type once: unions in unions would otherwise multiply.
 */
export function walkSelection(
  model: SubgraphModel,
  set: SelectionSetNode,
  type: FieldsType,
  entersInto: EntersInto,
): readonly Selected[] {
  return walkSelections(model, set, [type], entersInto)
}

/** The same for a selection that is applied to several types, such as the members of a union. */
export function walkSelections(
  model: SubgraphModel,
  set: SelectionSetNode,
  types: readonly FieldsType[],
  entersInto: EntersInto,
): readonly Selected[] {
  const found: Selected[] = []
  const seen = new Map<SelectionSetNode, Set<FieldsType>>()
  // A list of its own instead of recursion: selections of strangers may be nested deeply.
  const left: Level[] = []
  const enter = (levels: readonly Level[]) => {
    for (const level of levels.toReversed()) {
      const known = seen.get(level.set)
      if (known?.has(level.type) === true) continue
      if (known === undefined) seen.set(level.set, new Set([level.type]))
      else known.add(level.type)
      left.push(level)
    }
  }
  enter(types.map((type) => ({ set, type, isOutermost: true, isInFragment: false })))
  const walk: Walk = { found, fragments: new Set(), below: new Map(), entersInto }
  for (let level = left.pop(); level !== undefined; level = left.pop()) enter(walkLevel(model, level, walk))
  return found
}

type Walk = {
  readonly found: Selected[]
  /** Selections whose fragments with a type were entered: they are the same for all types around. */
  readonly fragments: Set<SelectionSetNode>
  /** The types, unions as well, that a selection below a field was applied to. */
  readonly below: Map<SelectionSetNode, Set<string>>
  readonly entersInto: EntersInto
}

function walkLevel(
  model: SubgraphModel,
  level: Level,
  { found, fragments, below, entersInto }: Walk,
): readonly Level[] {
  const inner: Level[] = []
  const isFirst = !fragments.has(level.set)
  fragments.add(level.set)
  for (const node of level.set.selections) {
    if (node.kind === Kind.INLINE_FRAGMENT) {
      const fragment = fragmentLevel(model, level, node)
      if (fragment !== null && (isFirst || fragment.type === level.type)) inner.push(fragment)
    }
    if (node.kind !== Kind.FIELD || node.name.value === '__typename') continue
    const { type, isOutermost, isInFragment } = level
    const field = type.fields.get(node.name.value) ?? null
    const selected = { type, field, node, isOutermost, isInFragment }
    found.push(selected)
    if (field === null || node.selectionSet === undefined) continue
    const returned = returnedBefore(below, node.selectionSet)
    const named = namedTypeOf(field.type)
    if (returned.has(named)) continue
    for (const type of typesBelow(model, field, (of) => entersInto(selected, of))) {
      inner.push({ set: node.selectionSet, type, isOutermost: false, isInFragment })
      returned.add(named)
    }
  }
  return inner
}

/**
 * A fragment without a type, or on the type itself, is part of the selection around it. One on a union is for
 * its members.
 */
function fragmentLevel(
  model: SubgraphModel,
  level: Level,
  { typeCondition, selectionSet: set }: InlineFragmentNode,
): Level | null {
  const isPart = typeCondition === undefined || typeCondition.name.value === writtenName(level.type)
  if (isPart) return { ...level, set }
  const found = model.types.get(typeCondition.name.value)
  const isMember = found?.kind === 'union' && found.members.has(level.type.name)
  const type = isMember ? level.type : found
  if (type?.kind !== 'object' && type?.kind !== 'interface') return null
  return { set, type, isOutermost: false, isInFragment: true }
}

function returnedBefore(below: Walk['below'], set: SelectionSetNode): Set<string> {
  let found = below.get(set)
  if (found === undefined) {
    found = new Set()
    below.set(set, found)
  }
  return found
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

/** True if something is selected below a field of a scalar or enum type. */
export function isBelowLeaf(subgraph: CheckedSubgraph, field: FieldModel, node: FieldNode): boolean {
  if (node.selectionSet === undefined) return false
  const kind = kindOf(subgraph, namedTypeOf(field.type))
  return kind === 'scalar' || kind === 'enum'
}

/** True if nothing is selected below a field that returns objects. */
export function isWithoutSelection(model: SubgraphModel, field: FieldModel, node: FieldNode): boolean {
  return node.selectionSet === undefined && objectsOf(model, field).length > 0
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
