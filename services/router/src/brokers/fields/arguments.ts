/** The values of a root field's arguments. */
import type { Graph, OperationKind } from '@switchyard/engine'
import { type FieldNode, type GraphQLSchema, valueFromASTUntyped } from 'graphql'

type Values = Readonly<Record<string, unknown>>

/** Returns a function that gives the values for the variables of a request. Some may be absent. */
export function readArguments(
  graph: Graph,
  operation: OperationKind,
  node: FieldNode,
): (variables: ReadonlyMap<string, unknown>) => Values {
  const given = (node.arguments ?? []).map(({ name, value }) => ({ name: name.value, value }))
  let defaults: Values | null = null
  return (variables) => {
    defaults ??= defaultsOf(graph.apiSchema, operation, node.name.value)
    const values = Object.fromEntries(variables)
    const own = given.flatMap(({ name, value }): [string, unknown][] => {
      const read = valueFromASTUntyped(value, values)
      return read === undefined ? [] : [[name, read]]
    })
    return { ...defaults, ...Object.fromEntries(own) }
  }
}

/** Values that count where an argument is left out. They are the same for clients and for the subgraph. */
function defaultsOf(schema: GraphQLSchema, operation: OperationKind, name: string): Values {
  const roots = {
    query: schema.getQueryType(),
    mutation: schema.getMutationType(),
    subscription: schema.getSubscriptionType(),
  }
  const field = roots[operation]?.getFields()[name]
  const all = (field?.args ?? []).flatMap(({ name: argument, default: given }): [string, unknown][] => {
    if (given === undefined) return []
    return [[argument, given.literal === undefined ? given.value : valueFromASTUntyped(given.literal)]]
  })
  return Object.fromEntries(all)
}
