/**
 * A subgraph without a server: takes the JSON request body a router would send and answers as the server
 * would.
 *
 * It is strict where a real server may be lenient: a document that does not validate against this subgraph's
 * own schema is kept in `invalidDocuments`, so that a test can tell a wrong plan from a wrong answer.
 */
import { isRecord, messageOf } from '@switchyard/values'
import { buildSubgraphSchema } from '@apollo/subgraph'
import type { GraphQLSchemaModule } from '@apollo/subgraph'
import { execute, parse, validate } from 'graphql'
import type { DocumentNode, GraphQLSchema } from 'graphql'

/**
 * Functions by type and field; per type also `__resolveReference(representation, contextValue)` and
 * `__resolveType`.
 */
export type SubgraphResolvers = NonNullable<GraphQLSchemaModule['resolvers']>

export type SubgraphCall = {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
}

export type InvalidDocument = { readonly query: string; readonly messages: readonly string[] }

export type InProcessSubgraphOptions = {
  readonly name: string
  readonly sdl: string
  readonly resolvers: SubgraphResolvers
}

export class InProcessSubgraph {
  readonly name: string
  readonly sdl: string
  readonly schema: GraphQLSchema
  readonly calls: SubgraphCall[] = []
  readonly invalidDocuments: InvalidDocument[] = []

  constructor({ name, sdl, resolvers }: InProcessSubgraphOptions) {
    this.name = name
    this.sdl = sdl
    this.schema = buildSubgraphSchema([{ typeDefs: parse(sdl), resolvers }])
  }

  /**
   * `contextValue` reaches the resolvers. The answer is what would come out of the wire: plain, unshared
   * JSON.
   */
  async execute(
    body: string,
    contextValue?: unknown,
  ): Promise<{ readonly status: number; readonly body: unknown }> {
    const { query, variables } = readBody(body)
    this.calls.push({ query, variables })
    const document = this.#validated(query)
    if (!Array.isArray(document)) {
      const result = await execute({ schema: this.schema, document, variableValues: variables, contextValue })
      return { status: 200, body: JSON.parse(JSON.stringify(result)) }
    }
    this.invalidDocuments.push({ query, messages: document })
    return { status: 400, body: { errors: document.map((message) => ({ message })) } }
  }

  forget(): void {
    this.calls.length = 0
    this.invalidDocuments.length = 0
  }

  /** The document, or why it cannot be executed. */
  #validated(query: string): DocumentNode | string[] {
    try {
      const document = parse(query)
      const errors = validate(this.schema, document)
      return errors.length > 0 ? errors.map((error) => error.message) : document
    } catch (error) {
      return [messageOf(error)]
    }
  }
}

function readBody(body: string): SubgraphCall {
  const parsed: unknown = JSON.parse(body)
  if (
    typeof parsed !== 'object' ||
    parsed === null ||
    !('query' in parsed) ||
    typeof parsed.query !== 'string'
  ) {
    throw new TypeError(`A subgraph request body holds a "query" string; got ${body.slice(0, 200)}`)
  }
  const variables = 'variables' in parsed ? parsed.variables : {}
  return { query: parsed.query, variables: isRecord(variables) ? variables : {} }
}
