/** Random operations with `@defer`, and what the monolith answers to them as one response. */
import { type DocumentNode, execute, parse } from 'graphql'
import { Random, randomOperation, withoutDefers, withRandomDefers } from '@switchyard/samples'
import { type ExpectedStream, expectStream, withTypeNames } from '@switchyard/testkit'
import type { Monolith } from '../harness/monolith.ts'
import type { Suite, SuiteOperation } from '../harness/suite.ts'

const TAPE = 120

/** The same for the same seed. */
export function deferredOperation({ schema }: Monolith, seed: number): SuiteOperation {
  const random = new Random(seed)
  const length = 20 + random.below(TAPE)
  const tape = Array.from({ length }, () => random.below(5040))
  const plain = randomOperation(schema, tape)
  return withRandomDefers(schema, plain, random)
}

export type Whole = {
  readonly data: unknown
  readonly errorPaths: readonly (readonly (string | number)[])[]
}

/** The answer without `@defer`, with the type of every object. */
export async function wholeAnswer(
  suite: Suite,
  { world }: Monolith,
  operation: SuiteOperation,
  prepare: (document: DocumentNode) => DocumentNode = withTypeNames,
): Promise<Whole> {
  const result = await execute({
    schema: world,
    document: prepare(parse(withoutDefers(operation).query)),
    contextValue: suite.tables?.() ?? {},
    variableValues: withoutDefers(operation).variables ?? {},
  })
  const errorPaths = (result.errors ?? []).map(({ path }) => path ?? [])
  return { data: JSON.parse(JSON.stringify(result.data ?? null)), errorPaths }
}

/** Null where nothing is deferred. */
export function expectFor(
  { world }: Monolith,
  operation: SuiteOperation,
  whole: Whole,
): ExpectedStream | null {
  const document = parse(operation.query)
  return expectStream({ schema: world, document, variables: operation.variables ?? {} }, whole)
}
