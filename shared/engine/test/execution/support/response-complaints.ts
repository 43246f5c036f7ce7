/** What is wrong with a response, whatever the subgraphs did: in words, empty if nothing. */
import {
  type DirectiveNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  parse,
  printSchema,
  type SelectionSetNode,
} from 'graphql'
import type { ExecutionResult } from '../../../src/index.ts'
import { type SuiteOperation, worldSchema } from '@switchyard/corpus'

export function responseComplaints(
  schema: GraphQLSchema,
  operation: SuiteOperation,
  { data, errors }: ExecutionResult,
): readonly string[] {
  return new ResponseCheck(schema, operation).complaints(data, errors)
}

const worlds = new WeakMap<GraphQLSchema, GraphQLSchema>()

function worldOf(schema: GraphQLSchema): GraphQLSchema {
  const world = worlds.get(schema) ?? worldSchema(printSchema(schema))
  worlds.set(schema, world)
  return world
}

/** Names that only the router uses, in documents for subgraphs. */
const INTERNAL = /(?:^|[^A-Za-z0-9])_(?:entities|Any|service|[es]\d+)(?![A-Za-z0-9_])/

class ResponseCheck {
  readonly #schema: GraphQLSchema
  readonly #fragments = new Map<string, FragmentDefinitionNode>()
  readonly #variables = new Map<string, unknown>()
  readonly #selection: SelectionSetNode
  readonly #root: GraphQLObjectType

  constructor(schema: GraphQLSchema, { query, operationName, variables }: SuiteOperation) {
    this.#schema = worldOf(schema)
    const { definitions } = parse(query)
    for (const definition of definitions)
      if (definition.kind === Kind.FRAGMENT_DEFINITION) this.#fragments.set(definition.name.value, definition)
    const operation = definitions.find(
      (definition) =>
        definition.kind === Kind.OPERATION_DEFINITION &&
        (operationName === undefined || definition.name?.value === operationName),
    )
    if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('There is no such operation.')
    for (const { variable, defaultValue } of operation.variableDefinitions ?? [])
      if (defaultValue?.kind === Kind.BOOLEAN) this.#variables.set(variable.name.value, defaultValue.value)
    for (const [name, value] of Object.entries(variables ?? {})) this.#variables.set(name, value)
    const root = this.#schema.getRootType(operation.operation)
    if (!root) throw new Error(`The schema has no ${operation.operation}.`)
    this.#selection = operation.selectionSet
    this.#root = root
  }

  complaints(data: unknown, errors: ExecutionResult['errors']): readonly string[] {
    const found: string[] = []
    if (data === null && errors.length === 0) found.push('data is null without an error')
    const problem = data === null ? null : this.#object(data, [this.#root], [this.#selection], 'data')
    if (problem !== null) found.push(problem)
    for (const error of errors) {
      const text = JSON.stringify(error)
      if (typeof error.message !== 'string' || error.message === '') found.push(`no message: ${text}`)
      const { code, serviceName } = error.extensions ?? {}
      const own = serviceName === undefined || code === 'SUBGRAPH_INVALID_VALUE'
      // The value that was sent may be quoted.
      if (own && INTERNAL.test(error.message.replace(/value: .*/s, '')))
        found.push(`names the router's own: ${text}`)
      if (error.path !== undefined && !this.#hasPath(error.path))
        found.push(`its path is not of this operation: ${text}`)
    }
    return found
  }

  /** The first problem; null if the value can be an object of one of the types. */
  #object(
    value: unknown,
    types: readonly GraphQLObjectType[],
    sets: readonly SelectionSetNode[],
    path: string,
  ): string | null {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return `${path} is no object`
    let problem: string | null = `${path} can have no type`
    for (const type of types) {
      const fields = this.#collect(type, sets)
      problem = this.#fields(value as Record<string, unknown>, type, fields, path)
      if (problem === null) return null
    }
    return problem
  }

  #fields(
    value: Readonly<Record<string, unknown>>,
    type: GraphQLObjectType,
    fields: ReadonlyMap<string, readonly FieldNode[]>,
    path: string,
  ): string | null {
    const keys = Object.keys(value)
    if (keys.join() !== [...fields.keys()].join())
      return `${path} has the keys ${keys.join()} for ${type.name}`
    for (const [key, nodes] of fields) {
      const name = nodes[0]?.name.value ?? ''
      const child = value[key]
      if (name === '__typename') {
        if (child !== type.name) return `${path}.${key} is ${JSON.stringify(child)} for ${type.name}`
        continue
      }
      if (name.startsWith('__')) continue
      const field = type.getFields()[name]
      if (field === undefined) return `${path}.${key} is no field of ${type.name}`
      const problem = this.#value(child, field.type, nodes, `${path}.${key}`)
      if (problem !== null) return problem
    }
    return null
  }

  #value(value: unknown, type: GraphQLOutputType, nodes: readonly FieldNode[], path: string): string | null {
    if (isNonNullType(type))
      return value === null ? `${path} is null` : this.#value(value, type.ofType, nodes, path)
    if (value === null) return null
    if (isListType(type)) {
      if (!Array.isArray(value)) return `${path} is no list`
      for (const [index, item] of value.entries()) {
        const problem = this.#value(item, type.ofType, nodes, `${path}.${index}`)
        if (problem !== null) return problem
      }
      return null
    }
    if (isObjectType(type) || isAbstractType(type)) {
      const types = isObjectType(type) ? [type] : this.#schema.getPossibleTypes(type)
      const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? [])
      return this.#object(value, types, sets, path)
    }
    return fitsLeaf(value, type) ? null : `${path} is ${JSON.stringify(value)}, no ${type.name}`
  }

  #collect(
    type: GraphQLObjectType,
    sets: readonly SelectionSetNode[],
    into = new Map<string, FieldNode[]>(),
  ): ReadonlyMap<string, readonly FieldNode[]> {
    for (const { selections } of sets)
      for (const node of selections) {
        if (!this.#isIncluded(node.directives)) continue
        if (node.kind === Kind.FIELD) {
          const key = node.alias?.value ?? node.name.value
          const same = into.get(key)
          if (same === undefined) into.set(key, [node])
          else same.push(node)
          continue
        }
        const fragment = node.kind === Kind.FRAGMENT_SPREAD ? this.#fragments.get(node.name.value) : node
        if (fragment === undefined) continue
        const condition = fragment.typeCondition?.name.value ?? type.name
        if (this.#isA(type, this.#schema.getType(condition)))
          this.#collect(type, [fragment.selectionSet], into)
      }
    return into
  }

  #isA(type: GraphQLObjectType, condition: GraphQLNamedType | undefined): boolean {
    return type === condition || (isAbstractType(condition) && this.#schema.isSubType(condition, type))
  }

  #isIncluded(directives: readonly DirectiveNode[] | undefined): boolean {
    return (directives ?? []).every((directive) => {
      const argument = directive.arguments?.find(({ name }) => name.value === 'if')?.value
      const condition =
        argument?.kind === Kind.VARIABLE
          ? this.#variables.get(argument.name.value)
          : argument?.kind === Kind.BOOLEAN && argument.value
      if (directive.name.value === 'skip') return condition !== true
      return directive.name.value !== 'include' || condition === true
    })
  }

  /** Whether some object of the operation has this path, whatever the length of lists. */
  #hasPath(path: readonly (string | number)[]): boolean {
    let types: readonly GraphQLObjectType[] = [this.#root]
    let sets: readonly SelectionSetNode[] = [this.#selection]
    let lists = 0
    for (const segment of path) {
      if (typeof segment === 'number') {
        if (lists-- === 0) return false
        continue
      }
      const chosen = types.flatMap((type) => {
        const nodes = this.#collect(type, sets).get(segment)
        return nodes === undefined ? [] : [{ type, nodes }]
      })
      if (chosen.length === 0) return false
      const returned = chosen.flatMap(
        ({ type, nodes }) => type.getFields()[nodes[0]?.name.value ?? '']?.type ?? [],
      )
      lists = Math.max(0, ...returned.map(depthOf))
      sets = chosen.flatMap(({ nodes }) => nodes.flatMap(({ selectionSet }) => selectionSet ?? []))
      types = returned.map(getNamedType).flatMap((type) => {
        if (isObjectType(type)) return [type]
        return isAbstractType(type) ? this.#schema.getPossibleTypes(type) : []
      })
    }
    return true
  }
}

function depthOf(type: GraphQLOutputType): number {
  if (isNonNullType(type)) return depthOf(type.ofType)
  return isListType(type) ? 1 + depthOf(type.ofType) : 0
}

function fitsLeaf(value: unknown, type: GraphQLNamedType): boolean {
  if (isEnumType(type)) return typeof value === 'string' && type.getValue(value) !== undefined
  switch (type.name) {
    case 'Int':
      return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= 2 ** 31
    case 'Float':
      return typeof value === 'number' && Number.isFinite(value)
    case 'Boolean':
      return typeof value === 'boolean'
    case 'String':
    case 'ID':
      return typeof value === 'string'
    default:
      return true
  }
}
