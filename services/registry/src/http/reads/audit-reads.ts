/** The audit log: who changed what, when and why, and which revisions reflect it. */
import { AuditLog, MAX_AUDIT_RECORDS, Namespace, Sequence } from '@switchyard/contracts'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { AuditLogReader } from '../../audit/audit-log-reader.ts'
import type { AuditScope } from '../../audit/choose-page.ts'
import { type Caller, isPermitted } from '../../keys/access.ts'
import { readableRecords } from '../../keys/readable-records.ts'
import { accessDenied, type ApiOptions, ProblemResponse, ReadQuery } from '../api/api.ts'
import { identifyReader } from '../api/identify-reader.ts'
import { Callers } from '../api/callers.ts'
import { checked } from '../api/checked.ts'

const Query = ReadQuery.extend({
  after: z.coerce.number().pipe(Sequence).default(0),
  before: z.coerce.number().pipe(Sequence.min(1)).optional(),
  order: z.enum(['oldest', 'newest']).default('oldest'),
  limit: z.coerce.number().int().min(1).max(MAX_AUDIT_RECORDS).default(100),
  namespace: Namespace.optional(),
})

export function auditReads(server: FastifyInstance, options: ApiOptions): void {
  const { fold, revisions } = options
  const reader = new AuditLogReader(options)
  const callers = new Callers()
  server.get('/v1/log', {
    schema: {
      summary: 'The audit log: commands with their reasons, and the revisions that reflect them',
      querystring: Query,
      response: { 200: AuditLog, ...ProblemResponse },
    },
    onRequest: async (request) => {
      callers.note(request, await identifyReader(options, request))
    },
    handler: async (request, reply) => {
      const caller = callers.of(request)
      const { namespace, consistency, ...range } = checked(Query, request.query)
      if (namespace !== undefined && !isPermitted(caller, { kind: 'read', namespace }))
        throw accessDenied(options, request, caller, { kind: 'read', namespace })
      // The end of the log is told as well, so that it has to be read even for one namespace.
      if (consistency === 'strong')
        await Promise.all([fold.everythingCaughtUp(), revisions.everythingCaughtUp()])
      const scope = scopeOf(caller, namespace)
      return reply.type('application/json; charset=utf-8').send(await reader.page({ ...range, scope }))
    },
  })
}

function scopeOf(caller: Caller, asked: string | undefined): AuditScope {
  if (asked !== undefined) return { includes: (namespace) => namespace === asked, isWholeLog: false }
  const { includes, everyNamespace } = readableRecords(caller)
  return { includes, isWholeLog: everyNamespace }
}
