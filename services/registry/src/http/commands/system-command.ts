/**
 * Runs a write to the system subject of the log, where keys are: once per idempotency key, and as one span.
 */
import { randomUUID } from 'node:crypto'
import { traceparentOf, withSpan } from '@switchyard/service-kit'
import { SpanKind, trace } from '@opentelemetry/api'
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../keys/access.ts'
import type { KeyRequest } from '../../keys/key-writer.ts'
import { commandHashOf, headerOf, idempotencyKeyOf } from './idempotency.ts'

/** The command in the form that is hashed for its idempotency key. */
export type SystemCommandText = { readonly type: string; readonly [member: string]: unknown }

export function systemCommand<Result>(
  request: FastifyRequest,
  { actor }: Caller,
  command: SystemCommandText,
  execute: (asked: KeyRequest) => Promise<Result>,
): Promise<Result> {
  const idempotencyKey = idempotencyKeyOf(request)
  const start = {
    traceparent: headerOf(request, 'traceparent'),
    kind: SpanKind.SERVER,
    attributes: { 'switchyard.command': command.type, 'switchyard.request.id': request.id },
  }
  return withSpan(trace.getTracer('switchyard.registry'), 'registry.command', start, (span) =>
    execute({
      commandId: idempotencyKey ?? randomUUID(),
      commandHash: idempotencyKey === null ? null : commandHashOf(command),
      actor,
      traceparent: traceparentOf(span),
    }),
  )
}
