import type { IntrospectionResult } from '../../introspection/introspect.ts'
import type { WorkBudget } from '../../work/budget.ts'
import type { SlicedWork } from '../../work/slices.ts'
import { type FetchId, NO_TYPE, type PositionId, ROOT_POSITION, type TypeId } from '../../ids.ts'
import type { ObjectShape, Plan, ShapeField, ShapeNode } from '../../plan/plan.ts'
import type { ResponseError } from '../contract/response.ts'
import { DeepSearch } from '../../json/deep-search.ts'
import { describe, isJsonObject, read, write } from '../../json/json-object.ts'
import { coerceLeaf, LeafError, MAX_NESTING, tooDeep } from './leaf.ts'
import { countObjects } from '../joining/object-lists.ts'
import { type Lack, type Occurrences, UNKNOWN_TYPE } from '../joining/occurrences.ts'
import { fieldsFor, objectIn, showsType } from '../joining/prepared-plan.ts'
import type { TypeFacts } from '../joining/type-facts.ts'
import { CHARACTERS_PER_VALUE_BITS, weightOfText } from '../../json/json-weight.ts'

type DataField = Extract<ShapeField, { readonly kind: 'field' }>

/**
 * What completion reports to; `explains` keeps one cause from being reported twice. `noteNull` hears of each place where the
 * fetch gave nothing.
 */
export type CompletionErrors = {
  add(error: ResponseError): void
  explains(fetch: FetchId, path: readonly (string | number)[], objectMissing: boolean): boolean
  noteNull?(fetch: FetchId, path: readonly (string | number)[], lack: Lack): void
}

/** What completion reads, the same for all that is completed in one execution. */
export type CompletionSources = {
  readonly plan: Plan
  readonly facts: TypeFacts
  readonly occurrences: Occurrences
  readonly budget: WorkBudget
}

/** A null where null is not allowed: the nearest nullable place above becomes null instead. */
const VIOLATION = Symbol('non-null violation')

/**
 * The same of a field that not every fragment selects of its object. The others can still show the object, so it does not become
 * null: the fragment that wants the field fails.
 */
const GROUP_VIOLATION = Symbol('non-null violation of one fragment')

type Violation = typeof VIOLATION | typeof GROUP_VIOLATION

/** A list or an object is being completed now, and its value comes later. */
const BEGUN = Symbol('begun')

/** Values of custom scalars with more values in them than this are looked through in slices. */
const LARGE_SCALAR = 1000

type Searched = { readonly search: DeepSearch; readonly done: (isTooDeep: boolean) => void }

/**
 * An object or a list that is being completed. Frames are kept for the next one at the same depth: one for each object would be
 * a tenth of what completing it costs.
 */
class Frame {
  /** null: it is a list. */
  object: Record<string, unknown> | null = null
  list: unknown[] | null = null
  /** What comes next: a field, or an item. */
  index = 0
  /** In the path, of the key or index of what comes next. */
  depth = 0
  /** Of the object; of a list, of the object that it is in. */
  occurrence = 0
  type: TypeId = NO_TYPE
  /** Of an object. */
  position: PositionId = ROOT_POSITION
  fields: readonly ShapeField[] = []
  /** Of a list. */
  values: readonly unknown[] = []
  field: DataField | null = null
  node: Extract<ShapeNode, { readonly kind: 'list' }> | null = null
  /** Number of the first object in it. */
  first = 0
  /** Whether its own value may be null. */
  nonNull = false
}

/**
 * Builds the client's response from the subgraphs' answers, following CompleteValue() of the specification
 * (https://spec.graphql.org/draft/#CompleteValue()). Nothing is taken over but what the shape names.
 *
 * It is done in slices, and therefore without recursion: `begin…`, then `proceed` until it says that `result` is there.
 */
export class Completion implements SlicedWork {
  /** What was begun last; null if a violation reached it. */
  result: Readonly<Record<string, unknown>> | null = null
  /** Values that were completed, and their characters. */
  #weight = 0
  readonly #plan: Plan
  readonly #facts: TypeFacts
  readonly #occurrences: Occurrences
  readonly #errors: CompletionErrors
  readonly #introspection: IntrospectionResult | null
  readonly #budget: WorkBudget
  /** Response path of the field being completed; entries beyond the current depth are stale. */
  readonly #path: (string | number)[] = []
  /** By position: number of the object that comes next in the value being completed. */
  readonly #next: number[]
  readonly #frames: Frame[] = []
  /** Of the frame that is worked on. */
  #top = -1
  #outcome: unknown = null
  /** Steps that are left of the slice. */
  #left = 0
  /** What `#leaves` came to. */
  #violation: Violation = VIOLATION
  /** A custom scalar that is looked through, and what is done once it was. */
  #searched: Searched | null = null

  constructor(
    { plan, facts, occurrences, budget }: CompletionSources,
    errors: CompletionErrors,
    introspection: IntrospectionResult | null,
  ) {
    this.#plan = plan
    this.#facts = facts
    this.#occurrences = occurrences
    this.#errors = errors
    this.#introspection = introspection
    this.#budget = budget
    this.#next = plan.positions.map(() => 0)
  }

  /** About so many values were completed by now, of which sixteen characters count for one; keys are not counted. */
  get weight(): number {
    return this.#weight
  }

  /** Begins the response as a whole, as the shape of the root says; null if a violation reaches the root. */
  beginData(shape: ObjectShape): this {
    this.#beginRoot(fieldsFor(shape, this.#plan.rootType), ROOT_POSITION, 0, this.#plan.rootType, 0)
    return this
  }

  /** Begins one object of the response, which stands at `path`; null if a violation reaches it. */
  beginObject(shape: ObjectShape, occurrence: number, path: readonly (string | number)[]): this {
    for (let depth = 0; depth < path.length; depth++) this.#path[depth] = path[depth] ?? ''
    const type = this.#occurrences.type(shape.position, occurrence)
    this.#beginRoot(fieldsFor(shape, type), shape.position, occurrence, type, path.length)
    return this
  }

  /** Begins one field of the root object. */
  beginRootField(field: DataField): this {
    this.#beginRoot([field], ROOT_POSITION, 0, this.#plan.rootType, 0)
    return this
  }

  /** Whether what was begun last violates non-null, and so does what it is in. */
  get isViolated(): boolean {
    return this.#outcome === VIOLATION
  }

  proceed(steps: number): boolean {
    // Whole numbers, which V8 keeps without a box.
    const slice = Math.min(steps, 2 ** 30)
    this.#left = slice
    while (this.#top >= 0 && this.#left > 0) {
      if (this.#searched !== null) this.#search(this.#searched)
      else {
        const frame = this.#frames[this.#top]
        if (frame === undefined) break
        if (frame.object === null) this.#items(frame)
        else this.#fields(frame, frame.object)
      }
    }
    this.#budget.step(slice - this.#left)
    return this.#top < 0
  }

  #search({ search, done }: Searched): void {
    const before = search.count
    const isDone = search.proceed(this.#left)
    this.#left -= search.count - before
    if (!isDone) return
    this.#searched = null
    done(search.isTooDeep)
  }

  /** Goes on with an object, up to a field with objects or lists of its own. */
  #fields(frame: Frame, result: Record<string, unknown>): void {
    const { fields, position, occurrence, type, depth } = frame
    while (this.#left > 0) {
      const next = this.#leaves(fields, frame.index, result, position, occurrence, type, depth)
      if (next < 0) return this.#end(this.#violation)
      frame.index = next + 1
      const field = fields[next]
      if (field === undefined) return this.#end(result)
      if (field.kind !== 'field') continue
      this.#left--
      const value = this.#field(field, position, occurrence, type, depth)
      if (value === BEGUN) return
      if (isViolation(value)) return this.#end(violationOf(field, value))
      write(result, field.key, value)
    }
  }

  /**
   * Writes fields from the given one up to one that has objects or lists of its own, and returns the number of that one. -1: one
   * violates non-null.
   */
  #leaves(
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
        const value = this.#field(field, position, occurrence, type, depth)
        if (isViolation(value)) {
          this.#violation = violationOf(field, value)
          return -1
        }
        write(result, field.key, value)
      } else if (field.kind === 'typename') write(result, field.key, this.#facts.nameOf(type))
      else write(result, field.key, this.#introspected(field.key))
    }
    const count = index - from
    this.#left -= count
    this.#weight += count
    return index
  }

  #introspected(key: string): unknown {
    if (this.#introspection === null) return null
    const value = read(this.#introspection, key) ?? null
    this.#weight += weightOfText(value)
    return value
  }

  /** Goes on with a list, up to an item that is not complete at once. */
  #items(frame: Frame): void {
    const { values, node, field, list, depth } = frame
    if (node === null || field === null || list === null) return
    while (frame.index < values.length) {
      if (this.#left <= 0) return
      this.#left--
      const index = frame.index++
      this.#path[depth] = index
      const value = this.#value(
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
    this.#weight += values.length
    this.#end(list)
  }

  /** A list around this one may go on, and its objects keep their numbers. */
  #leaveList({ node, values, first }: Frame): void {
    const position = node === null ? null : innermost(node)
    if (position !== null && this.#frames[this.#top - 1]?.object === null)
      this.#next[position] = first + countObjects(values)
  }

  /** The object or list that is worked on is complete, or violates non-null, and so may those around it. */
  #end(completed: unknown): void {
    let value = completed
    for (;;) {
      const ended = this.#frames[this.#top]
      if (ended === undefined) return
      // A violation below ends here if null is allowed here, and goes on to the parent if not.
      if (value === VIOLATION && !ended.nonNull) value = null
      ended.object = null
      ended.list = null
      this.#top--
      const frame = this.#frames[this.#top]
      if (this.#top < 0 || frame === undefined) {
        return this.#complete(value)
      }
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
        if (field?.kind === 'field') value = violationOf(field, value)
      }
    }
  }

  #push(depth: number, nonNull: boolean): Frame {
    const frame = (this.#frames[++this.#top] ??= new Frame())
    frame.index = 0
    frame.depth = depth
    frame.nonNull = nonNull
    return frame
  }

  /** The object, where all that it has are leaves; otherwise BEGUN. */
  #beginObject(
    fields: readonly ShapeField[],
    position: PositionId,
    occurrence: number,
    type: TypeId,
    depth: number,
    nonNull: boolean,
  ): unknown {
    const result: Record<string, unknown> = {}
    const next = this.#leaves(fields, 0, result, position, occurrence, type, depth)
    if (next < 0) return this.#violation
    if (next === fields.length) return result
    const frame = this.#push(depth, nonNull)
    frame.object = result
    frame.fields = fields
    frame.index = next
    frame.position = position
    frame.occurrence = occurrence
    frame.type = type
    return BEGUN
  }

  #beginRoot(
    fields: readonly ShapeField[],
    position: PositionId,
    occurrence: number,
    type: TypeId,
    depth: number,
  ): void {
    this.#top = -1
    this.#left = 0
    const value = this.#beginObject(fields, position, occurrence, type, depth, true)
    if (value !== BEGUN) this.#complete(value)
    this.#budget.step(-this.#left)
  }

  #complete(value: unknown): void {
    this.#outcome = value
    this.result = isViolation(value) || !isJsonObject(value) ? null : value
  }

  /** What the field is, or BEGUN. */
  #field(field: DataField, position: PositionId, occurrence: number, type: TypeId, depth: number): unknown {
    this.#path[depth] = field.key
    const { source, node } = field
    if (source === null) return this.#reentered(field, occurrence, depth + 1)
    const object = this.#occurrences.object(position, source.slot, occurrence)
    const value = object === null ? undefined : read(object, source.key)
    if (object === null && this.#errors.noteNull !== undefined) {
      const lack = this.#occurrences.lack(position, source.slot, occurrence)
      this.#errors.noteNull(field.fetch, this.#path.slice(0, depth + 1), lack)
    }
    if (node.kind !== 'leaf') {
      const inner = innermost(node)
      if (inner !== null) this.#next[inner] = this.#occurrences.start(inner, occurrence)
    }
    return this.#value(field, node, field.nonNull, value, occurrence, type, depth + 1, object === null)
  }

  /** A field that returns the query root again: its object always exists. */
  #reentered(field: DataField, occurrence: number, depth: number): unknown {
    if (field.node.kind !== 'object') return null
    const { node } = field
    const below = this.#occurrences.start(node.position, occurrence)
    const exists = below < this.#occurrences.start(node.position, occurrence + 1)
    const value = exists
      ? this.#beginObject(fieldsFor(node, node.type), node.position, below, node.type, depth, field.nonNull)
      : VIOLATION
    return value === VIOLATION && !field.nonNull ? null : value
  }

  #value(
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
      if (!objectMissing) this.#errors.noteNull?.(field.fetch, this.#path.slice(0, depth), 'value')
      return nonNull ? this.#missing(field, type, depth, objectMissing) : null
    }
    let completed: unknown
    switch (node.kind) {
      case 'leaf':
        if (node.coerce === 'custom' && typeof value === 'object')
          return this.#scalar(field, node.type, nonNull, value, depth)
        completed = coerceLeaf(value, node.coerce, node.type, this.#facts)
        if (typeof completed === 'string') this.#weight += completed.length >> CHARACTERS_PER_VALUE_BITS
        else if (completed instanceof LeafError)
          completed = this.#invalid(field.fetch, depth, completed.message)
        break
      case 'list':
        completed = this.#list(field, node, nonNull, value, parent, type, depth)
        break
      case 'object':
        completed = this.#object(field, node, nonNull, value, parent, type, depth)
        break
    }
    return completed === VIOLATION && !nonNull ? null : completed
  }

  /** The value of a custom scalar, which may be anything, in lists and objects. */
  #scalar(field: DataField, type: TypeId, nonNull: boolean, value: object, depth: number): unknown {
    const search = new DeepSearch(value, MAX_NESTING)
    const completed = (isTooDeep: boolean): unknown => {
      this.#weight += search.count
      return isTooDeep ? this.#invalid(field.fetch, depth, tooDeep(type, this.#facts)) : value
    }
    if (!search.proceed(LARGE_SCALAR)) {
      this.#push(depth, nonNull).object = {}
      this.#searched = { search, done: (isTooDeep) => this.#end(completed(isTooDeep)) }
      return BEGUN
    }
    const whole = completed(search.isTooDeep)
    return whole === VIOLATION && !nonNull ? null : whole
  }

  #list(
    field: DataField,
    node: Extract<ShapeNode, { readonly kind: 'list' }>,
    nonNull: boolean,
    value: unknown,
    parent: number,
    type: TypeId,
    depth: number,
  ): typeof BEGUN | typeof VIOLATION {
    if (!Array.isArray(value)) {
      this.#skip(node, value)
      const coordinate = this.#coordinate(type, field)
      return this.#invalid(
        field.fetch,
        depth,
        `Expected Iterable, but did not find one for field "${coordinate}".`,
      )
    }
    const position = innermost(node)
    const frame = this.#push(depth, nonNull)
    frame.list = []
    frame.values = value
    frame.field = field
    frame.node = node
    frame.occurrence = parent
    frame.type = type
    frame.first = position === null ? 0 : (this.#next[position] ?? 0)
    return BEGUN
  }

  #object(
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
      const expected = `Expected an object of type "${this.#facts.nameOf(shape.type)}"`
      return this.#invalid(
        field.fetch,
        depth,
        `${expected} for field "${this.#coordinate(type, field)}", found ${describe(value)}.`,
      )
    }
    const occurrence = this.#next[position] ?? 0
    this.#next[position] = occurrence + 1
    if (occurrence >= this.#occurrences.start(position, parent + 1))
      return this.#invalid(
        field.fetch,
        depth,
        `Field "${this.#coordinate(type, field)}" was not planned for this object.`,
      )
    const runtime = this.#occurrences.type(position, occurrence)
    if (!this.#facts.possible(shape.type).has(runtime) && !this.#isTypeFree(shape, occurrence, runtime))
      return this.#badType(field, shape, occurrence, runtime, this.#coordinate(type, field), depth)
    return this.#beginObject(fieldsFor(shape, runtime), position, occurrence, runtime, depth, nonNull)
  }

  /**
   * An interface object whose type nobody needs, because the fields are always the same: the plan does not ask for it, or
   * those who would know the type do not have the object, which is legal for any other entity, too.
   */
  #isTypeFree(shape: ObjectShape, occurrence: number, runtime: TypeId): boolean {
    if (runtime !== NO_TYPE) return false
    const { providers, typename } = this.#occurrences.position(shape.position)
    const isNowhere = typename.every(
      ({ slot }) =>
        providers[slot]?.kind === 'entity' &&
        this.#occurrences.object(shape.position, slot, occurrence) === null,
    )
    if (!isNowhere) return false
    return !showsType(shape)
  }

  #badType(
    field: DataField,
    shape: ObjectShape,
    occurrence: number,
    runtime: TypeId,
    coordinate: string,
    depth: number,
  ): typeof VIOLATION {
    const { position } = shape
    const declared = this.#facts.nameOf(shape.type)
    if (runtime === NO_TYPE) {
      const { providers, typename } = this.#occurrences.position(position)
      const path = this.#path.slice(0, depth)
      let isExplained = false
      let { fetch } = field
      for (const { slot } of typename) {
        const provider = providers[slot]
        if (provider?.kind !== 'entity') continue
        fetch = provider.fetch
        this.#errors.noteNull?.(provider.fetch, path, this.#occurrences.lack(position, slot, occurrence))
        isExplained ||= this.#errors.explains(provider.fetch, path, true)
      }
      if (isExplained) return VIOLATION
      return this.#invalid(
        fetch,
        depth,
        `Abstract type "${declared}" must resolve to an Object type at runtime for field "${coordinate}", but the subgraph named none.`,
      )
    }
    // Neither a hidden type nor one of another subgraph is named to the client.
    const known = runtime !== UNKNOWN_TYPE && this.#facts.possible(runtime).has(runtime)
    const name = known ? ` "${this.#occurrences.typeName(position, occurrence) ?? ''}"` : ''
    return this.#invalid(
      this.#toldBy(field, position, occurrence),
      depth,
      `Runtime Object type${name} is not a possible type for "${declared}" of field "${coordinate}".`,
    )
  }

  /** Passes over objects in a value that is not shown, so that those after it keep their numbers. */
  #skip(node: ShapeNode, value: unknown): void {
    const position = innermost(node)
    if (position !== null) this.#next[position] = (this.#next[position] ?? 0) + countObjects(value)
  }

  #missing(field: DataField, type: TypeId, depth: number, objectMissing: boolean): typeof VIOLATION {
    const path = this.#path.slice(0, depth)
    if (this.#errors.explains(field.fetch, path, objectMissing)) return VIOLATION
    const message = `Cannot return null for non-nullable field ${this.#coordinate(type, field)}.`
    this.#errors.add({ message, path, extensions: this.#blame(field.fetch) })
    return VIOLATION
  }

  /** As graphql-js names a field: with the type of the object, not the interface through which it was selected. */
  #coordinate(type: TypeId, field: DataField): string {
    return `${this.#facts.nameOf(type >= 0 ? type : field.parentType)}.${field.name}`
  }

  #invalid(fetch: FetchId, depth: number, message: string): typeof VIOLATION {
    this.#errors.add({ message, path: this.#path.slice(0, depth), extensions: this.#blame(fetch) })
    return VIOLATION
  }

  /** Who sent what does not fit the schema, or was to send it and has failed. */
  #blame(id: FetchId): Readonly<Record<string, unknown>> {
    const code = this.#occurrences.failureCode(id) ?? 'SUBGRAPH_INVALID_VALUE'
    const fetch = this.#plan.fetches[id]
    return fetch === undefined ? { code } : { code, serviceName: this.#facts.subgraphName(fetch.subgraph) }
  }

  /** The call that named the type of an object. */
  #toldBy(field: DataField, position: PositionId, occurrence: number): FetchId {
    const { providers, typename } = this.#occurrences.position(position)
    for (const { slot, key } of typename) {
      if (typeof this.#occurrences.value(position, slot, occurrence, key) !== 'string') continue
      const provider = providers[slot]
      return provider?.kind === 'entity' ? provider.fetch : field.fetch
    }
    return field.fetch
  }
}

/** Position of the objects in a value; null for leaves. */
function innermost(node: ShapeNode): PositionId | null {
  return objectIn(node)?.position ?? null
}

/** Whether its value is complete at once. */
function isLeaf({ node, source }: DataField): boolean {
  return node.kind === 'leaf' && node.coerce !== 'custom' && source !== null
}

/** Of the object around a field that violates non-null. */
function violationOf(field: DataField, violation: Violation): Violation {
  return violation === VIOLATION && field.isOfSome === true ? GROUP_VIOLATION : violation
}

function isViolation(value: unknown): value is Violation {
  return value === VIOLATION || value === GROUP_VIOLATION
}
