/** The engine as a gateway before subgraphs that are asked with a function. */
import {
  execute,
  type ExecutionResult,
  type Graph,
  type Plan,
  planOperation,
  prepareOperation,
} from '@switchyard/engine'
import type { SampleQuestion } from './sample-subgraphs.ts'

export type EngineQuestion = {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
  readonly operationName: string | null
  /** The active labels of progressive overrides. */
  readonly labels: ReadonlySet<string>
}

export type EngineAnswer = { readonly result: ExecutionResult; readonly plan: Plan }

/** Resolves with the JSON body of an answer; a subgraph that rejects is one that cannot be reached. */
export type AskNamedSubgraph = (subgraph: string, question: Required<SampleQuestion>) => Promise<unknown>

/**
 * Answers an operation for a request that may see everything. Rejects with a RequestError or PlanningError if
 * the engine refuses the operation.
 */
export async function askEngine(
  graph: Graph,
  { query, variables, operationName, labels }: EngineQuestion,
  ask: AskNamedSubgraph,
): Promise<EngineAnswer> {
  const prepared = prepareOperation(graph, { document: query, operationName })
  const coerced = prepared.coerceVariables({ ...variables })
  const granted = new Set(prepared.accessConditions)
  const plan = planOperation(prepared, coerced, { labels, granted })
  const result = await new Promise<ExecutionResult>((resolve, onDefect) => {
    execute(
      graph,
      {
        plan,
        variables: coerced,
        onDefect,
        fetch: ({ subgraph, body }, done) => {
          void (async () => {
            try {
              done({ kind: 'answer', status: 200, body: await ask(subgraph, JSON.parse(body)) })
            } catch (error) {
              const message = error instanceof Error ? error.message : String(error)
              done({ kind: 'failure', code: 'SUBGRAPH_UNREACHABLE', message })
            }
          })()
        },
      },
      resolve,
    )
  })
  return { result, plan }
}
