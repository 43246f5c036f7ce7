/** The engine as a gateway: an operation in, its answer and the plan behind it out. */
import { execute, type ExecutionResult, type Graph, type Plan, prepareOperation } from '@switchyard/engine'
import type { Opinion } from '@switchyard/second-opinion'
import type { AskSubgraph, VerifyOperation } from './operation.ts'
import { messageOf } from '../errors.ts'

export type OurAnswer = { readonly opinion: Opinion; readonly plan: Plan }

/** Rejects with a RequestError or PlanningError where the engine refuses the operation. */
export type EngineGateway = (operation: VerifyOperation) => Promise<OurAnswer>

export function engineGateway(graph: Graph, ask: AskSubgraph, labels: ReadonlySet<string>): EngineGateway {
  return async ({ query, variables, operationName }) => {
    const prepared = prepareOperation(graph, { document: query, operationName })
    const coerced = prepared.coerceVariables({ ...variables })
    const plan = prepared.plan(coerced, { labels })
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
                const message = messageOf(error)
                done({ kind: 'failure', code: 'SUBGRAPH_UNREACHABLE', message })
              }
            })()
          },
        },
        resolve,
      )
    })
    const data: Opinion['data'] = JSON.parse(JSON.stringify(result.data))
    const errors = result.errors.map(({ message, path }) => ({ message, path: path ?? null }))
    return { opinion: { data, errors }, plan }
  }
}
