/** Makes the values of a response: the fields of objects, and their contents. */
import type { IntrospectionResult } from '../../introspection/introspect.ts'
import { DeepSearch } from '../../json/deep-search.ts'
import { isJsonObject, read, write } from '../../json/json-object.ts'
import { CHARACTERS_PER_VALUE_BITS, weightOfText } from '../../json/json-weight.ts'
import type { PositionId, TypeId } from '../../ids/ids.ts'
import type { ObjectShape, ShapeField, ShapeNode } from '../../plan/contract/plan.ts'
import { countObjects } from '../../json/object-lists.ts'
import type { Occurrences } from '../joining/occurrences.ts'
import { fieldsFor, objectIn } from '../joining/prepared-plan.ts'
import type { TypeFacts } from '../joining/type-facts.ts'
import type { CompletionSources } from './completion-sources.ts'
import { type DataField, FrameStack, type ListNode, type SearchedScalar } from './frame.ts'
import { isViolation, type Violation, VIOLATION, violationAbove } from './violation.ts'
import { coerceLeaf, LARGE_SCALAR, LeafError, MAX_NESTING, tooDeep } from './leaf.ts'
import { needsNoType } from './needs-no-type.ts'
import { type CompletionErrors, ValueErrors } from './value-errors.ts'

/**
 * Stands for a value with contents while it is being completed. A frame was pushed for the value, which is
 * complete when the frame ends.
 */
export const BEGUN = Symbol('begun')

/** Steps for a field that may not be seen: clients choose how many errors they cause, at 5 µs each. */
const STEPS_PER_DENIAL = 10

/**
 * Completes single values. A value with contents is not made here as a whole: a frame for it is pushed, and
 * `Completion`, which works through the frames, asks for the values in it one after the other.
 */
export class ValueCompletion {
  /** The objects and lists that are open. */
  readonly stack = new FrameStack()
  /**
   * Response path of the value being completed; segments beyond the current depth are left from values
   * before.
   */
  readonly path: (string | number)[] = []
  /** The number of the next object in the value being completed, indexed by position. */
  readonly next: number[]
  /** About how many values were completed so far, see `Completion.weight`. */
  weight = 0
  /** Steps that are left of the slice. Negative when an object has more leaf fields than steps were left. */
  left = 0
  /** The violation for which `leaves` or `object` gave up an object. */
  violation: Violation = VIOLATION
  /** A scalar that is searched in place of the contents of the innermost frame. */
  searched: SearchedScalar | null = null
  readonly #facts: TypeFacts
  readonly #occurrences: Occurrences
  readonly #errors: ValueErrors
  readonly #introspection: IntrospectionResult | null

  /** `introspection` holds the values of `__schema` and `__type`, which are not read from subgraphs. */
  constructor(
    sources: CompletionSources,
    errors: CompletionErrors,
    introspection: IntrospectionResult | null,
  ) {
    this.#facts = sources.facts
    this.#occurrences = sources.occurrences
    this.#errors = new ValueErrors(sources, errors, this.path)
    this.#introspection = introspection
    this.next = sources.plan.positions.map(() => 0)
  }

  /**
   * Writes fields into `result`, from the index `from` up to the first field that has objects or lists, and
   * returns the index of that field. Returns -1 if one of the fields is a violation, which is then in
   * `violation`.
   */
  leaves(
    fields: readonly ShapeField[],
    from: number,
    result: Record<string, unknown>,
    position: PositionId,
    occurrence: number,
    type: TypeId,
    depth: number,
  ): number {
    let index = from
    for (; index < fields.length; index++) {
      const field = fields[index]
      if (field === undefined) break
      if (field.kind === 'field') {
        if (!isLeaf(field)) break
        const value = this.field(field, position, occurrence, type, depth)
        if (isViolation(value)) {
          this.violation = violationAbove(field, value)
          return -1
        }
        write(result, field.key, value)
      } else if (field.kind === 'typename') write(result, field.key, this.#facts.nameOf(type))
      else write(result, field.key, this.#introspected(field.key))
    }
    const count = index - from
    this.left -= count
    this.weight += count
    return index
  }

  /** The value of a field of an object; BEGUN for a value with contents. */
  field(field: DataField, position: PositionId, occurrence: number, type: TypeId, depth: number): unknown {
    this.path[depth] = field.key
    const { source, node } = field
    if (node.kind === 'denied') {
      this.#errors.isDenied(field, type, depth + 1)
      this.left -= STEPS_PER_DENIAL
      return field.nonNull ? VIOLATION : null
    }
    if (source === null) return this.#queryRoot(field, occurrence, depth + 1)
    const object = this.#occurrences.object(position, source.slot, occurrence)
    const value = object === null ? undefined : read(object, source.key)
    if (object === null) this.#errors.noteMissingObject(field, position, source.slot, occurrence, depth + 1)
    if (node.kind !== 'leaf') {
      const inner = innermost(node)
      if (inner !== null) this.next[inner] = this.#occurrences.start(inner, occurrence)
    }
    return this.value(field, node, field.nonNull, value, occurrence, type, depth + 1, object === null)
  }

  /**
   * The value of a field or of an item in it; BEGUN for a value with contents. `parent` and `type` are the
   * number and the runtime type of the object that has the field, `depth` is the length of the response path
   * of the value.
   */
  value(
    field: DataField,
    node: ShapeNode,
    nonNull: boolean,
    value: unknown,
    parent: number,
    type: TypeId,
    depth: number,
    objectMissing: boolean,
  ): unknown {
    if (value === null || value === undefined) {
      if (!objectMissing) this.#errors.noteNull(field, depth)
      if (nonNull) this.#errors.isNull(field, type, depth, objectMissing)
      return nonNull ? VIOLATION : null
    }
    let completed: unknown
    switch (node.kind) {
      case 'leaf':
        if (node.coerce === 'custom' && typeof value === 'object')
          return this.#scalar(field, node.type, nonNull, value, depth)
        completed = coerceLeaf(value, node.coerce, node.type, this.#facts)
        if (typeof completed === 'string') this.weight += completed.length >> CHARACTERS_PER_VALUE_BITS
        else if (completed instanceof LeafError) {
          this.#errors.isNoLeaf(field, depth, completed.message)
          completed = VIOLATION
        }
        break
      case 'list':
        completed = this.#listOf(field, node, nonNull, value, parent, type, depth)
        break
      case 'object':
        completed = this.#objectOf(field, node, nonNull, value, parent, type, depth)
        break
      case 'denied':
        throw new RangeError('A field that may not be seen has no value.')
      default:
        return node satisfies never
    }
    return completed === VIOLATION && !nonNull ? null : completed
  }

  /** An object of which every field is a leaf; BEGUN for any other. */
  object(
    fields: readonly ShapeField[],
    position: PositionId,
    occurrence: number,
    type: TypeId,
    depth: number,
    nonNull: boolean,
  ): unknown {
    const result: Record<string, unknown> = {}
    const next = this.leaves(fields, 0, result, position, occurrence, type, depth)
    if (next < 0) return this.violation
    if (next === fields.length) return result
    const frame = this.stack.push(depth, nonNull)
    frame.object = result
    frame.fields = fields
    frame.index = next
    frame.position = position
    frame.occurrence = occurrence
    frame.type = type
    return BEGUN
  }

  /** The value of a custom scalar after it was searched. */
  searchedScalar({ search, field, type, value, depth }: SearchedScalar): unknown {
    this.weight += search.count
    if (!search.isTooDeep) return value
    this.#errors.isNoLeaf(field, depth, tooDeep(type, this.#facts))
    return VIOLATION
  }

  #introspected(key: string): unknown {
    if (this.#introspection === null) return null
    const value = read(this.#introspection, key) ?? null
    this.weight += weightOfText(value)
    return value
  }

  /** A field that returns the query root again, whose object always exists. */
  #queryRoot(field: DataField, occurrence: number, depth: number): unknown {
    if (field.node.kind !== 'object') return null
    const { node } = field
    const below = this.#occurrences.start(node.position, occurrence)
    const exists = below < this.#occurrences.start(node.position, occurrence + 1)
    const value = exists
      ? this.object(fieldsFor(node, node.type), node.position, below, node.type, depth, field.nonNull)
      : VIOLATION
    return value === VIOLATION && !field.nonNull ? null : value
  }

  /**
   * The value of a custom scalar that is an object or a list: it may hold anything, but not nest without end.
   */
  #scalar(field: DataField, type: TypeId, nonNull: boolean, value: object, depth: number): unknown {
    const scalar = { search: new DeepSearch(value, MAX_NESTING), field, type, value, depth }
    if (!scalar.search.proceed(LARGE_SCALAR)) {
      this.stack.push(depth, nonNull).object = {}
      this.searched = scalar
      return BEGUN
    }
    const completed = this.searchedScalar(scalar)
    return completed === VIOLATION && !nonNull ? null : completed
  }

  #listOf(
    field: DataField,
    node: ListNode,
    nonNull: boolean,
    value: unknown,
    parent: number,
    type: TypeId,
    depth: number,
  ): typeof BEGUN | typeof VIOLATION {
    if (!Array.isArray(value)) {
      this.#skip(node, value)
      this.#errors.isNoList(field, type, depth)
      return VIOLATION
    }
    const position = innermost(node)
    const frame = this.stack.push(depth, nonNull)
    frame.list = []
    frame.values = value
    frame.field = field
    frame.node = node
    frame.occurrence = parent
    frame.type = type
    frame.first = position === null ? 0 : (this.next[position] ?? 0)
    return BEGUN
  }

  #objectOf(
    field: DataField,
    shape: ObjectShape,
    nonNull: boolean,
    value: unknown,
    parent: number,
    type: TypeId,
    depth: number,
  ): unknown {
    const { position } = shape
    if (!isJsonObject(value)) {
      this.#skip(shape, value)
      this.#errors.isNoObject(field, type, depth, shape, value)
      return VIOLATION
    }
    const occurrence = this.next[position] ?? 0
    this.next[position] = occurrence + 1
    if (occurrence >= this.#occurrences.start(position, parent + 1)) {
      this.#errors.isNotPlanned(field, type, depth)
      return VIOLATION
    }
    const runtime = this.#occurrences.type(position, occurrence)
    if (
      !this.#facts.possible(shape.type).has(runtime) &&
      !needsNoType(this.#occurrences, shape, occurrence, runtime)
    ) {
      this.#errors.hasWrongType(field, type, depth, shape, occurrence, runtime)
      return VIOLATION
    }
    return this.object(fieldsFor(shape, runtime), position, occurrence, runtime, depth, nonNull)
  }

  /**
   * Passes over the objects in a value that is not shown, so that the objects after it keep their numbers.
   */
  #skip(node: ShapeNode, value: unknown): void {
    const position = innermost(node)
    if (position !== null) this.next[position] = (this.next[position] ?? 0) + countObjects(value)
  }
}

/** Position of the objects in a value; null for leaves. */
function innermost(node: ShapeNode): PositionId | null {
  return objectIn(node)?.position ?? null
}

/** Whether the value of a field is complete without a frame. */
function isLeaf({ node, source }: DataField): boolean {
  return node.kind === 'leaf' && node.coerce !== 'custom' && source !== null
}
