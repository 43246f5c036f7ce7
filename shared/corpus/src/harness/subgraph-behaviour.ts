/**
 * A subgraph that answers what its SDL says it answers, and nothing else.
 *
 * Rules, each a trap for a planner:
 * - an `@external` field throws unless the path provides it, or it is a key field of an extension;
 * - a field that another subgraph overrides throws; under a label it throws while that is active, else the
 *   new one does;
 * - a `@requires` field computes from the representation only; without one, or with an input missing, it
 *   throws;
 * - a representation must hold one resolvable key exactly, plus nothing but inputs of some `@requires` of
 *   that type.
 */
import { isRecord } from '@switchyard/values'
import { InProcessSubgraph } from '@switchyard/testkit'
import type { SubgraphResolvers } from '@switchyard/testkit'
import { Kind } from 'graphql'
import type { GraphQLSchema, SelectionSetNode } from 'graphql'
import { concreteTypes, ROOT, worldField } from './monolith.ts'
import { findRow, holdsAll, isRow } from './references.ts'
import { surplusOf } from './representation-rules.ts'
import { readSubgraphFacts } from './subgraph-facts.ts'
import type { FieldFacts, TypeFacts } from './subgraph-facts.ts'
import type { Arguments, Inputs, Row, Suite, SuiteSubgraph, Tables } from './suite.ts'

const INPUTS = Symbol('representation')
const PROVIDED = Symbol('provided')
/**
 * The type a row has in the world: the subgraph library writes the name of the interface object over
 * `__typename`.
 */
const CONCRETE = Symbol('concrete type')

type SubgraphRow = Row & {
  readonly [INPUTS]?: Inputs
  readonly [PROVIDED]?: SelectionSetNode
  readonly [CONCRETE]?: string
}

export type CorpusSubgraph = {
  readonly server: InProcessSubgraph
  /** Representations that break the rules, in words. Empty after a correct run. */
  readonly complaints: string[]
  /** Describes the needless data that the calls so far have sent. */
  surplus(): readonly string[]
}

export function createSubgraphs(
  suite: Suite,
  schema: GraphQLSchema,
  labels: ReadonlySet<string> = new Set(),
): ReadonlyMap<string, CorpusSubgraph> {
  const facts = new Map(
    Object.entries(suite.subgraphs).map(([name, { sdl }]) => [name, readSubgraphFacts(sdl)] as const),
  )
  const overridden = new Set<string>()
  for (const [name, types] of facts) {
    for (const type of types.values()) {
      for (const { name: field, overrides } of type.fields.values()) {
        if (overrides === null) continue
        const moved = overrides.label === null || labels.has(overrides.label)
        overridden.add(`${moved ? overrides.from : name}/${type.name}.${field}`)
      }
    }
  }
  return new Map(
    Object.entries(suite.subgraphs).map(([name, subgraph]) => {
      const types = facts.get(name) ?? new Map<string, TypeFacts>()
      return [name, createSubgraph({ suite, schema, name, subgraph, types, overridden, complaints: [] })]
    }),
  )
}

type Context = {
  readonly suite: Suite
  readonly schema: GraphQLSchema
  readonly name: string
  readonly subgraph: SuiteSubgraph
  readonly types: ReadonlyMap<string, TypeFacts>
  /** Fields that another subgraph answers, as `subgraph/Type.field`. */
  readonly overridden: ReadonlySet<string>
  readonly complaints: string[]
}

type Resolver = (row: SubgraphRow | undefined, args: Arguments, tables: Tables) => unknown

function createSubgraph(context: Context): CorpusSubgraph {
  const resolvers: SubgraphResolvers = {}
  for (const type of context.types.values()) {
    const fields: Record<string, Resolver> = {}
    if (type.kind === 'object') {
      for (const field of type.fields.values()) {
        fields[field.name] = (row, args, tables) =>
          resolveField(context, type, field, row ?? ROOT, args, tables)
      }
    }
    // Asynchronous, so that one that throws spoils its own entity and not the whole list.
    const __resolveReference = async (representation: Inputs, tables: Tables) =>
      resolveReference(context, type, representation, tables)
    const isEntity = type.keys.some((key) => key.resolvable)
    resolvers[type.name] = isEntity ? { ...fields, __resolveReference } : fields
  }
  const server = new InProcessSubgraph({ name: context.name, sdl: context.subgraph.sdl, resolvers })
  return {
    server,
    complaints: context.complaints,
    surplus: () =>
      server.calls.flatMap((call) =>
        surplusOf(call, context.types, (condition, type) => appliesTo(context, condition, type)),
      ),
  }
}

function resolveField(
  context: Context,
  type: TypeFacts,
  field: FieldFacts,
  source: SubgraphRow,
  args: Arguments,
  tables: Tables,
): unknown {
  const { suite, subgraph, name } = context
  const concrete = source[CONCRETE]
  const row = concrete === undefined ? source : { ...source, __typename: concrete }
  // An interface object stands for rows of concrete types.
  const owner = type.interfaceObject ? type.name : row === ROOT ? type.name : row.__typename
  const coordinate = `${owner === 'Query' ? type.name : owner}.${field.name}`
  if (context.overridden.has(`${name}/${type.name}.${field.name}`)) {
    throw new Error(`${coordinate} of ${name} is overridden by another subgraph`)
  }
  const provided =
    row[PROVIDED] === undefined ? null : selectionOf(context, row[PROVIDED], row.__typename, field.name)
  if (field.external && provided === null && !isReadableKeyField(type, field.name)) {
    throw new Error(`${coordinate} is external to ${name} and not provided on this path`)
  }
  const value =
    field.requires === null
      ? (subgraph.fields?.[coordinate] ?? worldFieldOf(context, type, row, field.name))(row, args, tables)
      : computeField(context, type, field, row, args)
  const further = [field.provides, provided].filter((selection) => selection !== null)
  if (further.length === 0) return value
  const selection: SelectionSetNode = {
    kind: Kind.SELECTION_SET,
    selections: further.flatMap(({ selections }) => selections),
  }
  return selection.selections.length === 0 ? value : withProvided(value, selection, suite)
}

/**
 * A field of an interface object may be written in the world per concrete type, or once for the interface.
 */
function worldFieldOf(context: Context, type: TypeFacts, row: SubgraphRow, field: string) {
  const own = `${type.name}.${field}`
  const concrete = `${row.__typename}.${field}`
  // All root types have the row of the query root.
  const [first, second] = row === ROOT ? [own, concrete] : [concrete, own]
  return worldField(context.suite, context.suite.fields?.[first] === undefined ? second : first)
}

function computeField(
  context: Context,
  type: TypeFacts,
  field: FieldFacts,
  row: SubgraphRow,
  args: Arguments,
): unknown {
  const inputs = row[INPUTS]
  if (inputs === undefined)
    throw new Error(`${type.name}.${field.name} of ${context.name} was asked without inputs`)
  const candidates = [type.name, ...concreteTypes(context.schema, type.name)]
  for (const candidate of candidates) {
    const computed = context.suite.computed?.[`${candidate}.${field.name}`]
    if (computed !== undefined) return computed.compute(guarded(inputs, type.name), args)
  }
  throw new Error(`The suite has no computed field ${type.name}.${field.name}`)
}

function isReadableKeyField(type: TypeFacts, field: string): boolean {
  return type.extension && type.keys.some(({ selection }) => fieldNames(selection).includes(field))
}

function resolveReference(
  context: Context,
  type: TypeFacts,
  representation: Inputs,
  tables: Tables,
): SubgraphRow | null {
  checkRepresentation(context, type, representation)
  if (context.subgraph.missing?.(representation) === true) return null
  const row = findRow(context.suite, context.schema, type, representation, tables)
  if (row === null || context.subgraph.missingRow?.(row) === true) return null
  return { ...row, [INPUTS]: representation, [CONCRETE]: row.__typename }
}

function checkRepresentation({ complaints, name }: Context, type: TypeFacts, representation: Inputs): void {
  const complain = (why: string) => complaints.push(`${name}: ${why}: ${JSON.stringify(representation)}`)
  if (representation['__typename'] !== type.name) complain(`not a representation of ${type.name}`)
  const key = type.keys.find(({ selection, resolvable }) => resolvable && holdsAll(representation, selection))
  if (key === undefined) complain(`holds no whole resolvable key of ${type.name}`)
  const known = new Set(['__typename'])
  for (const { selection } of type.keys) for (const field of fieldNames(selection)) known.add(field)
  for (const { requires } of type.fields.values()) {
    if (requires !== null) for (const field of fieldNames(requires)) known.add(field)
  }
  for (const field of Object.keys(representation)) {
    if (!known.has(field)) complain(`"${field}" is neither a key field nor required`)
  }
}

function fieldNames(selection: SelectionSetNode): readonly string[] {
  return selection.selections.flatMap((node) => {
    if (node.kind === Kind.FIELD) return [node.name.value]
    return node.kind === Kind.INLINE_FRAGMENT ? fieldNames(node.selectionSet) : []
  })
}

/**
 * Returns the selection that `selection` has below `field` for an object of a type. Null if it does not
 * select the field.
 */
function selectionOf(
  context: Context,
  selection: SelectionSetNode,
  typename: string,
  field: string,
): SelectionSetNode | null {
  const granted = selection.selections.flatMap((node) => {
    if (node.kind === Kind.FIELD)
      return node.name.value === field ? [node.selectionSet?.selections ?? []] : []
    if (node.kind !== Kind.INLINE_FRAGMENT) return []
    if (!appliesTo(context, node.typeCondition?.name.value, typename)) return []
    const inner = selectionOf(context, node.selectionSet, typename, field)
    return inner === null ? [] : [inner.selections]
  })
  return granted.length === 0 ? null : { kind: Kind.SELECTION_SET, selections: granted.flat() }
}

function appliesTo({ schema }: Context, condition: string | undefined, typename: string): boolean {
  return condition === undefined || concreteTypes(schema, condition).includes(typename)
}

function withProvided(value: unknown, selection: SelectionSetNode, suite: Suite): unknown {
  if (Array.isArray(value)) return value.map((item) => withProvided(item, selection, suite))
  return isRow(value) ? { ...value, [PROVIDED]: selection } : value
}

/** Throws where an input is read that was not sent; null is a value. */
function guarded(inputs: Inputs, path: string): Inputs {
  return new Proxy(inputs, {
    get(target, name) {
      if (typeof name === 'symbol') return Reflect.get(target, name)
      if (!Object.hasOwn(target, name)) throw new Error(`The required input ${path}.${name} was not sent`)
      return guardedValue(target[name], `${path}.${name}`)
    },
  })
}

function guardedValue(value: unknown, path: string): unknown {
  if (Array.isArray(value)) return value.map((item, index) => guardedValue(item, `${path}.${index}`))
  return isRecord(value) ? guarded(value, path) : value
}
