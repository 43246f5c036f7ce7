/**
 * A suite without hand-written data: the whole schema and the subgraphs' SDL are all there is, and every
 * value follows from where it is asked for. A case is therefore text, and any smaller text that still
 * composes is a smaller case.
 */
import {
  assertValidSchema,
  buildSchema,
  getArgumentValues,
  type GraphQLObjectType,
  type GraphQLSchema,
  isEnumType,
  isInterfaceType,
  isObjectType,
  isUnionType,
  Kind,
  parseType,
  type SelectionSetNode,
  type TypeNode,
} from 'graphql'
import { concreteTypes, worldSchema } from '../harness/monolith.ts'
import { readSubgraphFacts } from '../harness/subgraph-facts.ts'
import type { ComputedField, FieldFunction, Inputs, Row, Suite, Tables } from '../harness/suite.ts'
import { clientSdl, HIDDEN_DIRECTIVE } from './client-schema.ts'
import { hashText } from '@switchyard/samples'
import { readSubgraphTypes, type SubgraphTypes } from './split-facts.ts'
import {
  argumentText,
  computedValue,
  entityRows,
  EVENT,
  fieldValue,
  INSTANCES,
  type Leaf,
  type Shape,
} from './values.ts'

export type World = {
  /** The schema with everything that clients do not see, marked `@inaccessible`. */
  readonly whole: string
  /** SDL by name. */
  readonly subgraphs: Readonly<Record<string, string>>
  /** Another salt, other values. */
  readonly salt: number
  /** The percentage of fields that fail at some of their objects. */
  readonly failing: number
}

/** The split leaves a field without any value that all of its subgraphs could give. */
export class NoCommonValue extends Error {}

export function worldSuite(world: World, name = 'generated'): Suite {
  const whole = `${HIDDEN_DIRECTIVE}\n${world.whole}`
  assertValidSchema(buildSchema(whole))
  const schema = worldSchema(whole)
  const builder = new WorldBuilder(world, schema)
  return {
    name,
    monolith: clientSdl(whole),
    whole,
    tables: () => builder.tables(),
    ...builder.resolvers(),
    subgraphs: Object.fromEntries(
      Object.entries(world.subgraphs).map(([name, sdl]) => [
        name,
        { sdl, missingRow: (row: Row) => builder.isMissing(name, row) },
      ]),
    ),
    operations: [],
  }
}

type Required = { readonly type: string; readonly field: string; readonly selection: SelectionSetNode }

class WorldBuilder {
  readonly #world: World
  readonly #schema: GraphQLSchema
  readonly #subgraphs: readonly SubgraphTypes[]
  readonly #entities = new Set<string>()
  readonly #required = new Map<string, Required>()
  /**
   * Fields that never fail: those that keys and requirements read, since what else is lost with them depends
   * on the plan; and those that an interface object adds to types it does not know, since they are asked for
   * at objects of every type.
   */
  readonly #spared = new Set<string>()
  readonly #shapes = new Map<string, Shape>()
  /** Subgraphs that answer a field in some place, by coordinate. */
  readonly #sources = new Map<string, readonly string[]>()
  /**
   * Entities that a subgraph has no record of: for each type there, the number of one. As `subgraph/Type`.
   */
  readonly #missing = new Map<string, number>()
  #narrowed = false

  constructor(world: World, schema: GraphQLSchema) {
    this.#world = world
    this.#schema = schema
    this.#subgraphs = Object.entries(world.subgraphs).map(([name, sdl]) => readSubgraphTypes(name, sdl))
    for (const sdl of Object.values(world.subgraphs)) {
      for (const type of readSubgraphFacts(sdl).values()) {
        for (const { selection } of type.keys) {
          for (const concrete of concreteTypes(schema, type.name)) this.#entities.add(concrete)
          this.#spare(selection)
        }
        for (const { name, requires } of type.fields.values()) {
          if (type.interfaceObject) this.#spared.add(name)
          if (requires === null) continue
          this.#required.set(`${type.name}.${name}`, { type: type.name, field: name, selection: requires })
          this.#spare(requires)
        }
      }
    }
    for (const type of Object.values(schema.getTypeMap())) {
      if (!isObjectType(type) || type.name.startsWith('__')) continue
      for (const field of Object.values(type.getFields())) this.#shape(type, field.name)
    }
    if (world.failing > 0) this.#loseEntities()
  }

  isMissing(subgraph: string, { __typename, index }: Row): boolean {
    return index !== undefined && this.#missing.get(`${subgraph}/${__typename}`) === index
  }

  /**
   * Only where it makes no difference who is asked: nobody else answers what the subgraph adds to the type,
   * nothing requires it, no other key is had from there, and nobody finds out there what an object is. Not by
   * keys with objects in them, either: what else those have would be lost with the entity, and is not where
   * they are given.
   */
  #loseEntities(): void {
    for (const [subgraph, sdl] of Object.entries(this.#world.subgraphs)) {
      for (const { name, kind, keys, interfaceObject, fields } of readSubgraphFacts(sdl).values()) {
        const hash = hashText(`${this.#world.salt} loses ${subgraph}/${name}`)
        if (kind !== 'object' || interfaceObject || keys.length !== 1 || hash % 2 === 0) continue
        if (this.#isBehindInterfaceObject(name) || hasObjects(keys[0]?.selection)) continue
        const added = [...fields.values()].filter(
          (field) => !field.external && !isInSelection(keys[0]?.selection, field.name),
        )
        const isLosable = added.every(
          (field) =>
            field.requires === null &&
            !this.#spared.has(field.name) &&
            this.#sources.get(`${name}.${field.name}`)?.length === 1 &&
            this.#shapes.get(`${name}.${field.name}`)?.nonNull === false,
        )
        if (isLosable && added.length > 0) this.#missing.set(`${subgraph}/${name}`, hash % INSTANCES)
      }
    }
  }

  #isBehindInterfaceObject(name: string): boolean {
    const type = this.#schema.getType(name)
    if (!isObjectType(type)) return false
    return type
      .getInterfaces()
      .some((parent) => this.#subgraphs.some((subgraph) => subgraph.runtime(parent.name) === null))
  }

  tables(): Tables {
    const rows = [...this.#entities].map((type) => [type, entityRows(type)] as const)
    return { ...Object.fromEntries(rows), $log: [] }
  }

  resolvers(): {
    readonly fields: Readonly<Record<string, FieldFunction>>
    readonly computed: Readonly<Record<string, ComputedField>>
  } {
    const fields: Record<string, FieldFunction> = {}
    const computed: Record<string, ComputedField> = {}
    for (const type of Object.values(this.#schema.getTypeMap())) {
      if (!isObjectType(type) || type.name.startsWith('__')) continue
      for (const { name } of Object.values(type.getFields())) {
        const required = this.#requiredOf(type, name)
        if (required === null) fields[`${type.name}.${name}`] = this.#resolver(type, name)
        else computed[`${required.type}.${name}`] = this.#computed(required, type)
      }
    }
    return { fields, computed }
  }

  #resolver(type: GraphQLObjectType, field: string): FieldFunction {
    const shape = this.#shape(type, field)
    const visible = type.getFields()[field]?.args.filter(({ astNode }) => astNode?.directives?.length === 0)
    const known = new Set(visible?.map(({ name }) => name))
    return (row, args, tables) => {
      // Arguments that only some subgraphs declare, or that clients do not see, are none of the graph's.
      const given = Object.fromEntries(Object.entries(args).filter(([name]) => known.has(name)))
      const [source, second] = this.#sources.get(`${type.name}.${field}`) ?? []
      if (second === undefined && this.isMissing(source ?? '', row) && !this.#spared.has(field)) return null
      const log = tables['$log'] ?? []
      const owner = ownerOf(type.name, row, tables)
      if (type.name === 'Mutation') log.push({ __typename: 'Change' })
      this.#failSometimes(
        type.name,
        field,
        shape,
        `${owner.__typename}${String(owner['ident'])}${argumentText(given)}`,
      )
      return fieldValue(this.#world.salt, owner, field, shape, given, tables)
    }
  }

  #computed(required: Required, type: GraphQLObjectType): ComputedField {
    const shape = this.#shape(type, required.field)
    return {
      compute: (inputs, args) => {
        const text = `${required.field}${JSON.stringify(restricted(inputs, required.selection, this.#schema))}${argumentText(args)}`
        this.#failSometimes(required.type, required.field, shape, text)
        return computedValue(this.#world.salt, text, shape)
      },
      inputs: (row, tables) => this.#inputs(row, required.selection, tables),
    }
  }

  /** Returns the fields of an object that the selection selects, as a gateway would have them. */
  #inputs(row: Row, selection: SelectionSetNode, tables: Tables): Inputs {
    const found: Record<string, unknown> = { __typename: row.__typename }
    for (const node of selection.selections) {
      if (node.kind === Kind.INLINE_FRAGMENT) {
        if (!applies(this.#schema, node.typeCondition?.name.value, row.__typename)) continue
        Object.assign(found, this.#inputs(row, node.selectionSet, tables))
      } else if (node.kind === Kind.FIELD && node.name.value !== '__typename') {
        const type = this.#schema.getType(row.__typename) as GraphQLObjectType
        const field = type.getFields()[node.name.value]
        if (field === undefined) throw new Error(`${type.name} has no field ${node.name.value}`)
        const args = getArgumentValues(field, node)
        const required = this.#requiredOf(type, field.name)
        const value =
          required === null
            ? this.#resolver(type, field.name)(row, args, tables)
            : this.#computed(required, type).compute(this.#inputs(row, required.selection, tables), args)
        const below = node.selectionSet
        found[field.name] = below === undefined ? value : this.#inputsOfAll(value, below, tables)
      }
    }
    return found
  }

  #inputsOfAll(value: unknown, selection: SelectionSetNode, tables: Tables): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#inputsOfAll(item, selection, tables))
    return value === null ? null : this.#inputs(value as Row, selection, tables)
  }

  /** Written on the type itself, or on an interface that a subgraph knows as an object. */
  #requiredOf(type: GraphQLObjectType, field: string): Required | null {
    const owners = [type.name, ...type.getInterfaces().map(({ name }) => name)]
    for (const owner of owners) {
      const required = this.#required.get(`${owner}.${field}`)
      if (required !== undefined) return required
    }
    return null
  }

  #failSometimes(type: string, field: string, shape: Shape, path: string): void {
    const { salt, failing } = this.#world
    if (failing === 0 || this.#spared.has(field) || field === 'stamp') return
    if (shape.nonNull && this.#narrowed) return
    if (hashText(`${salt} fails ${field}`) % 100 >= failing) return
    if (hashText(`${salt} fails ${field} at ${path}`) % 3 === 0)
      throw new Error(`${type}.${field} fails here`)
  }

  #spare(selection: SelectionSetNode): void {
    for (const node of selection.selections) {
      if (node.kind === Kind.FIELD) this.#spared.add(node.name.value)
      if (node.kind !== Kind.FRAGMENT_SPREAD && node.selectionSet !== undefined)
        this.#spare(node.selectionSet)
    }
  }

  #shape(type: GraphQLObjectType, field: string): Shape {
    const coordinate = `${type.name}.${field}`
    const known = this.#shapes.get(coordinate)
    if (known !== undefined) return known
    const sources = this.#subgraphs.flatMap((subgraph) => {
      const owners = [type.name, ...type.getInterfaces().map(({ name }) => name)]
      const declared = owners
        .filter((owner) => owner === type.name || subgraph.runtime(owner) === null)
        .map((owner) => subgraph.fields.get(`${owner}.${field}`))
        .find((found) => found !== undefined)
      return declared === undefined ? [] : [{ subgraph, type: declared }]
    })
    this.#sources.set(
      coordinate,
      sources.map(({ subgraph }) => subgraph.name),
    )
    const whole = parseType(String(type.getFields()[field]?.type))
    const leaf = this.#leaf(whole, sources)
    const shape = this.#narrow(
      whole,
      sources.map(({ type }) => type),
      leaf,
    )
    if (leaf.kind === 'object' && leaf.types.length === 0 && neverEmpty(shape))
      throw new NoCommonValue(coordinate)
    this.#shapes.set(coordinate, shape)
    return shape
  }

  #leaf(
    whole: TypeNode,
    sources: readonly { readonly subgraph: SubgraphTypes; readonly type: TypeNode }[],
  ): Leaf {
    const name = nameOf(whole)
    const type = this.#schema.getType(name)
    if (isEnumType(type)) {
      const values = type.getValues().map(({ name }) => name)
      const known = sources.map(({ subgraph }) => subgraph.enums.get(name) ?? [])
      return { kind: 'enum', values: values.filter((value) => known.every((some) => some.includes(value))) }
    }
    if (!isObjectType(type) && !isInterfaceType(type) && !isUnionType(type)) return { kind: 'scalar', name }
    const runtime = sources.map(({ subgraph, type }) => subgraph.runtime(nameOf(type)))
    const types = concreteTypes(this.#schema, name).filter((candidate) =>
      runtime.every((some) => some === null || some.includes(candidate)),
    )
    return { kind: 'object', types }
  }

  #narrow(whole: TypeNode, declared: readonly TypeNode[], leaf: Leaf): Shape {
    const nonNull = [whole, ...declared].some(({ kind }) => kind === Kind.NON_NULL_TYPE)
    if (nonNull && whole.kind !== Kind.NON_NULL_TYPE) this.#narrowed = true
    const inner = bare(whole)
    if (inner.kind !== Kind.LIST_TYPE) return { nonNull, list: null, leaf }
    const items = declared.map(bare).flatMap((type) => (type.kind === Kind.LIST_TYPE ? [type.type] : []))
    return { nonNull, list: this.#narrow(inner.type, items, leaf), leaf }
  }
}

/** Returns the object that the value of a field follows from: changes and events are objects of their own. */
function ownerOf(type: string, row: Row, tables: Tables): Row {
  switch (type) {
    case 'Mutation':
      return { __typename: `Mutation ${tables['$log']?.length ?? 0}` }
    case 'Subscription':
      return tables[EVENT]?.[0] ?? row
    default:
      return row
  }
}

function isInSelection(selection: SelectionSetNode | undefined, field: string): boolean {
  return selection?.selections.some((node) => node.kind === Kind.FIELD && node.name.value === field) === true
}

function hasObjects(selection: SelectionSetNode | undefined): boolean {
  return (
    selection?.selections.some((node) => node.kind === Kind.FIELD && node.selectionSet !== undefined) === true
  )
}

/** No null and no empty list can stand for a missing value. */
function neverEmpty({ nonNull, list }: Shape): boolean {
  return list === null ? nonNull : neverEmpty(list)
}

function bare(type: TypeNode): TypeNode {
  return type.kind === Kind.NON_NULL_TYPE ? type.type : type
}

function nameOf(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : nameOf(type.type)
}

function applies(schema: GraphQLSchema, condition: string | undefined, type: string): boolean {
  return condition === undefined || concreteTypes(schema, condition).includes(type)
}

/** Returns the part of the inputs that a requirement may read, in the order of its selection. */
function restricted(value: unknown, selection: SelectionSetNode, schema: GraphQLSchema): unknown {
  if (Array.isArray(value)) return value.map((item) => restricted(item, selection, schema))
  if (typeof value !== 'object' || value === null) return value
  const inputs = value as Inputs
  return selection.selections.map((node) => {
    if (node.kind === Kind.FIELD) {
      const child = inputs[node.name.value]
      return node.selectionSet === undefined ? plain(child) : restricted(child, node.selectionSet, schema)
    }
    if (node.kind !== Kind.INLINE_FRAGMENT) return null
    const condition = node.typeCondition?.name.value
    const holds = condition === undefined || applies(schema, condition, String(inputs['__typename']))
    return holds ? restricted(inputs, node.selectionSet, schema) : null
  })
}

function plain(value: unknown): unknown {
  return value === undefined ? null : JSON.parse(argumentText({ value }))
}
