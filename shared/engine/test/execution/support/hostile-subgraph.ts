import {
  type FieldNode,
  getNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
} from 'graphql'
import type { Random } from '@switchyard/samples'
import type { SubgraphReply, SubgraphRequest } from '../../../src/execution/contract/subgraph-calls.ts'

/**
 * `quiet`: only what graphql-js, too, would take for a wrong value. `wild`: anything JSON can hold, anywhere.
 */
export type Malice = { readonly rate: number; readonly kind: 'quiet' | 'wild' }

/** Answers a document with values of the right types, except where it decides not to. */
export class HostileSubgraph {
  readonly #schema: GraphQLSchema
  readonly #random: Random
  readonly #malice: Malice

  constructor(schema: GraphQLSchema, random: Random, malice: Malice) {
    this.#schema = schema
    this.#random = random
    this.#malice = malice
  }

  reply({ body }: SubgraphRequest): SubgraphReply {
    if (this.#malice.kind === 'wild') {
      if (this.#hit()) return { kind: 'failure', code: 'SUBGRAPH_UNREACHABLE', message: 'Not there.' }
      if (this.#hit())
        return { kind: 'answer', status: this.#random.pick([200, 404, 500]), body: this.#junk() }
    }
    const data = this.data(body)
    const errors = this.#malice.kind === 'wild' && this.#hit() ? this.#errors(data) : undefined
    return {
      kind: 'answer',
      status: 200,
      body: JSON.parse(JSON.stringify({ data: errors !== undefined && this.#hit() ? null : data, errors })),
    }
  }

  data(body: string): unknown {
    const { query, variables } = JSON.parse(body)
    const document = parse(query)
    const operation = document.definitions.find(
      (node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION,
    )
    if (operation === undefined) throw new Error(`No operation in ${query}`)
    const root = this.#schema.getRootType(operation.operation)?.name ?? 'Query'
    return this.#object(operation.selectionSet, root, variables)
  }

  #object(
    selection: SelectionSetNode,
    typeName: string,
    variables: Readonly<Record<string, unknown>>,
  ): Record<string, unknown> {
    const result: Record<string, unknown> = {}
    for (const node of selection.selections) {
      if (node.kind === Kind.FIELD) {
        if (this.#hit()) continue
        const key = node.alias?.value ?? node.name.value
        result[key] = this.#field(node, typeName, variables)
      } else if (node.kind === Kind.INLINE_FRAGMENT) {
        const condition = node.typeCondition?.name.value ?? typeName
        if (condition === typeName || this.#isA(typeName, condition))
          Object.assign(result, this.#object(node.selectionSet, typeName, variables))
      }
    }
    return result
  }

  #field(node: FieldNode, typeName: string, variables: Readonly<Record<string, unknown>>): unknown {
    if (node.name.value === '__typename') return this.#typename(typeName)
    if (node.name.value === '_entities') return this.#entities(node, variables)
    const type = this.#schema.getType(typeName)
    const field = isObjectType(type) ? type.getFields()[node.name.value] : undefined
    if (field === undefined) return this.#junk()
    return this.#value(field.type, node, variables)
  }

  #entities(node: FieldNode, variables: Readonly<Record<string, unknown>>): unknown {
    if (this.#malice.kind === 'wild' && this.#hit()) return this.#junk()
    const argument = node.arguments?.[0]?.value
    const list = argument?.kind === Kind.VARIABLE ? variables[argument.name.value] : []
    const representations: readonly { __typename: string }[] = Array.isArray(list) ? list : []
    const items = representations.map(({ __typename }) =>
      this.#hit() ? null : this.#object(node.selectionSet ?? EMPTY, __typename, variables),
    )
    if (this.#malice.kind === 'wild' && this.#hit())
      items.length = Math.floor(items.length * this.#random.next())
    return items
  }

  #value(type: GraphQLOutputType, node: FieldNode, variables: Readonly<Record<string, unknown>>): unknown {
    if (this.#malice.kind === 'wild' && this.#hit()) return this.#junk()
    if (this.#hit()) return null
    const inner = isNonNullType(type) ? type.ofType : type
    if (isListType(inner)) {
      if (this.#hit()) return this.#random.pick(['many', 7, true])
      return Array.from({ length: this.#random.below(4) }, () => this.#value(inner.ofType, node, variables))
    }
    const named = getNamedType(inner)
    if (isCompositeType(named)) {
      const names = isAbstractType(named)
        ? this.#schema.getPossibleTypes(named).map(({ name }) => name)
        : [named.name]
      return this.#object(node.selectionSet ?? EMPTY, this.#random.pick(names), variables)
    }
    return this.#leaf(named.name, isEnumType(named) ? named.getValues().map(({ name }) => name) : [])
  }

  #leaf(name: string, values: readonly string[]): unknown {
    const bad = this.#hit()
    switch (name) {
      case 'Int':
        return bad ? this.#random.pick<unknown>([1.5, 3e9, {}, 'x']) : this.#random.below(100)
      case 'Float':
        return bad ? this.#random.pick<unknown>(['x', {}]) : this.#random.next()
      case 'Boolean':
        return bad ? this.#random.pick<unknown>(['x', {}]) : this.#random.next() < 0.5
      case 'String':
        return bad ? {} : this.#random.pick<unknown>(['text', '', 'ü"\u2028', 4, true])
      case 'ID':
        return bad
          ? this.#random.pick<unknown>([1.5, {}, true])
          : this.#random.pick<unknown>(['1', 1, '2', 3])
      default:
        if (values.length > 0) return bad ? 'HIDDEN' : this.#random.pick(values)
        return this.#random.pick<unknown>([1, 'x', { a: [1] }])
    }
  }

  #typename(name: string): unknown {
    return this.#hit() ? this.#random.pick<unknown>(['Secret', 'Nowhere', 'Node', 'Query', 5, null]) : name
  }

  #errors(data: unknown): unknown {
    return this.#random.pick<unknown>([
      [],
      'errors',
      [null, 4, { message: 'No path' }],
      [{ message: 'Somewhere', path: this.#pathIn(data), extensions: { code: 'X' } }],
      [{ message: 'Deeper', path: [...this.#pathIn(data), 'name', 3, 'x'] }],
      [{ message: 'Bad path', path: [{}, -1] }],
    ])
  }

  #pathIn(data: unknown): (string | number)[] {
    const path: (string | number)[] = []
    let value = data
    while (typeof value === 'object' && value !== null && this.#random.next() < 0.85) {
      const entries = Object.entries(value)
      const entry = entries[this.#random.below(entries.length)]
      if (entry === undefined) break
      path.push(Array.isArray(value) ? Number(entry[0]) : entry[0])
      value = entry[1]
    }
    return path
  }

  #junk(): unknown {
    return this.#random.pick<unknown>([
      null,
      'junk',
      -1,
      1e300,
      true,
      [],
      {},
      [[[{}]]],
      { data: null },
      { errors: [{ message: 'x' }] },
      [null, { id: '1', __typename: 'Product' }, 'x'],
      { __typename: 'Product', id: [], upc: {}, name: 1 },
      JSON.parse('{"__proto__":{"id":1},"constructor":2}'),
    ])
  }

  #isA(object: string, condition: string): boolean {
    const abstract = this.#schema.getType(condition)
    const type = this.#schema.getType(object)
    return isAbstractType(abstract) && isObjectType(type) && this.#schema.isSubType(abstract, type)
  }

  #hit(): boolean {
    return this.#random.next() < this.#malice.rate
  }
}

const EMPTY: SelectionSetNode = { kind: Kind.SELECTION_SET, selections: [] }
