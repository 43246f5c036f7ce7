/**
 * The fields that an introspection asks for, with fragments, conditions and arguments resolved. The types of
 * introspection are all object types, so the fields selected at one place are the same for every object
 * there, and are worked out once.
 */
import {
  type FragmentDefinitionNode,
  getArgumentValues,
  getNamedType,
  getNullableType,
  getVariableValues,
  type GraphQLField,
  GraphQLError,
  GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  type FieldNode,
  TypeMetaFieldDef,
} from 'graphql'
import { isIncluded } from '../operation/conditions.ts'
import { fragmentsOf } from '../operation/fragments.ts'
import { RequestError } from '../operation/operation-error.ts'
import { ClientSchema } from '../graph/client-schema.ts'
import { LazyList } from './lazy-list.ts'
import type { IntrospectionPart } from '../operation/normalise/normalised.ts'
import type { WorkBudget } from '../work/budget.ts'

export type IntrospectionField = {
  readonly key: string
  /** `"key":` */
  readonly prefix: string
  /**
   * Reads the field from an object of introspection: a type, a field, the schema. Equal fields share one
   * reader.
   */
  readonly read: (source: unknown) => unknown
  /** The fields selected below; null if the values are names and other leaves. */
  readonly fields: IntrospectionFields | null
}

export type IntrospectionFields = {
  readonly all: readonly IntrospectionField[]
  /** No object of it holds a list of objects. */
  readonly isFlat: boolean
}

/** The root fields. Throws a `RequestError`. */
export function introspectionShape(
  schema: GraphQLSchema,
  part: IntrospectionPart,
  variables: Readonly<Record<string, unknown>>,
  budget: WorkBudget,
): readonly IntrospectionField[] {
  const document = parse(part.document, { noLocation: true })
  const operation = document.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION)
  if (operation === undefined) return []
  const maker = new ShapeMaker(schema, operation, fragmentsOf(document), variables, budget)
  return maker.fieldsOf(ROOT, [operation.selectionSet]).all
}

/** Stands for the root type of the operation, of which nothing but these two fields is asked here. */
const ROOT = new GraphQLObjectType({ name: 'Introspection', fields: {} })
const ROOT_FIELDS: ReadonlyMap<string, Field> = new Map([
  ['__schema', SchemaMetaFieldDef],
  ['__type', TypeMetaFieldDef],
])

type Field = GraphQLField<unknown, unknown>
type Values = Exclude<ReturnType<typeof getVariableValues>['variableValues'], undefined>

class ShapeMaker {
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly #values: Values
  readonly #conditions: ReadonlyMap<string, unknown>
  readonly #budget: WorkBudget
  readonly #info: GraphQLResolveInfo
  readonly #readers = new Map<string, IntrospectionField['read']>()

  constructor(
    schema: GraphQLSchema,
    operation: OperationDefinitionNode,
    fragments: ReadonlyMap<string, FragmentDefinitionNode>,
    variables: Readonly<Record<string, unknown>>,
    budget: WorkBudget,
  ) {
    const { variableValues, errors } = getVariableValues(
      schema,
      operation.variableDefinitions ?? [],
      variables,
    )
    if (variableValues === undefined) throw refused(errors)
    this.#fragments = fragments
    this.#values = variableValues
    this.#conditions = new Map(Object.entries(variableValues.coerced))
    this.#budget = budget
    // The fields of introspection read nothing else of it.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    this.#info = { schema } as GraphQLResolveInfo
  }

  fieldsOf(type: GraphQLObjectType, sets: readonly SelectionSetNode[]): IntrospectionFields {
    const collected = new Map<string, FieldNode[]>()
    const seen = new Set<string>()
    for (const set of sets) this.#collect(type, set, collected, seen)
    const fields = [...collected].map(([key, nodes]) => this.#field(type, key, nodes))
    return {
      all: fields.map(({ field }) => field),
      isFlat: fields.every(({ field, isList }) => field.fields === null || (!isList && field.fields.isFlat)),
    }
  }

  /** CollectFields() of the specification, https://spec.graphql.org/draft/#CollectFields() */
  #collect(
    type: GraphQLObjectType,
    set: SelectionSetNode,
    collected: Map<string, FieldNode[]>,
    seen: Set<string>,
  ): void {
    for (const node of set.selections) {
      this.#budget.step()
      if (!isIncluded(node.directives, this.#conditions)) continue
      if (node.kind === Kind.FIELD) {
        const key = (node.alias ?? node.name).value
        const others = collected.get(key)
        if (others === undefined) collected.set(key, [node])
        else others.push(node)
        continue
      }
      if (node.kind === Kind.FRAGMENT_SPREAD) {
        if (seen.has(node.name.value)) continue
        seen.add(node.name.value)
      }
      const body = node.kind === Kind.INLINE_FRAGMENT ? node : this.#fragments.get(node.name.value)
      if (body === undefined) continue
      const condition = body.typeCondition?.name.value
      if (condition === undefined || condition === type.name)
        this.#collect(type, body.selectionSet, collected, seen)
    }
  }

  #field(type: GraphQLObjectType, key: string, nodes: readonly FieldNode[]) {
    const [node] = nodes
    const name = node?.name.value ?? ''
    const prefix = `"${key}":`
    if (name === '__typename')
      return { isList: false, field: { key, prefix, read: () => type.name, fields: null } }
    const field = type === ROOT ? ROOT_FIELDS.get(name) : type.getFields()[name]
    if (node === undefined || field === undefined)
      throw new RangeError(`The type "${type.name}" of introspection has no field "${name}".`)
    const named = getNamedType(field.type)
    const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? [])
    return {
      isList: isListType(getNullableType(field.type)),
      field: {
        key,
        prefix,
        read: this.#reader(type, field, node),
        fields: isObjectType(named) ? this.fieldsOf(named, sets) : null,
      },
    }
  }

  /**
   * Returns a function that reads what graphql-js answers. graphql-js makes its lists anew each time; here
   * each list is made once, however many aliases ask for it.
   */
  #reader(type: GraphQLObjectType, field: Field, node: FieldNode): IntrospectionField['read'] {
    const args = this.#arguments(field, node)
    const id = `${type.name}.${field.name} ${JSON.stringify(args)}`
    let reader = this.#readers.get(id)
    if (reader === undefined) {
      const read: IntrospectionField['read'] =
        type.name === '__Schema' && field.name === 'types'
          ? typesOf
          : (source) => field.resolve?.(source, args, undefined, this.#info) ?? null
      const isCheap = field.args.length === 0 && field.name !== 'defaultValue'
      reader = isCheap ? read : remembered(read)
      this.#readers.set(id, reader)
    }
    return reader
  }

  /**
   * A value that does not fit is refused as a whole, and not at each of the places where the field is
   * answered.
   */
  #arguments(field: Field, node: FieldNode) {
    try {
      return getArgumentValues(field, node, this.#values)
    } catch (error) {
      if (error instanceof GraphQLError) throw refused([error])
      throw error
    }
  }
}

/** The types of a schema, one after the other. */
function typesOf(schema: unknown): unknown {
  if (schema instanceof ClientSchema) return new LazyList(schema.typeNames, (name) => schema.getType(name))
  throw new RangeError('Introspection reads schemas of compiled graphs alone.')
}

function refused(errors: readonly GraphQLError[] = []): RequestError {
  return new RequestError('variables', 'BAD_USER_INPUT', errors)
}

function remembered(read: (source: unknown) => unknown): (source: unknown) => unknown {
  const values = new Map<unknown, unknown>()
  return (source) => {
    let value = values.get(source)
    if (value === undefined) values.set(source, (value = read(source)))
    return value
  }
}
