import type { DeepSearch } from '../../json/deep-search.ts'
import { NO_RUNTIME_TYPE, type PositionId, ROOT_POSITION, type TypeId } from '../../ids/ids.ts'
import type { ShapeField, ShapeNode } from '../../plan/contract/plan.ts'

/** A field whose value comes from a subgraph. */
export type DataField = Extract<ShapeField, { readonly kind: 'field' }>

/** A list of the response shape. */
export type ListNode = Extract<ShapeNode, { readonly kind: 'list' }>

/**
 * An object or a list that is being completed.
 *
 * Completion has a stack of frames in place of recursion, so that it can stop at any field or item and go on
 * in a later turn of the event loop. A frame is used again for the next object or list at the same depth: a
 * new one for each object took a tenth of the time of completing the object.
 */
export class Frame {
  /** The object of the response; null while the frame is about a list. */
  object: Record<string, unknown> | null = null
  /** The list of the response; null while the frame is about an object. */
  list: unknown[] | null = null
  /** Index of the next field or item. */
  index = 0
  /** Where the key or index of the next field or item stands in the response path. */
  depth = 0
  /** Number of the object; for a list, of the object that has the list in a field. */
  occurrence = 0
  /** Runtime type of that object. */
  type: TypeId = NO_RUNTIME_TYPE
  /** Whether the object or the list itself must not be null. */
  nonNull = false
  /** Position of the object. Not set for lists. */
  position: PositionId = ROOT_POSITION
  /** Fields of the object. Not set for lists. */
  fields: readonly ShapeField[] = []
  /** The list as the subgraph sent it. Not set for objects. */
  values: readonly unknown[] = []
  /** The field that has the list. Not set for objects. */
  field: DataField | null = null
  /** Shape of the list. Not set for objects. */
  node: ListNode | null = null
  /** Number of the first object in the list. Not set for objects. */
  first = 0
}

/** A large value of a custom scalar that is searched for too deep nesting. */
export type SearchedScalar = {
  readonly search: DeepSearch
  readonly field: DataField
  readonly type: TypeId
  readonly value: object
  readonly depth: number
}

/** The objects and lists that are open, one in the other. */
export class FrameStack {
  readonly #frames: Frame[] = []
  /** Index of the innermost frame; -1 if nothing is being completed. */
  #top = -1

  /** The innermost frame. */
  get inner(): Frame | undefined {
    return this.#frames[this.#top]
  }

  /** The frame around the innermost one. */
  get outer(): Frame | undefined {
    return this.#frames[this.#top - 1]
  }

  clear(): void {
    this.#top = -1
  }

  pop(): void {
    this.#top--
  }

  push(depth: number, nonNull: boolean): Frame {
    const frame = (this.#frames[++this.#top] ??= new Frame())
    frame.index = 0
    frame.depth = depth
    frame.nonNull = nonNull
    return frame
  }
}
