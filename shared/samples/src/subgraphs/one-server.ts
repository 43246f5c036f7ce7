/**
 * The same world as one server: graphql-js executes the operation on the schema that clients see. Nothing is
 * planned, fetched or joined, so this is what any gateway has to answer.
 */
import {
  execute,
  type ExecutionResult,
  GraphQLObjectType,
  GraphQLSchema,
  isInterfaceType,
  parse,
} from 'graphql'
import { type Arguments, type Instance, isInstance, type World } from './world.ts'

export type OneServer = {
  /**
   * The operation must be valid, and not ask for the `__typename` of an interface that has no object types.
   * The data is plain JSON.
   */
  answer(question: {
    readonly query: string
    readonly variables: Readonly<Record<string, unknown>>
    readonly operationName: string | null
  }): Promise<ExecutionResult>
}

export function oneServer(world: World, clientSchema: GraphQLSchema): OneServer {
  const schema = withStandIns(clientSchema)
  return {
    async answer({ query, variables, operationName }) {
      const result = await execute({
        schema,
        document: parse(query, { noLocation: true }),
        variableValues: variables,
        ...(operationName === null ? {} : { operationName }),
        fieldResolver: (source: unknown, args: Arguments, _: unknown, { parentType, fieldName }) => {
          const owner: Instance = isInstance(source)
            ? source
            : world.root(world.facts.typeNamed(parentType.name))
          return world.value(owner, fieldName, args)
        },
        typeResolver: (value) => {
          if (!isInstance(value)) return undefined
          const { name } = value.type
          return isInterfaceType(schema.getType(name)) ? standInFor(name) : name
        },
      })
      return JSON.parse(JSON.stringify(result))
    },
  }
}

/**
 * An interface without object types has objects nevertheless where a subgraph has it as interface object, and
 * graphql-js gives no object without an object type. So each such interface gets one, which no operation can
 * name.
 */
function withStandIns(schema: GraphQLSchema): GraphQLSchema {
  const standIns = Object.values(schema.getTypeMap()).flatMap((type) => {
    if (!isInterfaceType(type) || schema.getPossibleTypes(type).length > 0) return []
    const { name, description, fields } = type.toConfig()
    const interfaces = [...type.getInterfaces(), type]
    return new GraphQLObjectType({ name: standInFor(name), description, fields, interfaces })
  })
  if (standIns.length === 0) return schema
  const config = schema.toConfig()
  return new GraphQLSchema({ ...config, types: [...config.types, ...standIns] })
}

function standInFor(name: string): string {
  return `${name}_without_object_types`
}
