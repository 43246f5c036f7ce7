/**
 * Subgraphs made from a supergraph: each serves its own part of the schema, and all answer from one world
 * (`world.ts`).
 *
 * They are as strict as the schema lets them be, so that a wrong question does not get a right answer. A
 * field that is external throws unless the path provides it or it is part of a key; a field that another
 * subgraph overrides throws; a field with `@requires` compares its inputs with those of the object, gives
 * another value when they differ, and throws without them; a representation must hold a whole key that the
 * subgraph resolves.
 */
import { type CompiledType, compileSupergraph, isJsonObject, type FieldSet } from '@switchyard/engine'
import {
  type DocumentNode,
  execute,
  type GraphQLFormattedError,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  parse,
  validate,
} from 'graphql'
import { readDefinitions } from './definitions.ts'
import { GraphFacts } from './graph-facts.ts'
import { inputsAgree, References, type Representation } from './references.ts'
import { subgraphSchema } from './subgraph-schema.ts'
import { type Arguments, type Instance, isInstance, World } from './world.ts'

export type SampleOptions = {
  readonly supergraphSdl: string
  /** Other numbers, other values. */
  readonly seed?: number
  /** Active labels of progressive overrides; none by default. */
  readonly labels?: ReadonlySet<string>
}

export type SampleQuestion = {
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>>
}

export type SampleAnswer = {
  readonly data?: Readonly<Record<string, unknown>> | null
  readonly errors?: readonly GraphQLFormattedError[]
}

export type SampleSubgraphs = {
  readonly names: readonly string[]
  readonly world: World
  /** The answer of one subgraph, named as in `join__graph(name:)`. Plain JSON. */
  ask(subgraph: string, question: SampleQuestion): Promise<SampleAnswer>
}

/** Throws SupergraphError where the engine would not load the supergraph either. */
export function sampleSubgraphs({ supergraphSdl, seed = 0, labels }: SampleOptions): SampleSubgraphs {
  const graph = compileSupergraph(supergraphSdl)
  const facts = new GraphFacts(graph)
  const definitions = readDefinitions(supergraphSdl, graph)
  const world = new World(facts, { ...definitions, seed })
  const references = new References(world)
  const active = new Set(graph.labels.flatMap((label, index) => (labels?.has(label) === true ? [index] : [])))
  const opened = new Map<string, SampleSubgraph>()
  return {
    names: graph.subgraphs.map(({ name }) => name),
    world,
    async ask(name, question) {
      let subgraph = opened.get(name)
      if (subgraph === undefined) {
        const sub = graph.subgraphs.findIndex((candidate) => candidate.name === name)
        if (sub === -1) throw new RangeError(`"${name}" is no subgraph of this graph.`)
        const schema = subgraphSchema(facts, definitions, sub)
        subgraph = new SampleSubgraph({ name, sub, schema, world, references, active })
        opened.set(name, subgraph)
      }
      return await subgraph.answer(question)
    },
  }
}

type Parts = {
  readonly name: string
  readonly sub: number
  readonly schema: GraphQLSchema
  readonly world: World
  readonly references: References
  readonly active: ReadonlySet<number>
}

/** An object on its way through a subgraph. */
class Held {
  readonly instance: Instance
  /** The type it has in this subgraph: an interface, where that is an object here. */
  readonly typename: string
  readonly provided: FieldSet
  readonly representation: Representation | null

  constructor(
    instance: Instance,
    typename: string,
    provided: FieldSet,
    representation: Representation | null,
  ) {
    this.instance = instance
    this.typename = typename
    this.provided = provided
    this.representation = representation
  }
}

type Checked = { readonly document: DocumentNode; readonly errors: readonly GraphQLFormattedError[] }

const MOST_DOCUMENTS = 500

class SampleSubgraph {
  readonly #parts: Parts
  readonly #documents = new Map<string, Checked>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async answer({ query, variables = {} }: SampleQuestion): Promise<SampleAnswer> {
    const { document, errors } = this.#check(query)
    if (errors.length > 0) return { errors }
    const result = await execute({
      schema: this.#parts.schema,
      document,
      variableValues: variables,
      fieldResolver: (source: unknown, args: Arguments, _: unknown, info) =>
        this.#resolve(source, args, info),
      typeResolver: (value) => (value instanceof Held ? value.typename : undefined),
    })
    // Without the prototypes that graphql-js gives its results.
    return JSON.parse(JSON.stringify(result))
  }

  #check(query: string): Checked {
    let checked = this.#documents.get(query)
    if (checked === undefined) {
      const document = parse(query, { noLocation: true })
      const errors = validate(this.#parts.schema, document).map((error) => error.toJSON())
      checked = { document, errors }
      if (this.#documents.size >= MOST_DOCUMENTS) this.#documents.clear()
      this.#documents.set(query, checked)
    }
    return checked
  }

  #resolve(source: unknown, args: Arguments, info: GraphQLResolveInfo): unknown {
    const { facts } = this.#parts.world
    if (info.fieldName === '_service') return { sdl: '' }
    if (info.fieldName === '_entities') return this.#entities(args['representations'])
    const type = facts.typeNamed(info.parentType.name)
    const held = source instanceof Held ? source : new Held(this.#parts.world.root(type), type.name, [], null)
    return this.#field(held, type, info.fieldName, args)
  }

  #entities(representations: unknown): unknown {
    if (!Array.isArray(representations)) throw new Error('Representations are a list')
    // Each on its own, so that one that is wrong spoils its own entity only.
    return representations.map(async (representation: unknown) => this.#entity(representation))
  }

  #entity(representation: unknown): Held | null {
    const { name, sub, world, references } = this.#parts
    if (!isJsonObject(representation)) throw new Error(`${name} was sent no representation`)
    const type = world.facts.typeNamed(String(representation['__typename']))
    const found = references.find(type, sub, representation)
    if (found === null) return null
    const typename = world.facts.isInterfaceObject(type, sub) ? type.name : found.type.name
    return new Held(found, typename, [], representation)
  }

  #field(held: Held, type: CompiledType, field: string, args: Arguments): unknown {
    const { name, sub, world, active } = this.#parts
    const { facts } = world
    const edge = facts.field(type, field)?.edges.find((candidate) => candidate.sub === sub)
    if (edge !== undefined && edge.label !== -1 && active.has(edge.label) !== edge.wantLabel)
      throw new Error(`${type.name}.${field} of ${name} is overridden by another subgraph`)
    const granted = facts.applying(held.provided, held.instance.type).filter((item) => item.name === field)
    const isExternal = edge === undefined || edge.external
    if (isExternal && granted.length === 0 && !isKeyField(type, sub, field))
      throw new Error(`${type.name}.${field} is external to ${name} and not provided here`)
    const requires = edge?.requires ?? null
    const value =
      requires === null
        ? world.value(held.instance, field, args)
        : this.#computed(held, type, field, requires.fieldSet, args)
    const provided = [...(edge?.provides ?? []), ...granted.flatMap((item) => item.below ?? [])]
    return this.#hold(value, provided, facts.named(edge?.type ?? facts.declaredField(type, field).type))
  }

  #computed(held: Held, type: CompiledType, field: string, requires: FieldSet, args: Arguments): unknown {
    const { name, world } = this.#parts
    const { instance, representation } = held
    if (representation === null) throw new Error(`${type.name}.${field} of ${name} was asked without inputs`)
    return inputsAgree(world, instance, requires, representation, type.name)
      ? world.value(instance, field, args)
      : world.valueOfWrongInputs(instance, field, args, JSON.stringify(representation))
  }

  #hold(value: unknown, provided: FieldSet, declared: CompiledType): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#hold(item, provided, declared))
    if (!isInstance(value)) return value
    const { sub, world } = this.#parts
    const typename = world.facts.isInterfaceObject(declared, sub) ? declared.name : value.type.name
    return new Held(value, typename, provided, null)
  }
}

function isKeyField(type: CompiledType, sub: number, field: string): boolean {
  return type.presence.some(
    (presence) =>
      presence.sub === sub &&
      presence.keys.some(({ fieldSet: sel }) =>
        sel.some((item) => item.kind === 'field' && item.name === field),
      ),
  )
}
