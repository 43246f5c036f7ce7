/** Finds out who asks on a route that shows each caller what it may read of all namespaces. */
import type { FastifyRequest } from 'fastify'
import { type Caller, readableNamespaces } from '../../keys/access.ts'
import { accessDenied, type ApiOptions, identify } from './api.ts'

/** Throws a problem unless the caller may read some namespace. */
export async function identifyReader(options: ApiOptions, request: FastifyRequest): Promise<Caller> {
  const caller = await identify(options, request)
  const readable = readableNamespaces(caller)
  if (readable === 'all' || readable.size > 0) return caller
  throw accessDenied(options, request, caller, { kind: 'read', namespace: null })
}
