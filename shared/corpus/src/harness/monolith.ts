/** The oracle: graphql-js executing the operation on one schema that knows everything. */
import {
  buildASTSchema,
  buildSchema,
  execute,
  isInterfaceType,
  isObjectType,
  isUnionType,
  Kind,
  parse,
  validate,
  visit,
} from 'graphql'
import type { GraphQLSchema } from 'graphql'
import type { Arguments, ComputedField, FieldFunction, Row, Suite, SuiteOperation, Tables } from './suite.ts'

export type OracleAnswer = {
  readonly data: unknown
  readonly errorPaths: readonly string[]
  readonly messages: readonly string[]
}

export type Monolith = {
  /** The schema as clients see it. */
  readonly schema: GraphQLSchema
  /** The schema that is executed. */
  readonly world: GraphQLSchema
  answer(operation: SuiteOperation): Promise<OracleAnswer>
}

/** A field may be written once for an interface instead of for each type. */
export function createMonolith(suite: Suite): Monolith {
  const schema = buildSchema(suite.monolith)
  const world = worldSchema(suite.monolith)
  for (const type of Object.values(world.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue
    for (const field of Object.values(type.getFields())) {
      const owners = [type.name, ...type.getInterfaces().map(({ name }) => name)]
      const coordinates = owners.map((owner) => `${owner}.${field.name}`)
      const known = coordinates.find(
        (coordinate) => suite.fields?.[coordinate] ?? suite.computed?.[coordinate],
      )
      const coordinate = known ?? `${type.name}.${field.name}`
      const computed = suite.computed?.[coordinate]
      field.resolve = (row: Row | undefined, args: Arguments, tables: Tables) =>
        resolveWorldField(suite, coordinate, row ?? ROOT, args, tables, computed)
    }
  }
  return { schema, world, answer: (operation) => answerOperation(suite, { schema, world }, operation) }
}

/**
 * The schema by which a world is executed: an interface that nothing implements is there what its subgraphs
 * have it as, an object. graphql-js would find no type for a value of it.
 */
export function worldSchema(sdl: string): GraphQLSchema {
  const document = parse(sdl, { noLocation: true })
  const implemented = new Set(
    document.definitions.flatMap((node) =>
      node.kind === Kind.OBJECT_TYPE_DEFINITION ? (node.interfaces ?? []).map(({ name }) => name.value) : [],
    ),
  )
  return buildASTSchema(
    visit(document, {
      InterfaceTypeDefinition: (node) =>
        implemented.has(node.name.value) ? undefined : { ...node, kind: Kind.OBJECT_TYPE_DEFINITION },
    }),
  )
}

/** Names of the object types that an object of type `name` may have. */
export function concreteTypes(schema: GraphQLSchema, name: string): readonly string[] {
  const type = schema.getType(name)
  if (isInterfaceType(type) || isUnionType(type)) return schema.getPossibleTypes(type).map(({ name }) => name)
  return [name]
}

export const ROOT: Row = { __typename: 'Query' }

export function worldField(suite: Suite, coordinate: string): FieldFunction {
  const field = coordinate.slice(coordinate.indexOf('.') + 1)
  return suite.fields?.[coordinate] ?? ((row) => row[field])
}

function resolveWorldField(
  suite: Suite,
  coordinate: string,
  row: Row,
  args: Arguments,
  tables: Tables,
  computed: ComputedField | undefined,
): unknown {
  if (computed === undefined) return worldField(suite, coordinate)(row, args, tables)
  return computed.compute(computed.inputs?.(row, tables) ?? row, args)
}

async function answerOperation(
  suite: Suite,
  { schema, world }: Omit<Monolith, 'answer'>,
  operation: SuiteOperation,
): Promise<OracleAnswer> {
  const document = parse(operation.query)
  const invalid = validate(schema, document)
  if (invalid.length > 0) throw new Error(`${suite.name} / ${operation.name}: ${invalid.join('\n')}`)
  const result = await execute({
    schema: world,
    document,
    contextValue: suite.tables?.() ?? {},
    ...(operation.variables === undefined ? {} : { variableValues: operation.variables }),
    ...(operation.operationName === undefined ? {} : { operationName: operation.operationName }),
  })
  const errors = result.errors ?? []
  return {
    data: result.data ?? null,
    errorPaths: errors.map((error) => JSON.stringify(error.path ?? [])),
    messages: errors.map((error) => error.message),
  }
}
