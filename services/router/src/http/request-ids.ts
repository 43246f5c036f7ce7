/** Decides which id a request has: the client's, or one of our own. */
import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { requestIdOf } from '@switchyard/service-kit'
import type { RequestIdConfig } from './request-id-settings.ts'
import { headerKey } from '../headers/header-key.ts'

/**
 * Returns a function that gives a request its id: a new one, or the client's if the settings trust clients
 * with it.
 */
export function requestIdSource({
  header,
  trustClients,
}: RequestIdConfig): (headers: IncomingHttpHeaders) => string {
  const name = headerKey(header)
  return trustClients ? (headers) => requestIdOf(headers[name]) : () => randomUUID()
}
