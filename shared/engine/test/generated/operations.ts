/** Random operations on the schema that clients see, the same for the same seed. */
import type { GraphQLSchema } from 'graphql'
import { randomOperation } from '../corpus/harness/random-operation.ts'
import type { SuiteOperation } from '../corpus/harness/suite.ts'
import { Random } from './random.ts'

const TAPE = 160

export function generateOperation(schema: GraphQLSchema, seed: number): SuiteOperation {
  const random = new Random(seed)
  const length = 20 + random.below(TAPE)
  return randomOperation(
    schema,
    Array.from({ length }, () => random.below(5040)),
  )
}
