/** Merges the declarations of one field: its type, its arguments, and who resolves it. */
import type { FieldsType, Key } from '../model/model.ts'
import { topLevelFields } from '../model/field-sets.ts'
import type { MergeFacts } from '../graph/facts.ts'
import type { FieldDeclaration } from '../graph/declarations.ts'
import { mergeArguments } from './merge-inputs.ts'
import { mergeHead } from './merge-head.ts'
import type { FieldJoin, MergedField, MergedHead, MergedInput } from './merged.ts'
import { widest } from '../graph/type-texts.ts'

/**
 * Merges a field of a type that `declaring` subgraphs declare. Null for a field that no subgraph resolves and
 * none needs, as Federation 1 allows.
 */
export function mergeField(
  declarations: readonly FieldDeclaration[],
  declaring: number,
  facts: MergeFacts,
): MergedField | null {
  const external = new Set(
    declarations.filter((one) => isExternal(one, declarations, facts)).map(({ at }) => at),
  )
  const resolving = declarations.filter(({ at }) => !external.has(at))
  const type = typeOf(declarations, resolving, facts)
  const overriding = declarations.filter(({ model }) => model.override !== null)
  const declared = overriding.length === 0 ? NOWHERE : new Set(declarations.map(({ at }) => at))
  const joins = declarations.flatMap(
    (one) => joinOf(one, { type, external, overriding, declared, facts }) ?? [],
  )
  if (joins.length === 0) return null
  const inputs = mergeArguments(
    declarations.map(({ at, model }) => ({ at, model: model.arguments })),
    (at) => external.has(at),
    facts,
  )
  return {
    ...withKnownSlicing(headOf(declarations), inputs),
    type,
    arguments: inputs,
    joins: joins.length === everywhere(declarations, declaring, facts) && joins.every(isPlain) ? [] : joins,
    isThroughInterface: false,
  }
}

/**
 * Leaves out slicing arguments that not all subgraphs have. A rule refuses a field that has none left.
 */
function withKnownSlicing(head: MergedHead, inputs: readonly MergedInput[]): MergedHead {
  const { listSize } = head.applied
  if (listSize === null) return head
  const names = new Set(inputs.map(({ name }) => name))
  const kept = listSize.slicingArguments?.filter((one) => names.has(one)) ?? []
  if (kept.length === 0) return head
  return { ...head, applied: { ...head.applied, listSize: { ...listSize, slicingArguments: kept } } }
}

/**
 * The widest type counts. An extension of Federation 1 may declare an external field with a wider type than
 * its owner does, and that is what clients see then.
 */
function typeOf(
  declarations: readonly FieldDeclaration[],
  resolving: readonly FieldDeclaration[],
  { subgraphs, subtypes }: MergeFacts,
): string {
  const counted = resolving.length > 0 ? resolving : declarations
  const types = counted.map(({ model }) => model.type)
  const ofExtensions = declarations
    .filter(({ at, model }) => model.isExternal && subgraphs[at]?.minor === null)
    .map(({ model }) => model.type)
  const wider = ofExtensions.length === 0 ? null : widest([...types, ...ofExtensions], subtypes)
  return wider ?? widest(types, subtypes) ?? types[0] ?? ''
}

const NOWHERE: ReadonlySet<number> = new Set()

/** In how many subgraphs a field must be resolved plainly so that nothing is to be written. */
function everywhere(declarations: readonly FieldDeclaration[], declaring: number, facts: MergeFacts): number {
  return declarations[0]?.type.name === 'Query' ? facts.subgraphs.length : declaring
}

/** The description of a subgraph that has taken the field over counts before that of its source. */
function headOf(declarations: readonly FieldDeclaration[]) {
  const head = mergeHead(declarations)
  const taking = declarations.find(({ model }) => model.override !== null && !model.isShareable)
  const isEntity = declarations.some(({ type }) => type.keys.length > 0)
  return taking === undefined || !isEntity || head.description === null
    ? head
    : { ...head, description: taking.model.description }
}

/**
 * True if the subgraph does not resolve the field itself. The key fields of an extension and of an interface
 * object count as resolved, and Federation 1 lets the mark say something in extensions only.
 */
export function isExternal(
  { at, model, type }: FieldDeclaration,
  declarations: readonly FieldDeclaration[],
  { subgraphs }: MergeFacts,
): boolean {
  if (!model.isExternal) return false
  if (type.isInterfaceObject && isKeyField(type, model.name)) return false
  const isFederation1 = subgraphs[at]?.minor === null
  if (isFederation1 && (!type.isExtension || type.kind === 'interface')) return false
  if (!type.isExtension) return true
  if (isFederation1 && type.keys.length === 0) return !isFirstKeyElsewhere(at, model.name, declarations)
  return !isKeyField(type, model.name)
}

/**
 * True if the field is in the first key of another subgraph. An extension of Federation 1 without a key has
 * that of the type's owner, and nothing says who that is.
 */
function isFirstKeyElsewhere(at: number, name: string, declarations: readonly FieldDeclaration[]): boolean {
  return declarations.some(({ at: other, type: { keys } }) => {
    const [first] = keys
    return other !== at && first !== undefined && topLevelNames(first).includes(name)
  })
}

/** Part of a key at its first level. */
export function isKeyField({ keys }: FieldsType, name: string): boolean {
  return keys.some((key) => topLevelNames(key).includes(name))
}

function topLevelNames({ fields }: Key): readonly string[] {
  return topLevelFields(fields.set).map((node) => node.name.value)
}

type Merging = {
  readonly type: string
  readonly external: ReadonlySet<number>
  /** The declarations with `@override`. */
  readonly overriding: readonly FieldDeclaration[]
  /** The subgraphs that have the field. */
  readonly declared: ReadonlySet<number>
  readonly facts: MergeFacts
}

function joinOf(
  one: FieldDeclaration,
  { type, external, overriding, declared, facts }: Merging,
): FieldJoin | null {
  const { at, model } = one
  const taking = overriding.find(
    (other) =>
      other.model.override !== null && facts.positionOf(other.model.override.from) === at && other.at !== at,
  )
  const override = overrideOf(one, declared, facts)
  // A label says for whom an override has an effect.
  const label = (override === null ? taking : one)?.model.override?.label ?? null
  const isNeeded = !external.has(at) || isNeededExternal(one, facts)
  const isUsedOverridden = taking !== undefined && isUsed(one, external, facts)
  const isTaken = taking !== undefined && taking.model.override?.label === null
  const isLeft = isTaken && !isUsedOverridden && !(external.has(at) && isSelected(one, facts))
  if (!isNeeded || isLeft) return null
  return {
    at,
    type: model.type === type ? null : model.type,
    isExternal: external.has(at),
    requires: model.requires?.text ?? null,
    provides: model.provides?.text ?? null,
    override,
    overrideLabel: label,
    isUsedOverridden,
  }
}

/** An override from the subgraph itself, or from one that does not have the field, has no effect. */
function overrideOf(
  { at, model: { override } }: FieldDeclaration,
  declared: ReadonlySet<number>,
  { positionOf }: MergeFacts,
): number | null {
  const source = override === null ? at : positionOf(override.from)
  return source !== at && declared.has(source) ? source : null
}

function isSelected({ at, model, type }: FieldDeclaration, facts: MergeFacts): boolean {
  return facts.isSelected(at, type.name, model.name)
}

function isNeededExternal(one: FieldDeclaration, facts: MergeFacts): boolean {
  return isSelected(one, facts) || isKeyField(one.type, one.model.name) || isOfInterface(one, facts)
}

/** A field that moved away stays known to its source where keys, `@requires` or interfaces there need it. */
function isUsed(one: FieldDeclaration, external: ReadonlySet<number>, facts: MergeFacts): boolean {
  if (external.has(one.at)) return isOfInterface(one, facts)
  const isRequired = facts.isRequired(one.at, one.type.name, one.model.name)
  return isKeyField(one.type, one.model.name) || isOfInterface(one, facts) || isRequired
}

function isOfInterface({ at, model, type }: FieldDeclaration, facts: MergeFacts): boolean {
  return [...type.interfaces].some((name) => {
    const found = facts.typeIn(at, name)
    return found?.kind === 'interface' && found.fields.has(model.name)
  })
}

function isPlain(join: FieldJoin): boolean {
  return (
    join.type === null &&
    !join.isExternal &&
    join.requires === null &&
    join.provides === null &&
    join.override === null &&
    join.overrideLabel === null &&
    !join.isUsedOverridden
  )
}
