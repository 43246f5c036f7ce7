/** Which document a request asks for, in each of the forms in which clients say it. */
import { isJsonObject } from '@switchyard/engine'
import { HttpError } from '../../errors/http-error.ts'
import { type DocumentKey, documentKey, MAX_ID } from '@switchyard/documents'
import type { DocumentParams } from '../../request/graphql-params.ts'

/** The document that a request asks for, by text, by key, or by both. */
export type AskedDocument = {
  readonly text: string | null
  readonly key: DocumentKey | null
  /**
   * Whether the client knows automatic persisted queries, and sends the text when it is told that the key is
   * new.
   */
  readonly isAutomatic: boolean
}

/**
 * Reads which document a request asks for. `parameters` lists names of members with an identifier. Throws
 * HttpError.
 */
export function askedDocument(params: DocumentParams, parameters: readonly string[]): AskedDocument {
  const automatic = automaticKey(params.extensions)
  let key = automatic
  for (const name of parameters) {
    const named = namedKey(params, name)
    if (named === null) continue
    if (key !== null && key !== named)
      throw new HttpError('BAD_REQUEST', `"${name}" names another document than the rest of the request.`)
    key = named
  }
  // Some clients send an empty text with the hash.
  const text = key !== null && params.query === '' ? null : params.query
  return { text, key, isAutomatic: automatic !== null }
}

function namedKey({ member }: DocumentParams, name: string): DocumentKey | null {
  const id = member(name)
  return id === undefined || id === null ? null : checkedKey(id, name)
}

/** https://www.apollographql.com/docs/apollo-server/performance/apq */
function automaticKey(extensions: DocumentParams['extensions']): DocumentKey | null {
  const persisted = extensions?.['persistedQuery']
  if (persisted === undefined || persisted === null) return null
  if (!isJsonObject(persisted) || persisted['version'] !== 1)
    throw new HttpError('BAD_REQUEST', 'The extension "persistedQuery" has another version than 1.')
  return checkedKey(persisted['sha256Hash'], 'sha256Hash')
}

function checkedKey(id: unknown, name: string): DocumentKey {
  if (typeof id === 'string' && id !== '' && id.length <= MAX_ID) return documentKey(id)
  throw new HttpError('BAD_REQUEST', `"${name}" is no identifier of a document.`)
}
