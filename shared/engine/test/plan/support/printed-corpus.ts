/**
 * Prints every plan of the corpus. As a program, `node printed-corpus.ts <seed>` writes them as JSON, made
 * from subgraphs and a supergraph that are written in an order of the seed. Without
 * `SWITCHYARD_TEST_LONG=1` it prints every third suite.
 */
import { compose } from '@switchyard/composition'
import { Random } from '@switchyard/samples'
import { sampled } from '@switchyard/testkit/sampled'
import { compileSupergraph, openGraph, prepareOperation, printPlan } from '../../../src/index.ts'
import { subgraphInputs, type Suite, SUITES } from '@switchyard/corpus'
import { shuffledSdl } from './shuffled-sdl.ts'
import { planOperation } from '../../../src/plan/plan-operation.ts'

/** By suite and operation. */
export type PrintedCorpus = Readonly<Record<string, Readonly<Record<string, string>>>>

/** `seed` null: as written, in the order of the corpus. */
export function printedCorpus(seed: number | null): PrintedCorpus {
  return Object.fromEntries(sampled(SUITES, 3).map((suite) => [suite.name, printedSuite(suite, seed)]))
}

function printedSuite(suite: Suite, seed: number | null): Readonly<Record<string, string>> {
  const random = new Random(seed ?? 0)
  const inputs = subgraphInputs(suite)
  const subgraphs =
    seed === null
      ? inputs
      : random.shuffled(inputs).map((input) => ({ ...input, sdl: shuffledSdl(input.sdl, random) }))
  const composed = compose({ subgraphs })
  if (composed.kind === 'failed')
    throw new Error(`The suite ${suite.name} does not compose: ${JSON.stringify(composed.errors)}`)
  const { supergraphSdl } = composed
  const graph = openGraph(
    compileSupergraph(seed === null ? supergraphSdl : shuffledSdl(supergraphSdl, random)),
  )
  // What was planned before must not matter either.
  const operations = seed === null ? suite.operations : random.shuffled(suite.operations)
  return Object.fromEntries(
    operations.map(({ name, query, operationName, variables, labels }) => {
      const operation = prepareOperation(graph, { document: query, operationName: operationName ?? null })
      const plan = planOperation(operation, operation.coerceVariables({ ...variables }), {
        labels: new Set(labels),
      })
      return [name, printPlan(graph, plan)]
    }),
  )
}

if (import.meta.main) process.stdout.write(JSON.stringify(printedCorpus(Number(process.argv[2]))))
