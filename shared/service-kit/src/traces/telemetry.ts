/**
 * Spans through `@opentelemetry/api`, and one W3C trace from the command-line tool to the router's swap.
 *
 * Without a registered SDK the API hands out spans without identity. The trace must still be followable in
 * logs and records, so such a span is given an identity of its own here: the parent's trace id (or a new one)
 * and a new span id.
 */
import { randomBytes } from 'node:crypto'
import {
  type Attributes,
  type Context,
  context,
  isSpanContextValid,
  type Span,
  type SpanContext,
  type SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { withLogContext } from '../logging/log-context.ts'
import { parseTraceparent, traceparentText } from './traceparent.ts'

export type SpanStart = {
  /** The W3C parent that came with the request, record or notice; an unusable one starts a new trace. */
  readonly traceparent?: string | undefined
  readonly attributes?: Attributes
  readonly kind?: SpanKind
}

/**
 * Runs `fn` inside a span, which ends with it; a thrown error is recorded on the span and passed on. Log
 * lines of `fn` carry the ids of the span.
 */
export async function withSpan<Result>(
  tracer: Tracer,
  name: string,
  start: SpanStart,
  fn: (span: Span) => Promise<Result> | Result,
): Promise<Result> {
  const parent = parentContext(start.traceparent)
  const options = {
    ...(start.attributes === undefined ? {} : { attributes: start.attributes }),
    ...(start.kind === undefined ? {} : { kind: start.kind }),
  }
  const span = withIdentity(tracer.startSpan(name, options, parent), trace.getSpanContext(parent))
  try {
    const { traceId, spanId } = span.spanContext()
    return await withLogContext({ trace_id: traceId, span_id: spanId }, () =>
      context.with(trace.setSpan(parent, span), () => fn(span)),
    )
  } catch (error) {
    span.recordException(error instanceof Error ? error : String(error))
    span.setStatus({ code: SpanStatusCode.ERROR })
    throw error
  } finally {
    span.end()
  }
}

/** Returns the attributes by which spans of all services name a graph. */
export function graphAttributes(name: { readonly namespace: string; readonly graph: string }): Attributes {
  return { 'switchyard.namespace': name.namespace, 'switchyard.graph': name.graph }
}

/** The span as the `traceparent` of whatever it causes. */
export function traceparentOf(span: Span): string {
  return traceparentText(span.spanContext())
}

function parentContext(traceparent: string | undefined): Context {
  const remote = parseTraceparent(traceparent)
  return remote === null ? context.active() : trace.setSpanContext(context.active(), remote)
}

function withIdentity(span: Span, parent: SpanContext | undefined): Span {
  const own = span.spanContext()
  if (isSpanContextValid(own) && own.spanId !== parent?.spanId) return span
  const parentIsValid = parent !== undefined && isSpanContextValid(parent)
  return trace.wrapSpanContext({
    traceId: parentIsValid ? parent.traceId : randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    traceFlags: parentIsValid ? parent.traceFlags : TraceFlags.SAMPLED,
  })
}
