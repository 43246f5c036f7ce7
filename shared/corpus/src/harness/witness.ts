/**
 * Asks the stitched gateway about a suite of the engine's corpus, on the suite's own in-process subgraphs.
 */
import { compose } from '@switchyard/composition'
import { createMonolith, worldSchema } from './monolith.ts'
import { createSubgraphs } from './subgraph-behaviour.ts'
import { type Suite, subgraphInputs, type SuiteOperation, type Tables } from './suite.ts'
import {
  type OpinionComparison,
  compareOpinions,
  type Opinion,
  type SecondOpinion,
  secondOpinion,
  type SecondOpinionOptions,
} from '@switchyard/second-opinion'

/** How the witness compares to one server that knows everything; `code` when it has no answer. */
export type Verdict = OpinionComparison | { readonly kind: 'none'; readonly code: string }

export async function createWitness(
  suite: Suite,
  open: (options: SecondOpinionOptions) => Promise<SecondOpinion> = secondOpinion,
): Promise<(operation: SuiteOperation) => Promise<Verdict>> {
  const composed = compose({ subgraphs: subgraphInputs(suite) })
  if (composed.kind === 'failed') throw new Error(`The suite ${suite.name} does not compose`)
  const monolith = createMonolith(suite)
  const whole = worldSchema(suite.whole ?? suite.monolith)
  const subgraphs = createSubgraphs(suite, whole)
  let tables: Tables = {}
  const witness = await open({
    supergraphSdl: composed.supergraphSdl,
    execute: async (name, { document, variables }) => {
      const server = subgraphs.get(name)?.server
      if (server === undefined) throw new Error(`The witness called "${name}", which the suite does not have`)
      const body = JSON.stringify({ query: document, variables })
      const answer = await server.execute(body, tables)
      const sabotage = suite.subgraphs[name]?.sabotage?.(body, answer) ?? null
      if (sabotage?.kind === 'failure') throw new Error(sabotage.message)
      return (sabotage ?? answer).body
    },
  })
  return async (operation) => {
    tables = suite.tables?.() ?? {}
    const { data, errorPaths } = await monolith.answer(operation)
    const truth: Opinion = {
      data: data as Opinion['data'],
      errors: errorPaths.map((path) => ({ message: '', path: JSON.parse(path) })),
    }
    tables = suite.tables?.() ?? {}
    try {
      const { query, variables = {}, operationName = null } = operation
      return compareOpinions(truth, await witness.execute({ query, variables, operationName }))
    } catch (error) {
      if (error instanceof Error && 'code' in error) return { kind: 'none', code: String(error.code) }
      throw error
    }
  }
}
