/** The engine as a gateway: an operation in, its answer and the plan behind it out. */
import type { Graph, Plan } from '@switchyard/engine'
import { askEngine } from '@switchyard/samples'
import type { Opinion } from '@switchyard/second-opinion'
import type { AskSubgraph, VerifyOperation } from './operation.ts'

/** The answer of the engine, and the plan that it is from. */
export type OurAnswer = { readonly opinion: Opinion; readonly plan: Plan }

/** Rejects with a RequestError or PlanningError where the engine refuses the operation. */
export type EngineGateway = (operation: VerifyOperation) => Promise<OurAnswer>

/** An engine that asks `ask` for every fetch. */
export function engineGateway(graph: Graph, ask: AskSubgraph, labels: ReadonlySet<string>): EngineGateway {
  return async (operation) => {
    const { result, plan } = await askEngine(graph, { ...operation, labels }, ask)
    const data: Opinion['data'] = JSON.parse(JSON.stringify(result.data))
    const errors = result.errors.map(({ message, path }) => ({ message, path: path ?? null }))
    return { opinion: { data, errors }, plan }
  }
}
