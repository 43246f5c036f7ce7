/**
 * The same world as one server: graphql-js executes the operation on the schema that clients see. Nothing is planned,
 * fetched or joined, so this is what any gateway has to answer.
 */
import { execute, type ExecutionResult, type GraphQLSchema, parse } from 'graphql'
import { type Arguments, type Instance, isInstance, type World } from './world.ts'

export type OneServer = {
  /** The operation must be valid. The data is plain JSON. */
  answer(question: {
    readonly query: string
    readonly variables: Readonly<Record<string, unknown>>
    readonly operationName: string | null
  }): Promise<ExecutionResult>
}

export function oneServer(world: World, clientSchema: GraphQLSchema): OneServer {
  return {
    async answer({ query, variables, operationName }) {
      const result = await execute({
        schema: clientSchema,
        document: parse(query, { noLocation: true }),
        variableValues: variables,
        ...(operationName === null ? {} : { operationName }),
        fieldResolver: (source: unknown, args: Arguments, _: unknown, { parentType, fieldName }) => {
          const type = world.facts.typeNamed(parentType.name)
          const owner: Instance = isInstance(source) ? source : world.root(type)
          return world.value(owner, fieldName, args)
        },
        typeResolver: (value) => (isInstance(value) ? value.type.name : undefined),
      })
      return JSON.parse(JSON.stringify(result))
    },
  }
}
