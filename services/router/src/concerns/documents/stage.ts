/** Finds the document that a request sent or named, before its text is needed. */
import { askedDocument } from './asked-document.ts'
import type { Documents } from './documents.ts'
import { HttpError } from '../../errors/http-error.ts'
import type { GraphQLParams, RequestParams } from '../../request/graphql-params.ts'
import type { Stage } from '../../request/stage.ts'
import type { Arrived } from '../../request/arrived.ts'
import type { DocumentList } from './document-list.ts'

/** The parts that find documents. */
export type ResolvingParts = {
  /** The documents that the router knows; null if every request must contain the text of its document. */
  readonly documents: Documents | null
}

/** Comparing a longer one with those of manifests may take some milliseconds. In characters. */
const LONG_TEXT = 4096

/** A request that was read. */
type Read = Arrived & {
  readonly sent: RequestParams
  /** The documents that the client may use; null if there are no manifests. */
  readonly list: DocumentList | null
}

/**
 * Uses the manifests that the client might use when the request came, since they are part of the key of
 * shared executions. Throws, or rejects with, HttpError.
 */
export function resolveDocument({
  documents,
}: ResolvingParts): Stage<Read, { readonly params: GraphQLParams }> {
  return {
    waitsFor: 'document',
    run: (read) => {
      if (documents === null) return { params: withOwnText(read.sent) }
      return resolved(read, documents)
    },
  }
}

function resolved(
  { exchange, sent, list, turns }: Read,
  documents: Documents,
): { readonly params: GraphQLParams } | Promise<{ readonly params: GraphQLParams }> {
  const asked = askedDocument(sent, documents.idParameters)
  if (asked.key === null) givenQuery(sent)
  else exchange.report.documentNamed(asked.key)
  const { client, named } = exchange
  const documentClient = { name: named.name, address: client, operationName: sent.operationName }
  const resolve = (fetched: string | null = null): { readonly params: GraphQLParams } => ({
    params: withQuery(sent, documents.resolve(asked, list, documentClient, fetched)),
  })
  const fetching = documents.fetch(asked, list, documentClient)
  if (fetching !== undefined) return fetching.then(resolve)
  const isLong = asked.text !== null && asked.text.length > LONG_TEXT
  const turn = isLong ? turns.begin() : undefined
  return turn === undefined ? resolve() : turn.then(() => resolve())
}

/** The request of a router that knows no documents. Throws HttpError if it has no text. */
export function withOwnText(sent: RequestParams): GraphQLParams {
  return withQuery(sent, givenQuery(sent))
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
