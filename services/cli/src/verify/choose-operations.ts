/** Which operations are verified: the user's, or generated ones. */
import type { Graph } from '@switchyard/engine'
import { sampleOperations } from '@switchyard/samples'
import { LocalRefusal } from '../run/errors.ts'
import type { VerifyOperation } from './operation.ts'
import { type InvalidOperation, readOperations } from './read-operations.ts'

/** Operations to verify, and those of the user that are not valid. */
export type ChosenOperations = {
  readonly operations: readonly VerifyOperation[]
  readonly invalid: readonly InvalidOperation[]
  /** The origin of the operations, in words for people. */
  readonly origin: string
}

/** `operations` is the folder of the user; without it operations are generated. */
export type ChoosingOptions = {
  readonly operations: string | undefined
  readonly operationCount: number
  readonly seed: number
  readonly live: boolean
}

/** Throws a CliError when the folder cannot be used, or `live` forbids an operation in it. */
export async function chooseOperations(
  graph: Graph,
  options: ChoosingOptions,
  cwd: string,
): Promise<ChosenOperations> {
  if (options.operations === undefined) {
    const { operationCount: count, seed, live: queriesOnly } = options
    return {
      operations: sampleOperations(graph.apiSchema, { count, seed, queriesOnly }).map((operation) => ({
        ...operation,
        operationName: null,
      })),
      invalid: [],
      origin: `generated with seed ${seed}`,
    }
  }
  const read = await readOperations(graph, options.operations, cwd)
  const mutations = read.operations.filter(({ kind }) => kind === 'mutation')
  if (options.live && mutations.length > 0) {
    throw new LocalRefusal(
      'OPERATION_INVALID',
      '--live asks real subgraphs, so only queries are sent; nothing was asked.',
      { problems: mutations.map(({ name }) => `${name} is a mutation`) },
    )
  }
  if (read.operations.length === 0 && read.invalid.length === 0)
    throw new LocalRefusal('NOT_FOUND', `${options.operations} holds no operation in a *.graphql file.`)
  return { ...read, origin: `from ${options.operations}` }
}
