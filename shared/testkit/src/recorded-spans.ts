/** OpenTelemetry as an operator would register it, with the finished spans kept in memory for the test. */
import { trace } from '@opentelemetry/api'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'

export type RecordedSpans = Disposable & { finished(): readonly ReadableSpan[] }

/** Registers a tracer provider for the whole process; disposing takes it away again. */
export function recordSpans(): RecordedSpans {
  const exporter = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  trace.setGlobalTracerProvider(provider)
  return {
    finished: () => exporter.getFinishedSpans(),
    [Symbol.dispose]() {
      trace.disable()
    },
  }
}
