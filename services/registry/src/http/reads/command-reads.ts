/** Returns the outcome of an earlier command, for clients that lost the answer or show the progress. */
import {
  CommandOutcome,
  Namespace,
  problem,
  ProblemError,
  RegistryRecord,
  registrySubject,
} from '@switchyard/contracts'
import { commandOutcome } from '@switchyard/domain'
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { costsOfRollout } from '../../views/flag-costs.ts'
import { awaitOutcome } from '../../views/command-outcome.ts'
import { rememberedWarnings } from '../../writing/remembered-warnings.ts'
import { type ApiOptions, authorize, namespaceInPath, ProblemResponse, ReadQuery } from '../api/api.ts'

const CommandPath = z.object({ namespace: Namespace, commandId: z.string().min(1).max(200) })
const Query = ReadQuery.extend({ wait: z.coerce.number().int().min(0).max(120_000).default(0) })

export function commandReads(server: FastifyInstance, options: ApiOptions): void {
  const { fold } = options
  server.withTypeProvider<ZodTypeProvider>().get('/v1/commands/:namespace/:commandId', {
    schema: {
      summary: 'The outcome of a command of the last 24 hours that changed something',
      params: CommandPath,
      querystring: Query,
      response: { 200: CommandOutcome, ...ProblemResponse },
    },
    onRequest: async (request) =>
      void (await authorize(options, request, { kind: 'read', namespace: namespaceInPath(request) })),
    handler: async ({ params: { namespace, commandId }, query: { wait, consistency } }) => {
      // The namespace may be gone because the command removed it.
      if (consistency === 'strong') await fold.caughtUp(namespace)
      const memory = commandOutcome(fold.state(namespace), commandId)
      if (memory === null) throw new ProblemError(unknown(namespace, commandId))
      const { sequence, message, affectedGraphs, rolloutGraphs, previews } = memory
      const outcome = await awaitOutcome(options.downstream, {
        namespace,
        sequence,
        affectedGraphs,
        rolloutGraphs,
        previews,
        waitMs: wait,
      })
      const record = await recordAt(options, namespace, sequence)
      const created = createdRollout(record)
      return {
        commandId,
        changed: true,
        sequence,
        message,
        warnings: [...rememberedWarnings(fold.state(namespace), record.events, affectedGraphs)],
        affectedGraphs: [...affectedGraphs],
        rolloutGraphs: [...rolloutGraphs],
        ...outcome,
        ...(created === null ? {} : await costsOfRollout(options, namespace, created)),
      }
    },
  })
}

/** Returns the rollout that a command created, and nothing else. Null for every other command. */
function createdRollout({ events: [event, ...others] }: RegistryRecord) {
  return event?.type === 'rollout.created' && others.length === 0 ? event : null
}

async function recordAt({ log }: ApiOptions, namespace: string, sequence: number): Promise<RegistryRecord> {
  for await (const entry of log.read({ kind: 'subject', subject: registrySubject(namespace) }, sequence)) {
    if (entry.sequence === sequence) return RegistryRecord.parse(entry.record)
    break
  }
  throw new Error(`the record at sequence ${sequence} was folded and is not in the log`)
}

function unknown(namespace: string, commandId: string) {
  return problem(
    'NOT_FOUND',
    `No command "${commandId}" changed namespace "${namespace}" within the last 24 hours: those that were refused or changed nothing are not kept.`,
  )
}
