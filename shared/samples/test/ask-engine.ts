/** The engine on sample subgraphs, beside one server with the same values. */
import {
  compileSupergraph,
  execute,
  type ExecutionResult,
  type Graph,
  openGraph,
  prepareOperation,
} from '@switchyard/engine'
import { oneServer, sampleSubgraphs } from '../src/index.ts'

export type Question = {
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>>
  readonly operationName?: string | null
}

export type Answer = { readonly data: unknown; readonly errors: readonly unknown[] }

export type Bench = {
  readonly graph: Graph
  readonly engine: (question: Question) => Promise<Answer>
  readonly server: (question: Question) => Promise<Answer>
}

export function openBench(supergraphSdl: string, labels: ReadonlySet<string> = new Set()): Bench {
  const graph = openGraph(compileSupergraph(supergraphSdl))
  const subgraphs = sampleSubgraphs({ supergraphSdl, labels })
  const server = oneServer(subgraphs.world, graph.apiSchema)
  return {
    graph,
    async engine({ query, variables = {}, operationName = null }) {
      const prepared = prepareOperation(graph, { document: query, operationName })
      const coerced = prepared.coerceVariables({ ...variables })
      const plan = prepared.plan(coerced, { labels })
      const result = await new Promise<ExecutionResult>((resolve, onDefect) => {
        execute(
          graph,
          {
            plan,
            variables: coerced,
            fetch: (request, done) => {
              void (async () => {
                const body = await subgraphs.ask(request.subgraph, JSON.parse(request.body))
                done({ kind: 'answer', status: 200, body })
              })()
            },
            onDefect,
          },
          resolve,
        )
      })
      return { data: result.data, errors: result.errors }
    },
    async server({ query, variables = {}, operationName = null }) {
      const { data = null, errors = [] } = await server.answer({ query, variables, operationName })
      return { data, errors }
    },
  }
}
