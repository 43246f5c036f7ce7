/** Random costs for a graph, and what an answer costs by them: a model of what the engine counts. */
import {
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  getNullableType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isLeafType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  type SelectionNode,
  type ValueNode,
  visit,
} from 'graphql'
import type { CompiledGraph } from '@switchyard/engine'
import { hashText } from '@switchyard/samples'
import type { SuiteOperation } from '../harness/suite.ts'

export type Costs = NonNullable<CompiledGraph['costs']>
type Data = Readonly<Record<string, unknown>>

/** Under which objects say their types in answers to operations `withTypes`. */
const TYPE_KEY = 'costly_type'

/** About half of all types and fields cost something of their own; the same for the same seed. */
export function randomCosts(compiled: CompiledGraph, seed: number): Costs {
  const weight = (coordinate: string, percent: number): number | null => {
    const hash = hashText(`${seed} ${coordinate}`)
    return hash % 100 < percent ? (hash >>> 8) % 7 : null
  }
  const types = compiled.types.flatMap(({ name }) => {
    const own = weight(name, 50)
    return own === null ? [] : [[name, own] as const]
  })
  const fields = compiled.types.flatMap(({ name: type, fields }) =>
    fields.map(({ name }) => {
      const coordinate = `${type}.${name}`
      const args = ARGUMENTS.map((argument) => {
        const own = weight(`${coordinate}(${argument})`, 40) ?? 0
        return [argument, { weight: own, input: null, absent: undefined }] as const
      })
      return [coordinate, { weight: weight(coordinate, 30), list: null, args: new Map(args) }] as const
    }),
  )
  return { types: new Map(types), fields: new Map(fields), inputs: new Map() }
}

/** Names of arguments that many fields of the corpus have. */
const ARGUMENTS = ['id', 'ids', 'first', 'limit', 'by', 'unit', 'input', 'a', 'b', 'n', 'text']

/** The same operation, with every object saying of which type it is. */
export function withTypes(operation: SuiteOperation): SuiteOperation {
  const named: SelectionNode = {
    kind: Kind.FIELD,
    alias: { kind: Kind.NAME, value: TYPE_KEY },
    name: { kind: Kind.NAME, value: '__typename' },
  }
  const document = visit(parse(operation.query), {
    Field: ({ selectionSet, ...field }) =>
      selectionSet === undefined
        ? undefined
        : { ...field, selectionSet: { ...selectionSet, selections: [named, ...selectionSet.selections] } },
  })
  return { ...operation, query: print(document) }
}

/** Returns the cost of an answer, or of a part of one. */
export function modelCost(
  schema: GraphQLSchema,
  operation: SuiteOperation,
  data: Data | null,
  costs: Costs,
): number {
  return new Model(schema, operation, costs).of(data)
}

class Model {
  readonly #schema: GraphQLSchema
  readonly #costs: Costs
  readonly #operation: OperationDefinitionNode
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly #variables: ReadonlyMap<string, unknown>

  constructor(schema: GraphQLSchema, { query, operationName, variables = {} }: SuiteOperation, costs: Costs) {
    const { definitions } = parse(query)
    const operation = definitions.find(
      (node) =>
        node.kind === Kind.OPERATION_DEFINITION &&
        (operationName === undefined || node.name?.value === operationName),
    )
    if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('There is no operation.')
    this.#schema = schema
    this.#costs = costs
    this.#operation = operation
    this.#fragments = new Map(
      definitions.flatMap((node) =>
        node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node] as const] : [],
      ),
    )
    const defaults = (operation.variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
      defaultValue === undefined ? [] : [[variable.name.value, this.#constant(defaultValue)] as const],
    )
    this.#variables = new Map<string, unknown>([...defaults, ...Object.entries(variables)])
  }

  of(data: Data | null): number {
    const base = this.#operation.operation === 'mutation' ? 3 : 0
    const root = this.#schema.getRootType(this.#operation.operation)
    if (data === null || root === undefined || root === null) return base
    return base + this.#fields(root, this.#operation.selectionSet.selections, data)
  }

  #fields(type: GraphQLObjectType, selections: readonly SelectionNode[], data: Data): number {
    let sum = 0
    for (const [key, nodes] of this.#collect(type, selections)) {
      const [first] = nodes
      const definition = first === undefined ? undefined : type.getFields()[first.name.value]
      if (first === undefined || definition === undefined || !Object.hasOwn(data, key)) continue
      const cost = this.#costs.fields.get(`${type.name}.${definition.name}`)
      for (const { name, value } of first.arguments ?? [])
        if (value.kind !== Kind.VARIABLE || this.#variables.has(value.name.value))
          sum += cost?.args.get(name.value)?.weight ?? 0
      const below = nodes.flatMap(({ selectionSet }) => selectionSet?.selections ?? [])
      const named = getNamedType(definition.type)
      sum += this.#value(definition.type, data[key], (item) => {
        const known = cost?.weight ?? null
        if (isLeafType(named)) return known ?? this.#costs.types.get(named.name) ?? 0
        const runtime = this.#schema.getType(String((item as Data)[TYPE_KEY]))
        if (!isObjectType(runtime)) throw new Error(`An object at ${key} does not say its type.`)
        const own = known ?? this.#costs.types.get(runtime.name) ?? 1
        return own + this.#fields(runtime, below, item as Data)
      })
    }
    return sum
  }

  /** Lists by the type of the field: a custom scalar may be one by itself. */
  #value(type: GraphQLOutputType, value: unknown, costOf: (item: unknown) => number): number {
    if (value === null || value === undefined) return 0
    const nullable = getNullableType(type)
    if (!isListType(nullable) || !Array.isArray(value)) return costOf(value)
    let sum = 0
    for (const item of value) sum += this.#value(nullable.ofType, item, costOf)
    return sum
  }

  /** CollectFields() of the specification. */
  #collect(
    type: GraphQLObjectType,
    selections: readonly SelectionNode[],
    collected = new Map<string, FieldNode[]>(),
  ): ReadonlyMap<string, readonly FieldNode[]> {
    for (const selection of selections) {
      if (!this.#isIncluded(selection)) continue
      if (selection.kind === Kind.FIELD) {
        const key = selection.alias?.value ?? selection.name.value
        collected.set(key, [...(collected.get(key) ?? []), selection])
        continue
      }
      const fragment =
        selection.kind === Kind.INLINE_FRAGMENT ? selection : this.#fragments.get(selection.name.value)
      const condition = fragment?.typeCondition?.name.value
      if (fragment !== undefined && (condition === undefined || this.#applies(condition, type)))
        this.#collect(type, fragment.selectionSet.selections, collected)
    }
    return collected
  }

  #applies(condition: string, type: GraphQLObjectType): boolean {
    const on = this.#schema.getType(condition)
    return isAbstractType(on) ? this.#schema.isSubType(on, type) : condition === type.name
  }

  #isIncluded({ directives = [] }: SelectionNode): boolean {
    return directives.every(({ name, arguments: args = [] }) => {
      if (name.value !== 'skip' && name.value !== 'include') return true
      const condition = args.find((argument) => argument.name.value === 'if')?.value
      return condition === undefined || this.#constant(condition) === (name.value === 'include')
    })
  }

  /** Returns the value of a condition. Null for any other literal, which does not matter here. */
  #constant(node: ValueNode): unknown {
    if (node.kind === Kind.VARIABLE) return this.#variables.get(node.name.value)
    return node.kind === Kind.BOOLEAN ? node.value : null
  }
}
