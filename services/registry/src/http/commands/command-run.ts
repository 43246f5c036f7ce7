/** Runs one command: writes it once, then waits for its outcome. */
import { randomUUID } from 'node:crypto'
import { SpanKind, trace } from '@opentelemetry/api'
import type { CommandOutcome, Problem, RegistryEvent } from '@switchyard/contracts'
import { type Command, commandWarnings, namedGraphs } from '@switchyard/domain'
import { traceparentOf, withSpan } from '@switchyard/service-kit'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Caller, isPermitted } from '../../keys/access.ts'
import { awaitOutcome } from '../../views/command-outcome.ts'
import { costsOfRollout } from '../../views/flag-costs.ts'
import { standingFailures } from '../../views/standing-failures.ts'
import { type ApiOptions, forbidden, warningsOfSeveralGraphs } from '../api/api.ts'
import { changedSince } from './changed-since.ts'
import { commandHashOf, headerOf, idempotencyKeyOf } from './idempotency.ts'

/** Returns the permission that is needed to cause the event. */
function permissionFor({ type }: RegistryEvent): 'publish' | 'rollout' | 'abort' | 'preview' | 'deploy' {
  if (type === 'subgraph.schema-published' || type === 'documents.published') return 'publish'
  if (type === 'rollout.aborted' || type === 'rollout.paused') return 'abort'
  if (type.startsWith('preview.')) return 'preview'
  return type.startsWith('rollout.') ? 'rollout' : 'deploy'
}

export type CommandToRun = {
  readonly namespace: string
  readonly command: Command
  /** The reason for the command. Null if the caller gave none. */
  readonly reason: string | null
  /** Warnings in addition to those that the state of the namespace gives cause for. */
  readonly warnings: readonly string[]
  readonly waitMs: number
  readonly caller: Caller
  /** The sequence of the state that the command was judged on. Null if that does not matter. */
  readonly judgedAt: number | null
  /**
   * Why the command may not change anything although the namespace would allow it. A repeated command is
   * answered all the same.
   */
  readonly objection: Problem | null
}

export async function runCommand(
  options: ApiOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  asked: CommandToRun,
): Promise<CommandOutcome> {
  const { namespace, command, reason, warnings: found, waitMs, caller } = asked
  const idempotencyKey = idempotencyKeyOf(request)
  const start = {
    traceparent: headerOf(request, 'traceparent'),
    kind: SpanKind.SERVER,
    attributes: {
      'switchyard.namespace': namespace,
      'switchyard.command': command.type,
      'switchyard.request.id': request.id,
    },
  }
  return withSpan(trace.getTracer('switchyard.registry'), 'registry.command', start, async (span) => {
    const commandId = idempotencyKey ?? randomUUID()
    const result = await options.writer.execute({
      namespace,
      command,
      commandId,
      commandHash: idempotencyKey === null ? null : commandHashOf({ namespace, ...command }),
      actor: caller.actor,
      reason,
      traceparent: traceparentOf(span),
      objection: (events) => objectionTo(options, asked, events),
    })
    const { changed, created, sequence, message, affectedGraphs, rolloutGraphs, previews } = result
    const written = { namespace, sequence, affectedGraphs, rolloutGraphs, previews, waitMs }
    const downstream = await awaitOutcome(options.downstream, written)
    const standing = changed
      ? []
      : standingFailures(options.downstream, options.fold.state(namespace), command)
    reply.status(created ? 201 : 200)
    const warnings = [...found, ...commandWarnings(options.fold.state(namespace), command, affectedGraphs)]
    const mayCreateGraph = command.type === 'apply' && changed && command.graphs.length > 0
    if (command.type === 'create-federated-graph' || mayCreateGraph) {
      warnings.push(...warningsOfSeveralGraphs(options))
    }
    return {
      commandId,
      changed,
      sequence,
      message,
      warnings,
      affectedGraphs: [...affectedGraphs],
      rolloutGraphs: [...rolloutGraphs],
      ...(changed ? {} : { namedGraphs: [...namedGraphs(options.fold.state(namespace), command)] }),
      ...downstream,
      compositions: [...downstream.compositions, ...standing],
      ...(command.type === 'create-rollout' ? await costsOfRollout(options, namespace, command) : {}),
    }
  })
}

/** Returns why the caller may not cause these events. Null if nothing is against it. */
function objectionTo(
  { fold }: ApiOptions,
  { namespace, caller, judgedAt, objection }: CommandToRun,
  events: readonly RegistryEvent[],
): Problem | null {
  if (events.length === 0) return null
  const needed = events.map((event) => ({ kind: permissionFor(event), namespace }))
  const lacking = needed.find((permission) => !isPermitted(caller, permission))
  if (lacking !== undefined) return forbidden(lacking)
  if (objection !== null || judgedAt === null) return objection
  return changedSince(fold, namespace, events, judgedAt)
}
