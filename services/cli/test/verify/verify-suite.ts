/** A supergraph of the engine's corpus through everything that `router verify` does without a network. */
import { compose } from '@switchyard/composition'
import { sampleOperations } from '@switchyard/samples'
import { type Suite, subgraphInputs } from '@switchyard/corpus'
import { openSampleJudge, openVerifiedGraph } from '../../src/verify/gateways.ts'
import { verifyOperations, type VerifyReport } from '../../src/verify/verify-operations.ts'

/** The suite's own operations and so many generated ones. */
export async function verifySuite(suite: Suite, generated: number): Promise<VerifyReport> {
  const composed = compose({ subgraphs: subgraphInputs(suite) })
  if (composed.kind === 'failed') throw new Error(JSON.stringify(composed.errors))
  const options = { supergraphSdl: composed.supergraphSdl, labels: new Set<string>(), seed: 0 }
  const graph = openVerifiedGraph(options.supergraphSdl)
  const own = suite.operations.map(({ name, query, variables = {}, operationName = null }) => ({
    name,
    query,
    variables,
    operationName,
  }))
  const others = sampleOperations(graph.apiSchema, { count: generated }).map((operation) => ({
    ...operation,
    operationName: null,
  }))
  await using opened = await openSampleJudge(graph, options)
  return await verifyOperations({
    operations: [...own, ...others],
    judge: opened.judge,
    shrinkTrials: 200,
    signal: new AbortController().signal,
  })
}

/** What a failed test should show. */
export function unexplained({ different, oneOnly }: VerifyReport): readonly string[] {
  return [
    ...different.map(
      ({ operation, verdict }) =>
        `${operation.query} ${JSON.stringify(operation.variables)} ${verdict.oneServerAgreesWith} ${JSON.stringify(verdict.differences)}`,
    ),
    ...oneOnly
      .filter(({ verdict }) => verdict.answeredBy !== 'ours')
      .map(({ operation, verdict }) => `${operation.query} ${verdict.code} ${verdict.message}`),
  ]
}
