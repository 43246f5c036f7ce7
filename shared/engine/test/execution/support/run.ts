import { Recording, replay } from '@switchyard/corpus'
import type { ExecutionResult } from '../../../src/execution/contract/response.ts'
import type { SubgraphReply, SubgraphRequest } from '../../../src/execution/contract/subgraph-calls.ts'
import { execute } from '../../../src/execution/execute.ts'
import type { Graph } from '../../../src/graph/graph.ts'
import type { Plan } from '../../../src/plan/contract/plan.ts'

export type Answers = readonly (SubgraphReply | undefined)[]

export type Outcome = {
  readonly result: ExecutionResult
  readonly requests: readonly { readonly fetch: number; readonly subgraph: string; readonly body: unknown }[]
}

export const body = (value: unknown, status = 200): SubgraphReply => ({ kind: 'answer', status, body: value })
export const data = (value: unknown): SubgraphReply => body({ data: value })

/**
 * Executes against replies given per fetch; they are frozen throughout, so that a write to one of them
 * throws. The interpreter does it, and then generated code: it is an error if they differ.
 */
export function run(
  graph: Graph,
  plan: Plan,
  answers: Answers | ((request: SubgraphRequest) => SubgraphReply),
  variables: ReadonlyMap<string, unknown> = new Map(),
): Promise<Outcome> {
  const requests: { fetch: number; subgraph: string; body: unknown }[] = []
  const recording = new Recording()
  return new Promise((resolve, reject) => {
    const options = {
      plan,
      variables,
      interpretedRuns: Number.POSITIVE_INFINITY,
      fetch: recording.of((request, done) => {
        requests.push({
          fetch: request.fetch.id,
          subgraph: request.subgraph,
          body: JSON.parse(request.body),
        })
        const reply = typeof answers === 'function' ? answers(request) : answers[request.fetch.id]
        if (reply === undefined) reject(new Error(`Fetch ${request.fetch.id} was not expected.`))
        else queueMicrotask(() => settle(reject, () => done(deepFreeze(reply))))
      }),
    }
    execute(graph, options, (result, weight) => {
      void replay(graph, options, recording, { result, weight }).then((complaints) => {
        if (complaints.length > 0) reject(new Error(complaints.join('\n')))
        else resolve({ result, requests })
      }, reject)
    })
  })
}

function settle(reject: (error: unknown) => void, action: () => void): void {
  try {
    action()
  } catch (error) {
    reject(error)
  }
}

export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const inner of Object.values(value)) deepFreeze(inner)
  }
  return value
}
