import type { IntrospectionResult } from '../../introspection/introspect.ts'
import { isJsonObject, write } from '../../json/json-object.ts'
import { type PositionId, ROOT_POSITION, type TypeId } from '../../ids/ids.ts'
import type { ObjectShape, ShapeField } from '../../plan/contract/plan.ts'
import type { SlicedWork } from '../../work/slices.ts'
import { countObjects } from '../../json/object-lists.ts'
import { fieldsFor, objectIn } from '../joining/prepared-plan.ts'
import type { CompletionSources } from './completion-sources.ts'
import type { DataField, Frame, FrameStack, SearchedScalar } from './frame.ts'
import { BEGUN, ValueCompletion } from './value-completion.ts'
import type { CompletionErrors } from './value-errors.ts'
import { isViolation, VIOLATION, violationAbove } from './violation.ts'

/**
 * Builds the response from what subgraphs sent, in the order of the operation, as CompleteValue() of the
 * specification says (https://spec.graphql.org/draft/#CompleteValue()). Nothing is taken over but what the
 * shape of the response names.
 *
 * A large response is built in slices: call one of the `begin…` methods, then `proceed` until it returns
 * true, and read `result`. So there is no recursion here; the objects and lists that are open are frames of a
 * stack. This class works through the frames; `ValueCompletion` makes the values in them.
 */
export class Completion implements SlicedWork {
  /** The object that was begun last; null if a violation reached it. */
  result: Readonly<Record<string, unknown>> | null = null
  readonly #sources: CompletionSources
  readonly #values: ValueCompletion
  readonly #stack: FrameStack
  /** `result`, or the violation. */
  #outcome: unknown = null

  /** `introspection` holds the values of `__schema` and `__type`, which are not read from subgraphs. */
  constructor(
    sources: CompletionSources,
    errors: CompletionErrors,
    introspection: IntrospectionResult | null,
  ) {
    this.#sources = sources
    this.#values = new ValueCompletion(sources, errors, introspection)
    this.#stack = this.#values.stack
  }

  /**
   * About how many values were completed so far, where sixteen characters count as one; response keys are not
   * counted.
   */
  get weight(): number {
    return this.#values.weight
  }

  /** Begins the root object of the response. */
  beginData(shape: ObjectShape): this {
    const { rootType } = this.#sources.plan
    return this.#begin(fieldsFor(shape, rootType), ROOT_POSITION, 0, rootType, 0)
  }

  /** Begins one object of the response, which stands at `path`. */
  beginObject(shape: ObjectShape, occurrence: number, path: readonly (string | number)[]): this {
    for (let depth = 0; depth < path.length; depth++) this.#values.path[depth] = path[depth] ?? ''
    const type = this.#sources.occurrences.type(shape.position, occurrence)
    return this.#begin(fieldsFor(shape, type), shape.position, occurrence, type, path.length)
  }

  /** Begins a root object with this one field. */
  beginRootField(field: DataField): this {
    return this.#begin([field], ROOT_POSITION, 0, this.#sources.plan.rootType, 0)
  }

  /** Whether the object that was begun last must become null, together with the object that it is in. */
  get isViolated(): boolean {
    return this.#outcome === VIOLATION
  }

  proceed(steps: number): boolean {
    // A whole number that V8 keeps without allocating it.
    const slice = Math.min(steps, 2 ** 30)
    this.#values.left = slice
    while (this.#values.left > 0) {
      const frame = this.#stack.inner
      if (frame === undefined) break
      if (this.#values.searched !== null) this.#search(this.#values.searched)
      else if (frame.object === null) this.#completeItems(frame)
      else this.#completeFields(frame, frame.object)
    }
    this.#sources.budget.step(slice - this.#values.left)
    return this.#stack.inner === undefined
  }

  #begin(
    fields: readonly ShapeField[],
    position: PositionId,
    occurrence: number,
    type: TypeId,
    depth: number,
  ): this {
    this.#stack.clear()
    this.#values.left = 0
    const value = this.#values.object(fields, position, occurrence, type, depth, true)
    if (value !== BEGUN) this.#finish(value)
    this.#sources.budget.step(-this.#values.left)
    return this
  }

  #finish(value: unknown): void {
    this.#outcome = value
    this.result = isViolation(value) || !isJsonObject(value) ? null : value
  }

  /** Goes on with the search of a large custom scalar. */
  #search(scalar: SearchedScalar): void {
    const before = scalar.search.count
    const isDone = scalar.search.proceed(this.#values.left)
    this.#values.left -= scalar.search.count - before
    if (!isDone) return
    this.#values.searched = null
    this.#end(this.#values.searchedScalar(scalar))
  }

  /** Goes on with an object, up to the next field whose value has contents. */
  #completeFields(frame: Frame, result: Record<string, unknown>): void {
    const { fields, position, occurrence, type, depth } = frame
    while (this.#values.left > 0) {
      const next = this.#values.leaves(fields, frame.index, result, position, occurrence, type, depth)
      if (next < 0) return this.#end(this.#values.violation)
      frame.index = next + 1
      const field = fields[next]
      if (field === undefined) return this.#end(result)
      if (field.kind !== 'field') continue
      this.#values.left--
      const value = this.#values.field(field, position, occurrence, type, depth)
      if (value === BEGUN) return
      if (isViolation(value)) return this.#end(violationAbove(field, value))
      write(result, field.key, value)
    }
  }

  /** Goes on with a list, up to the next item that has contents. */
  #completeItems(frame: Frame): void {
    const { values, node, field, list, depth } = frame
    if (node === null || field === null || list === null) return
    while (frame.index < values.length) {
      if (this.#values.left <= 0) return
      this.#values.left--
      const index = frame.index++
      this.#values.path[depth] = index
      const value = this.#values.value(
        field,
        node.item,
        node.nonNullItem,
        values[index],
        frame.occurrence,
        frame.type,
        depth + 1,
        false,
      )
      if (value === BEGUN) return
      if (isViolation(value)) {
        this.#leaveList(frame)
        return this.#end(value)
      }
      list.push(value)
    }
    this.#values.weight += values.length
    this.#end(list)
  }

  /**
   * Ends the innermost frame with its object or list, or with a violation, and puts that into the frame
   * around it. A violation ends the frame around it as well, up to the first one that may be null.
   */
  #end(completed: unknown): void {
    let value = completed
    for (let ended = this.#stack.inner; ended !== undefined; ended = this.#stack.inner) {
      if (value === VIOLATION && !ended.nonNull) value = null
      ended.object = null
      ended.list = null
      this.#stack.pop()
      const frame = this.#stack.inner
      if (frame === undefined) return this.#finish(value)
      if (frame.object === null) {
        if (!isViolation(value)) {
          frame.list?.push(value)
          return
        }
        this.#leaveList(frame)
      } else {
        const field = frame.fields[frame.index - 1]
        if (!isViolation(value)) {
          if (field !== undefined) write(frame.object, field.key, value)
          return
        }
        if (field?.kind === 'field') value = violationAbove(field, value)
      }
    }
  }

  /**
   * Leaves the innermost frame, a list, before its end. If there is a list around it, the objects after it
   * keep their numbers.
   */
  #leaveList({ node, values, first }: Frame): void {
    const position = node === null ? undefined : objectIn(node)?.position
    if (position !== undefined && this.#stack.outer?.object === null)
      this.#values.next[position] = first + countObjects(values)
  }
}
