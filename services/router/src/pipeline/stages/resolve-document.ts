/** Finds the document that a request sent or named, before its text is needed. */
import type { ClientTurns } from '../../clients/turn-queue.ts'
import { askedDocument } from '../../documents/asked-document.ts'
import type { DocumentList } from '../../documents/document-list.ts'
import type { Documents } from '../../documents/documents.ts'
import { HttpError } from '../../errors/http-error.ts'
import type { RequestReport } from '../../observe/request-report.ts'
import type { Exchange } from '../../request/exchange.ts'
import type { GraphQLParams, RequestParams } from '../../request/graphql-params.ts'

/** The parts that find documents. */
export type ResolvingParts = {
  /** The documents that the router knows; null if every request must contain the text of its document. */
  readonly documents: Documents | null
}

/** The request, and who sent it. */
type Asking = Pick<Exchange, 'client' | 'named'> & { readonly report: Pick<RequestReport, 'documentNamed'> }

/** Comparing a longer one with those of manifests may take some milliseconds. In characters. */
const LONG_TEXT = 4096

/**
 * `list`: what the client might use when the request came, which is part of the key of shared executions.
 * Throws, or rejects with, HttpError.
 */
export function resolveDocument(
  exchange: Asking,
  params: RequestParams,
  list: DocumentList | null,
  { documents }: ResolvingParts,
  turns: ClientTurns,
): GraphQLParams | Promise<GraphQLParams> {
  if (documents === null) return withQuery(params, givenQuery(params))
  const asked = askedDocument(params, documents.idParameters)
  if (asked.key === null) givenQuery(params)
  else exchange.report.documentNamed(asked.key)
  const { client, named } = exchange
  const documentClient = { name: named.name, address: client, operationName: params.operationName }
  const resolved = (fetched: string | null = null): GraphQLParams =>
    withQuery(params, documents.resolve(asked, list, documentClient, fetched))
  const fetching = documents.fetch(asked, list, documentClient)
  if (fetching !== undefined) return fetching.then(resolved)
  const isLong = asked.text !== null && asked.text.length > LONG_TEXT
  const turn = isLong ? turns.begin() : undefined
  return turn === undefined ? resolved() : turn.then(() => resolved())
}

function withQuery(
  { operationName, variables, extensions, exactVariables }: RequestParams,
  query: string,
): GraphQLParams {
  return { query, operationName, variables, extensions, exactVariables }
}

/** Throws HttpError where there is none. */
function givenQuery({ query, extensions }: RequestParams): string {
  if (query === null || query === '') refuseHashAlone(extensions)
  if (query === null)
    throw new HttpError('BAD_REQUEST', 'The request has no "query": a string with a GraphQL operation.')
  if (query.trim() === '') throw new HttpError('BAD_REQUEST', '"query" is empty.')
  return query
}

/**
 * Clients with automatic persisted queries send the hash of an operation first, and the operation when they
 * are told that the hash is no use. They know that answer by this very message or by its code, and some of
 * them read only answers with status 200: https://www.apollographql.com/docs/apollo-server/performance/apq.
 */
function refuseHashAlone(extensions: RequestParams['extensions']): void {
  const hash = extensions?.['persistedQuery']
  if (hash === undefined || hash === null) return
  throw new HttpError('PERSISTED_QUERY_NOT_SUPPORTED', 'PersistedQueryNotSupported')
}
