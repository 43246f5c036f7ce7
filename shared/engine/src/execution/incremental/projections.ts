/** What one group delivers of the response, as cuts of its shape. */
import type { GroupId } from '../../ids.ts'
import type { ObjectShape, ShapeCase, ShapeField, ShapeNode } from '../../plan/plan.ts'

type DataField = Extract<ShapeField, { readonly kind: 'field' }>

/** No group among those that have a field is lost. */
export const NONE_LOST: ReadonlySet<GroupId> = new Set()

/** What a group has to do with one object of the response. */
export type Cut = {
  /** What it delivers of the object. */
  readonly part: ObjectShape
  /** What others deliver of it, and the group has something to deliver in. */
  readonly ways: ObjectShape
  /** False: nothing of an object of whatever type. */
  readonly hasPart: boolean
  readonly hasWays: boolean
}

/** Shapes reduced to what has to do with one group. */
export class Projections {
  readonly #group: GroupId
  readonly #lost: ReadonlySet<GroupId>
  readonly #carries: (node: ShapeNode) => boolean
  readonly #parts = new Map<ObjectShape, ObjectShape>()
  /** By the groups that show an object as well. */
  readonly #wholes = new Map<string, Map<ObjectShape, ObjectShape>>()
  readonly #cuts = new Map<ObjectShape, Cut>()

  /** `carries` tells whether the group may have something to deliver in the objects of a value. */
  constructor(group: GroupId, lost: ReadonlySet<GroupId>, carries: (node: ShapeNode) => boolean) {
    this.#group = group
    this.#lost = lost
    this.#carries = carries
  }

  /** What the group delivers of an object of another: everything else is left out. `__typename` comes with the whole object. */
  part(shape: ObjectShape): ObjectShape {
    return this.#reduced(shape, this.#parts, [], (field) => this.#delivers(field))
  }

  cut(shape: ObjectShape): Cut {
    let cut = this.#cuts.get(shape)
    if (cut === undefined) {
      const part = this.part(shape)
      const ways = withFields(
        shape,
        (field) => field.kind === 'field' && !this.#delivers(field) && this.#carries(field.node),
      )
      cut = { part, ways, hasPart: hasFields(part), hasWays: hasFields(ways) }
      this.#cuts.set(shape, cut)
    }
    return cut
  }

  /** Of an object that this group delivers. `sharing`: others that would. */
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
    const isOfSome = sharing.some((group) => !groupsOf(field).includes(group))
    return isOfSome ? { ...field, node, isOfSome } : { ...field, node }
  }

  #node(node: ShapeNode, sharing: readonly GroupId[]): ShapeNode {
    switch (node.kind) {
      case 'leaf':
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
 * One case for all types where none differs from the others. The type of an object may only be told by a call that is made
 * for another group, so a part that is the same for every type must not depend on it.
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

/** Whether they are read from the same place, with the same name and type. */
function sameField(field: ShapeField, other: ShapeField): boolean {
  if (field.key !== other.key) return false
  if (field.kind !== 'field' || other.kind !== 'field') return field.kind === other.kind
  return (
    field.name === other.name &&
    field.nonNull === other.nonNull &&
    field.fetch === other.fetch &&
    field.isOfSome === other.isOfSome &&
    field.source?.slot === other.source?.slot &&
    field.source?.key === other.source?.key &&
    sameNode(field.node, other.node)
  )
}

function sameNode(node: ShapeNode, other: ShapeNode): boolean {
  switch (node.kind) {
    case 'leaf':
      return other.kind === 'leaf' && node.type === other.type && node.coerce === other.coerce
    case 'list':
      return (
        other.kind === 'list' && node.nonNullItem === other.nonNullItem && sameNode(node.item, other.item)
      )
    case 'object':
      // Shapes of one position are reduced once.
      return node === other
    default:
      return node satisfies never
  }
}

/** All groups that select a field; the first of them that is not lost delivers it. */
export function groupsOf(field: ShapeField): readonly GroupId[] {
  return field.kind === 'typename' || field.also === undefined ? [field.group] : [field.group, ...field.also]
}

export function withFields(shape: ObjectShape, isKept: (field: ShapeField) => boolean): ObjectShape {
  const cases = shape.cases.map(({ types, fields }) => ({ types, fields: fields.filter(isKept) }))
  return { ...shape, cases }
}

export function hasFields({ cases }: ObjectShape): boolean {
  return cases.some(({ fields }) => fields.length > 0)
}
