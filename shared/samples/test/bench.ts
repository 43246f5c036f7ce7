/** The engine on sample subgraphs, beside one server with the same values. */
import { compileSupergraph, type Graph, openGraph } from '@switchyard/engine'
import { askEngine, oneServer, sampleSubgraphs } from '../src/index.ts'

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
      const question = { query, variables, operationName, labels }
      const { result } = await askEngine(graph, question, (name, asked) => subgraphs.ask(name, asked))
      return { data: result.data, errors: result.errors }
    },
    async server({ query, variables = {}, operationName = null }) {
      const { data = null, errors = [] } = await server.answer({ query, variables, operationName })
      return { data, errors }
    },
  }
}
