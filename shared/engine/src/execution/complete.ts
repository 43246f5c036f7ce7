import type { IntrospectionResult } from '../introspection/introspect.ts'
import type { FetchId, ObjectShape, Plan, PositionId, ShapeField, ShapeNode, TypeId } from '../plan/plan.ts'
import type { ResponseError } from './contract.ts'
import { describe, isJsonObject, read, write } from './json-object.ts'
import { coerceLeaf, LeafError } from './leaf.ts'
import { countObjects } from './object-lists.ts'
import { type Lack, NO_TYPE, type Occurrences, UNKNOWN_TYPE } from './occurrences.ts'
import { fieldsFor, objectIn, showsType } from './prepared-plan.ts'
import type { TypeFacts } from './type-facts.ts'

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

/** A null where null is not allowed: the nearest nullable place above becomes null instead. */
const VIOLATION = Symbol('non-null violation')

/**
 * The same of a field that not every fragment selects of its object. The others can still show the object, so it does not become
 * null: the fragment that wants the field fails.
 */
const FRAGMENT_VIOLATION = Symbol('non-null violation of one fragment')

type Violation = typeof VIOLATION | typeof FRAGMENT_VIOLATION

/**
 * Builds the client's response from the subgraphs' answers, following CompleteValue() of the specification
 * (https://spec.graphql.org/draft/#CompleteValue()). Nothing is taken over but what the shape names.
 */
export class Completion {
  readonly #plan: Plan
  readonly #facts: TypeFacts
  readonly #occurrences: Occurrences
  readonly #errors: CompletionErrors
  readonly #introspection: IntrospectionResult | null
  /** Response path of the field being completed; entries beyond the current depth are stale. */
  readonly #path: (string | number)[] = []
  /** By position: number of the object that comes next in the value being completed. */
  readonly #next: number[]

  constructor(
    plan: Plan,
    facts: TypeFacts,
    occurrences: Occurrences,
    errors: CompletionErrors,
    introspection: IntrospectionResult | null,
  ) {
    this.#plan = plan
    this.#facts = facts
    this.#occurrences = occurrences
    this.#errors = errors
    this.#introspection = introspection
    this.#next = plan.positions.map(() => 0)
  }

  /** The response as a whole, as the shape of the root says; null if a violation reached the root. */
  data(shape: ObjectShape): Readonly<Record<string, unknown>> | null {
    const data = this.#fields(fieldsFor(shape, this.#plan.rootType), 0, 0, this.#plan.rootType, 0)
    return isViolation(data) ? null : data
  }

  /** One object of the response, which stands at `path`; null if a violation reached it. */
  object(
    shape: ObjectShape,
    occurrence: number,
    path: readonly (string | number)[],
  ): Readonly<Record<string, unknown>> | null {
    for (let depth = 0; depth < path.length; depth++) this.#path[depth] = path[depth] ?? ''
    const type = this.#occurrences.type(shape.position, occurrence)
    const data = this.#fields(fieldsFor(shape, type), shape.position, occurrence, type, path.length)
    return isViolation(data) ? null : data
  }

  /** Whether this field of the root object violates non-null, so that the response as a whole is null. */
  failsRoot(field: DataField): boolean {
    return this.#field(field, 0, 0, this.#plan.rootType, 0) === VIOLATION
  }

  #fields(
    fields: readonly ShapeField[],
    position: PositionId,
    occurrence: number,
    type: TypeId,
    depth: number,
  ): Record<string, unknown> | Violation {
    const result: Record<string, unknown> = {}
    for (const field of fields) {
      switch (field.kind) {
        case 'typename':
          write(result, field.key, this.#facts.nameOf(type))
          break
        case 'introspection':
          write(
            result,
            field.key,
            this.#introspection === null ? null : (read(this.#introspection, field.key) ?? null),
          )
          break
        case 'field': {
          const value = this.#field(field, position, occurrence, type, depth)
          if (value === VIOLATION) return field.isOfSome === true ? FRAGMENT_VIOLATION : VIOLATION
          if (value === FRAGMENT_VIOLATION) return value
          write(result, field.key, value)
          break
        }
      }
    }
    return result
  }

  #field(field: DataField, position: PositionId, occurrence: number, type: TypeId, depth: number): unknown {
    this.#path[depth] = field.key
    const { source, node } = field
    if (source === null) return this.#reentered(field, occurrence, type, depth + 1)
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
  #reentered(field: DataField, occurrence: number, type: TypeId, depth: number): unknown {
    if (field.node.kind !== 'object') return null
    const { node } = field
    const below = this.#occurrences.start(node.position, occurrence)
    const exists = below < this.#occurrences.start(node.position, occurrence + 1)
    const value = exists
      ? this.#fields(fieldsFor(node, node.type), node.position, below, node.type, depth)
      : VIOLATION
    return value === VIOLATION && !field.nonNull ? null : this.#checked(field, type, depth, value)
  }

  #checked(field: DataField, type: TypeId, depth: number, value: unknown): unknown {
    if (value === null && field.nonNull) return this.#missing(field, type, depth, false)
    return value
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
        completed = coerceLeaf(value, node.coerce, node.type, this.#facts)
        if (completed instanceof LeafError) completed = this.#invalid(field.fetch, depth, completed.message)
        break
      case 'list':
        completed = this.#list(field, node, value, parent, type, depth)
        break
      case 'object':
        completed = this.#object(field, node, value, parent, type, depth)
        break
    }
    // A violation below ends here if null is allowed here, and goes on to the parent if not.
    return completed === VIOLATION && !nonNull ? null : completed
  }

  #list(
    field: DataField,
    node: Extract<ShapeNode, { readonly kind: 'list' }>,
    value: unknown,
    parent: number,
    type: TypeId,
    depth: number,
  ): unknown {
    if (!Array.isArray(value)) {
      this.#skip(node, value)
      const coordinate = this.#coordinate(type, field)
      return this.#invalid(
        field.fetch,
        depth,
        `Expected Iterable, but did not find one for field "${coordinate}".`,
      )
    }
    const items: unknown[] = []
    const position = innermost(node)
    const first = position === null ? 0 : (this.#next[position] ?? 0)
    for (let i = 0; i < value.length; i++) {
      this.#path[depth] = i
      const raw: unknown = value[i]
      const item = this.#value(field, node.item, node.nonNullItem, raw, parent, type, depth + 1, false)
      if (isViolation(item)) {
        // A list around this one may go on, and its objects keep their numbers.
        if (position !== null) this.#next[position] = first + countObjects(value)
        return item
      }
      items.push(item)
    }
    return items
  }

  #object(
    field: DataField,
    shape: ObjectShape,
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
    return this.#fields(fieldsFor(shape, runtime), position, occurrence, runtime, depth)
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

function isViolation(value: unknown): value is Violation {
  return value === VIOLATION || value === FRAGMENT_VIOLATION
}
