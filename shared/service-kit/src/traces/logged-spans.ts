/**
 * `OTEL_TRACES_EXPORTER=console`: one log line for each span, so that the log stays one JSON document a line.
 */
import { ExportResultCode } from '@opentelemetry/core'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import type { Logger } from '../logging/logger.ts'

export function createLoggedSpans(logger: Logger): SpanExporter {
  return {
    export(spans, done) {
      for (const span of spans) logger.info(lineOf(span), span.name)
      done({ code: ExportResultCode.SUCCESS })
    },
    shutdown: () => Promise.resolve(),
  }
}

function lineOf(span: ReadableSpan) {
  const { traceId, spanId } = span.spanContext()
  return {
    event: 'traces.span',
    trace_id: traceId,
    span_id: spanId,
    parent_span_id: span.parentSpanContext?.spanId ?? null,
    kind: KINDS[span.kind] ?? 'INTERNAL',
    start: new Date(millisecondsOf(span.startTime)).toISOString(),
    milliseconds: Math.round(millisecondsOf(span.duration) * 1000) / 1000,
    status: STATUSES[span.status.code] ?? 'UNSET',
    attributes: span.attributes,
  }
}

const KINDS = ['INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER']
const STATUSES = ['UNSET', 'OK', 'ERROR']

/** Seconds and nanoseconds. */
function millisecondsOf([seconds, nanoseconds]: readonly [number, number]): number {
  return seconds * 1000 + nanoseconds / 1e6
}
