/** OpenTelemetry as an operator would register it, with the finished spans kept in memory for the test. */
import { trace } from '@opentelemetry/api'
import {
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace'

export type RecordedSpans = Disposable & { finished(): readonly ReadableSpan[] }

/** Registers a tracer provider for the whole process; disposing takes it away again. */
export function recordSpans(): RecordedSpans {
  const exporter = new InMemorySpanExporter()
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
  trace.setGlobalTracerProvider(provider)
  return {
    finished: () => exporter.getFinishedSpans(),
    [Symbol.dispose]() {
      trace.disable()
    },
  }
}
