/** The subgraphs of the hunted graph: one server that invents its answers, or gives a prescribed one. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import {
  execute,
  getNamedType,
  getNullableType,
  type GraphQLOutputType,
  isEnumType,
  isLeafType,
  isListType,
  parse,
} from 'graphql'
import type { HuntedGraph } from './hunted-graph.ts'

export type InventedSubgraphs = AsyncDisposable & {
  readonly urls: { readonly a: string; readonly b: string }
  /** Sets the graph of the subgraphs. It has to be called before they get their first request. */
  serve(graph: HuntedGraph): void
  /** The answer to the next call. Null if the subgraph invents one. */
  answer: Buffer | null
}

/** The number of items of each list. */
const ITEMS = 2

export async function startSubgraphs(): Promise<InventedSubgraphs> {
  let graph: HuntedGraph | null = null
  const server = createServer((request, response) => {
    void textOf(request).then((body) => {
      response.setHeader('content-type', 'application/json')
      const { answer } = subgraphs
      subgraphs.answer = null
      response.end(answer ?? invented(graph, body))
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo
  const subgraphs: InventedSubgraphs = {
    urls: { a: `http://127.0.0.1:${port}/a`, b: `http://127.0.0.1:${port}/b` },
    serve: (served) => {
      graph = served
    },
    answer: null,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return subgraphs
}

function invented(graph: HuntedGraph | null, body: string): string {
  if (graph === null) return '{"data":null}'
  const { query, variables } = JSON.parse(body) as { query: string; variables?: Record<string, unknown> }
  const result = execute({
    schema: graph.subgraphSchema,
    document: parse(query),
    variableValues: variables,
    fieldResolver: (_, args: Readonly<Record<string, unknown>>, __, { returnType, fieldName }) => {
      const { representations } = args
      if (fieldName === '_entities' && Array.isArray(representations)) return representations
      return valueOf(returnType, 0)
    },
    typeResolver: (value, _, { schema }, type) => {
      const named: unknown =
        typeof value === 'object' && value !== null ? Reflect.get(value, '__typename') : null
      return typeof named === 'string' ? named : schema.getPossibleTypes(type)[0]?.name
    },
  })
  return JSON.stringify(result)
}

function valueOf(type: GraphQLOutputType, number: number): unknown {
  const nullable = getNullableType(type)
  if (isListType(nullable))
    return Array.from({ length: ITEMS }, (_, index) => valueOf(nullable.ofType, index))
  const named = getNamedType(nullable)
  if (isEnumType(named)) return named.getValues()[0]?.name
  return isLeafType(named) ? number + 1 : {}
}
