/**
 * `OTEL_TRACES_EXPORTER=console`: one log line for each span, so that the log stays one JSON document a line.
 */
import { ExportResultCode } from '@opentelemetry/core'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import { logEvent } from '../logging/log-event.ts'
import type { Logger } from '../logging/logger.ts'

/** The log events of this file. */
export const LOGGED = {
  span: logEvent('traces.span', {
    level: 'info',
    fields: [
      'trace_id',
      'span_id',
      'parent_span_id',
      'kind',
      'start',
      'milliseconds',
      'status',
      'attributes',
    ],
    says: 'A span that ended, with `OTEL_TRACES_EXPORTER=console`.',
  }),
}

export function createLoggedSpans(logger: Logger): SpanExporter {
  return {
    export(spans, done) {
      for (const span of spans) LOGGED.span.write(logger, fieldsOf(span), span.name)
      done({ code: ExportResultCode.SUCCESS })
    },
    shutdown: () => Promise.resolve(),
  }
}

function fieldsOf(span: ReadableSpan) {
  const { traceId, spanId } = span.spanContext()
  return {
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
