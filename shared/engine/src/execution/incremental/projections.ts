/** Reduces the shape of the response to the fields that one delivery group delivers. */
import type { GroupId } from '../../ids/ids.ts'
import type { ObjectShape, ShapeCase, ShapeField, ShapeNode } from '../../plan/contract/plan.ts'

type DataField = Extract<ShapeField, { readonly kind: 'field' }>

/** Every group delivers its fields. */
export const NONE_LOST: ReadonlySet<GroupId> = new Set()

/** The fields of an object that matter to one group. */
export type GroupFields = {
  /** The fields that the group delivers. */
  readonly ownFields: ObjectShape
  /** The fields that other groups deliver, with objects in which this group has fields to deliver. */
  readonly passedFields: ObjectShape
  /** False if `ownFields` has no field for any runtime type. */
  readonly hasOwn: boolean
  readonly hasPassed: boolean
}

/**
 * The reduced shapes of one group. `lost` are groups that share fields with it, but could not be delivered,
 * so that this group may have to deliver the shared fields.
 */
export class Projections {
  readonly #group: GroupId
  readonly #lost: ReadonlySet<GroupId>
  readonly #carries: (node: ShapeNode) => boolean
  readonly #ownFields = new Map<ObjectShape, ObjectShape>()
  /** The shapes of all fields that this group delivers, by the other groups that select the object. */
  readonly #wholes = new Map<string, Map<ObjectShape, ObjectShape>>()
  readonly #groupFields = new Map<ObjectShape, GroupFields>()

  /** `carries` tells whether the group has fields to deliver in the objects of a value, or below them. */
  constructor(group: GroupId, lost: ReadonlySet<GroupId>, carries: (node: ShapeNode) => boolean) {
    this.#group = group
    this.#lost = lost
    this.#carries = carries
  }

  /**
   * The fields that the group delivers into an object which another group delivers. `__typename` comes with
   * the object.
   */
  ownFields(shape: ObjectShape): ObjectShape {
    return this.#reduced(shape, this.#ownFields, [], (field) => this.#delivers(field))
  }

  fieldsOf(shape: ObjectShape): GroupFields {
    let fields = this.#groupFields.get(shape)
    if (fields === undefined) {
      const ownFields = this.ownFields(shape)
      const passedFields = withFields(
        shape,
        (field) => field.kind === 'field' && !this.#delivers(field) && this.#carries(field.node),
      )
      fields = { ownFields, passedFields, hasOwn: hasFields(ownFields), hasPassed: hasFields(passedFields) }
      this.#groupFields.set(shape, fields)
    }
    return fields
  }

  /**
   * Returns all fields of an object which this group delivers. `sharing` are the other groups that select the
   * object.
   */
  #whole(shape: ObjectShape, sharing: readonly GroupId[]): ObjectShape {
    const key = sharing.join()
    const known = this.#wholes.get(key) ?? new Map<ObjectShape, ObjectShape>()
    this.#wholes.set(key, known)
    return this.#reduced(shape, known, sharing, (field) => field.kind === 'typename' || this.#delivers(field))
  }

  #sharing(field: ShapeField): readonly GroupId[] {
    return groupsOf(field).filter((group) => group !== this.#group && !this.#lost.has(group))
  }

  #delivers(field: ShapeField): boolean {
    if (this.#lost.size === 0) return field.group === this.#group
    return groupsOf(field).find((group) => !this.#lost.has(group)) === this.#group
  }

  #reduced(
    shape: ObjectShape,
    known: Map<ObjectShape, ObjectShape>,
    sharing: readonly GroupId[],
    isKept: (field: ShapeField) => boolean,
  ): ObjectShape {
    let reduced = known.get(shape)
    if (reduced === undefined) {
      const cases = shape.cases.map(({ types, fields }) => ({
        types,
        fields: fields
          .filter(isKept)
          .map((field) => (field.kind === 'field' ? this.#field(field, sharing) : field)),
      }))
      reduced = { ...shape, cases: withoutNeedlessTypes(cases) }
      known.set(shape, reduced)
    }
    return reduced
  }

  #field(field: DataField, sharing: readonly GroupId[]): DataField {
    const node = this.#node(field.node, this.#sharing(field))
    const isMissingInSome = sharing.some((group) => !groupsOf(field).includes(group))
    return isMissingInSome ? { ...field, node, isMissingInSome } : { ...field, node }
  }

  #node(node: ShapeNode, sharing: readonly GroupId[]): ShapeNode {
    switch (node.kind) {
      case 'leaf':
      case 'denied':
        return node
      case 'list':
        return { ...node, item: this.#node(node.item, sharing) }
      case 'object':
        return this.#whole(node, sharing)
      default:
        return node satisfies never
    }
  }
}

/**
 * Replaces cases that are all the same by one case for every runtime type. Only a fetch for another group may
 * tell the type of the object, so what is the same for every type must not depend on it.
 */
function withoutNeedlessTypes(cases: readonly ShapeCase[]): readonly ShapeCase[] {
  const [first, ...others] = cases
  if (first === undefined || others.length === 0) return cases
  return others.every(({ fields }) => sameFields(first.fields, fields))
    ? [{ types: null, fields: first.fields }]
    : cases
}

function sameFields(some: readonly ShapeField[], others: readonly ShapeField[]): boolean {
  return (
    some.length === others.length &&
    some.every((field, index) => {
      const other = others[index]
      return other !== undefined && sameField(field, other)
    })
  )
}

/** Whether two fields are read from the same source, with the same name and type. */
function sameField(field: ShapeField, other: ShapeField): boolean {
  if (field.key !== other.key) return false
  if (field.kind !== 'field' || other.kind !== 'field') return field.kind === other.kind
  return (
    field.name === other.name &&
    field.nonNull === other.nonNull &&
    field.fetch === other.fetch &&
    field.isMissingInSome === other.isMissingInSome &&
    field.source?.slot === other.source?.slot &&
    field.source?.key === other.source?.key &&
    sameNode(field.node, other.node)
  )
}

function sameNode(node: ShapeNode, other: ShapeNode): boolean {
  switch (node.kind) {
    case 'leaf':
      return other.kind === 'leaf' && node.type === other.type && node.coerce === other.coerce
    case 'denied':
      return other.kind === 'denied'
    case 'list':
      return (
        other.kind === 'list' && node.nonNullItem === other.nonNullItem && sameNode(node.item, other.item)
      )
    case 'object':
      // Each shape is reduced once, so equal ones are the same object.
      return node === other
    default:
      return node satisfies never
  }
}

/** The groups that select a field. The first one that is not lost delivers the field. */
export function groupsOf(field: ShapeField): readonly GroupId[] {
  return field.kind === 'typename' || field.fallbackGroups === undefined
    ? [field.group]
    : [field.group, ...field.fallbackGroups]
}

/** A shape without the fields that `isKept` refuses. */
export function withFields(shape: ObjectShape, isKept: (field: ShapeField) => boolean): ObjectShape {
  const cases = shape.cases.map(({ types, fields }) => ({ types, fields: fields.filter(isKept) }))
  return { ...shape, cases }
}

/** Whether a shape has a field for any runtime type. */
export function hasFields({ cases }: ObjectShape): boolean {
  return cases.some(({ fields }) => fields.length > 0)
}
