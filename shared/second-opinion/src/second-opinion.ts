/**
 * A gateway that is not ours, made from the same supergraph: `@graphql-tools/federation` stitches the
 * subgraphs into one schema and graphql-js executes it. It shares no code with the engine, so where both
 * agree, one mistake is unlikely to be behind it; where they differ, one of them is wrong, and not always the
 * engine (see `STITCHING_LIMITS`).
 *
 * Pure: calls to subgraphs go through `execute`. Nothing here serves clients.
 */
import { getStitchedSchemaFromSupergraphSdl } from '@graphql-tools/federation'
import type { ExecutionResult as ToolsResult } from '@graphql-tools/utils'
import { execute, GraphQLError, type GraphQLSchema, parse, print, validate } from 'graphql'
import { messageOf } from '@switchyard/values'
import { PendingCalls } from './pending-calls.ts'
import { SecondOpinionError } from './second-opinion-error.ts'
import { subgraphNames } from './subgraph-names.ts'

export type SubgraphQuestion = {
  readonly document: string
  readonly variables: Readonly<Record<string, unknown>>
}

export type SecondOpinionOptions = {
  readonly supergraphSdl: string
  /**
   * Asks a subgraph, named as in `join__graph(name:)`. Resolves with the JSON body of its answer; a rejection
   * is what a failed request is to the gateway.
   */
  readonly execute: (subgraph: string, question: SubgraphQuestion) => Promise<unknown>
  /** Active labels of progressive overrides; none by default. */
  readonly labels?: ReadonlySet<string>
}

export type OpinionRequest = {
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>>
  readonly operationName?: string | null
}

export type OpinionError = {
  readonly message: string
  readonly path: readonly (string | number)[] | null
}

/** An answer as a client would have it: `data` is plain JSON. */
export type Opinion = {
  readonly data: Readonly<Record<string, unknown>> | null
  readonly errors: readonly OpinionError[]
}

export type SecondOpinion = {
  /**
   * Rejects with a `SecondOpinionError` when the stitched schema does not accept the operation, or never
   * answers it.
   */
  execute(request: OpinionRequest): Promise<Opinion>
}

/** Rejects with a `SecondOpinionError` when this supergraph cannot be stitched. */
export async function secondOpinion(options: SecondOpinionOptions): Promise<SecondOpinion> {
  const calls = new PendingCalls()
  const schema = stitch(options, calls)
  return { execute: (request) => answer(schema, calls, request) }
}

function stitch(options: SecondOpinionOptions, calls: PendingCalls): GraphQLSchema {
  const { supergraphSdl, labels } = options
  try {
    const names = subgraphNames(parse(supergraphSdl))
    if (names.size === 0) throw new Error('its enum join__Graph names no subgraph')
    return getStitchedSchemaFromSupergraphSdl({
      supergraphSdl,
      handleProgressiveOverride: (label) => labels?.has(label) === true,
      onStitchingOptions: (stitching) => {
        Object.assign(stitching.typeMergingOptions, { typeCandidateMerger: lastOf })
      },
      onSubschemaConfig: (subschema) => {
        const name = names.get(subschema.name) ?? subschema.name
        subschema.executor = async ({ document, variables }) => {
          const question = { document: print(document), variables: plain(variables ?? {}) }
          return asResult(await calls.follow(options.execute(name, question)))
        }
      },
    })
  } catch (error) {
    throw new SecondOpinionError('OPINION_NOT_STITCHABLE', messageOf(error), error)
  }
}

async function answer(schema: GraphQLSchema, calls: PendingCalls, request: OpinionRequest): Promise<Opinion> {
  const document = parse(request.query)
  const [invalid] = validate(schema, document)
  if (invalid !== undefined) throw new SecondOpinionError('OPINION_REFUSED', invalid.message, invalid)
  const result = await calls.unlessStalled(
    execute({
      schema,
      document,
      variableValues: { ...request.variables },
      ...(typeof request.operationName === 'string' ? { operationName: request.operationName } : {}),
      contextValue: {},
    }),
  )
  return {
    data: result.data === undefined || result.data === null ? null : plain(result.data),
    errors: (result.errors ?? []).map(({ message, path }) => ({ message, path: path ?? null })),
  }
}

/**
 * Which of the definitions of one type gives its description and the like, which no answer shows. The library
 * refuses a supergraph where several are marked: it marks whatever a field with `@requires` returns, in every
 * subgraph that has one.
 */
function lastOf<Candidate>(candidates: readonly Candidate[]): Candidate {
  const last = candidates.at(-1)
  if (last === undefined) throw new Error('a type without a definition')
  return last
}

/** Returns a received body in the form that the stitching library expects. */
function asResult(body: unknown): ToolsResult {
  if (typeof body === 'object' && body !== null) return body
  return { errors: [new GraphQLError('The subgraph did not answer with a GraphQL response.')] }
}

/** Free of prototypes, symbols and sharing, with which stitching marks its objects. */
function plain<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value))
}
