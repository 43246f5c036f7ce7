/**
 * Every value of a graph, without any data: what a field gives follows from the object it is asked of, its
 * name and its arguments, and from nothing else. Subgraphs that answer from one world agree on everything
 * they share.
 *
 * Entities exist in a small number per type and are known by type and number. Any other object is known by
 * where it was found. Fields that are part of a key follow from the number in a way that tells entities apart
 * (see `keys.ts`).
 */
import type { CompiledType, FieldSet } from '@switchyard/engine'
import { hashText } from '../random/random.ts'
import type { GraphFacts } from './graph-facts.ts'
import { type Keys, entityKeys } from './keys.ts'
import { type EnumValuesIn, type Shape, shapeOf } from './shapes.ts'

export type Instance = {
  readonly type: CompiledType
  /** The identity of the object: `Product#3`, or a trace of how it was found. */
  readonly ident: string
  /** The number of an entity, which objects that are part of its keys share. Null for all other objects. */
  readonly number: number | null
}

export type Arguments = Readonly<Record<string, unknown>>

/**
 * Reads the arguments of a selection inside a directive, written as in `(unit:KG)`, and adds their defaults.
 */
export type ReadArguments = (type: CompiledType, field: string, text: string) => Arguments

export type WorldOptions = {
  readonly seed: number
  readonly enums: EnumValuesIn
  readonly isHiddenArgument: (type: string, field: string, argument: string) => boolean
  readonly readArguments: ReadArguments
}

/** No value is one that all subgraphs answering the field could give. */
export class NoCommonValueError extends Error {
  constructor(coordinate: string) {
    super(`${coordinate} has no value that all of its subgraphs know.`)
    this.name = 'NoCommonValueError'
  }
}

/** Leaves are JSON, objects are instances. */
export type WorldValue = unknown

export class World {
  readonly facts: GraphFacts
  readonly #options: WorldOptions
  readonly #keys: Keys
  readonly #shapes = new Map<string, Shape>()

  constructor(facts: GraphFacts, options: WorldOptions) {
    this.facts = facts
    this.#options = options
    this.#keys = entityKeys(facts)
  }

  root(type: CompiledType): Instance {
    return { type, ident: type.name, number: null }
  }

  /** Every entity that is of one object type. */
  entities(type: CompiledType): readonly Instance[] {
    const count = this.#keys.counts.get(type.name) ?? 0
    return Array.from({ length: count }, (_, number) => this.#entity(type, number))
  }

  value(owner: Instance, field: string, args: Arguments): WorldValue {
    return this.#value(owner, field, this.#argumentText(owner, field, args))
  }

  /** Returns the value that the field has if it is computed from inputs of another object. */
  valueOfWrongInputs(owner: Instance, field: string, args: Arguments, inputs: string): WorldValue {
    return this.#value(owner, field, `${this.#argumentText(owner, field, args)} of ${inputs}`)
  }

  /** Returns the selected fields of an object as JSON, with nested objects as far as they are selected. */
  select(owner: Instance, sel: FieldSet): Readonly<Record<string, unknown>> {
    const found: Record<string, unknown> = {}
    for (const item of this.facts.applying(sel, owner.type)) {
      const args = this.#options.readArguments(owner.type, item.name, item.args)
      const value = this.value(owner, item.name, args)
      found[item.name] = item.below === null ? value : this.#selectBelow(value, item.below)
    }
    return found
  }

  /** The order of arguments, and of fields in them, does not matter. */
  #argumentText({ type }: Instance, field: string, args: Arguments): string {
    const given = Object.entries(args).filter(
      ([name]) => !this.#options.isHiddenArgument(type.name, field, name),
    )
    return given.length === 0 ? '' : JSON.stringify(sorted(Object.fromEntries(given)))
  }

  #selectBelow(value: WorldValue, sel: FieldSet): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#selectBelow(item, sel))
    return isInstance(value) ? this.select(value, sel) : null
  }

  #value(owner: Instance, field: string, suffix: string): WorldValue {
    const coordinate = `${owner.type.name}.${field}`
    let shape = this.#shapes.get(coordinate)
    if (shape === undefined) {
      shape = shapeOf(this.facts, owner.type, field, this.#options.enums)
      this.#shapes.set(coordinate, shape)
    }
    const path = `${owner.ident}.${field}${suffix}`
    return this.#keys.fields.has(coordinate)
      ? this.#keyValue(shape, path, owner.number ?? 0, coordinate)
      : this.#freeValue(shape, path, coordinate)
  }

  #freeValue(shape: Shape, path: string, coordinate: string): WorldValue {
    const hash = hashText(`${this.#options.seed}/${path}`)
    if (!shape.nonNull && hash % 7 === 3) return null
    const { list, leaf } = shape
    if (list !== null) {
      if (isEmpty(shape)) return []
      const length = (hash >>> 4) % 4
      return Array.from({ length }, (_, at) => this.#freeValue(list, `${path}[${at}]`, coordinate))
    }
    switch (leaf.kind) {
      case 'scalar':
        return scalarValue(leaf.name, hash, path)
      case 'enum':
        return chosen(leaf.values, hash, shape, coordinate)
      case 'object': {
        const type = chosen(leaf.types, hash, shape, coordinate)
        if (type === null) return null
        if (this.#isRoot(type)) return this.root(type)
        const count = this.#keys.counts.get(type.name)
        if (count !== undefined) return this.#entity(type, (hash >>> 3) % count)
        return { type, ident: `${type.name}@${hash.toString(36)}`, number: null }
      }
      default:
        return leaf satisfies never
    }
  }

  /** Never null, never empty, and different for different numbers as far as the type has so many values. */
  #keyValue({ list, leaf }: Shape, path: string, number: number, coordinate: string): WorldValue {
    if (list !== null) {
      const length = 1 + (number % 2)
      return Array.from({ length }, (_, at) => this.#keyValue(list, `${path}[${at}]`, number, coordinate))
    }
    switch (leaf.kind) {
      case 'scalar':
        return keyScalar(leaf.name, path, number)
      case 'enum':
        return leaf.values[number % Math.max(1, leaf.values.length)] ?? fail(coordinate)
      case 'object': {
        const type = leaf.types[number % Math.max(1, leaf.types.length)] ?? fail(coordinate)
        const count = this.#keys.counts.get(type.name)
        if (count !== undefined) return this.#entity(type, number % count)
        return { type, ident: path, number }
      }
      default:
        return leaf satisfies never
    }
  }

  #entity(type: CompiledType, number: number): Instance {
    return { type, ident: `${type.name}#${number}`, number }
  }

  #isRoot({ id }: CompiledType): boolean {
    return id === this.facts.graph.roots.query
  }
}

export function isInstance(value: unknown): value is Instance {
  return (
    typeof value === 'object' && value !== null && 'ident' in value && 'number' in value && 'type' in value
  )
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sorted)
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, child]) => [key, sorted(child)]),
  )
}

/** True if the shape has no values, so that lists of it are empty. */
function isEmpty({ leaf }: Shape): boolean {
  return (
    (leaf.kind === 'object' && leaf.types.length === 0) || (leaf.kind === 'enum' && leaf.values.length === 0)
  )
}

function chosen<Item>(items: readonly Item[], hash: number, shape: Shape, coordinate: string): Item | null {
  const item = items[(hash >>> 5) % Math.max(1, items.length)]
  if (item !== undefined) return item
  return shape.nonNull ? fail(coordinate) : null
}

function fail(coordinate: string): never {
  throw new NoCommonValueError(coordinate)
}

function scalarValue(name: string, hash: number, path: string): unknown {
  switch (name) {
    case 'Int':
      return hash % 1000
    case 'Float':
      return (hash % 1000) / 4
    case 'Boolean':
      return (hash >>> 7) % 2 === 0
    case 'ID':
      return `id-${hash.toString(36)}`
    case 'String':
      return path
    default:
      return (hash >>> 7) % 3 === 0 ? hash % 100 : path
  }
}

/** `path` holds the number, and the type, so that keys of different types differ as well. */
function keyScalar(name: string, path: string, number: number): unknown {
  switch (name) {
    case 'Int':
      return (hashText(path) % 100_000) * 10 + number
    case 'Float':
      return (hashText(path) % 100_000) * 10 + number + 0.5
    case 'Boolean':
      return number % 2 === 0
    default:
      return path
  }
}
