/** Keeps the spans of a process and exports them. Loaded only where `OTEL_TRACES_EXPORTER` asks for it. */
import { trace } from '@opentelemetry/api'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  SimpleSpanProcessor,
  type SpanExporter,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Logger } from '../logging/logger.ts'
import { exporterOptions, flushed } from '../otlp/exporters.ts'
import type { ResourceAttributes } from '../otlp/resource.ts'
import { type OtlpSettings, shownUrl } from '../otlp/settings.ts'
import { tellDiagnostics } from './diagnostics.ts'
import { createLoggedSpans } from './logged-spans.ts'
import type { TraceSettings } from './settings.ts'
import { ToldExporter } from './told-exporter.ts'
import { logEvent } from '../logging/log-event.ts'

export type TracesOptions = {
  readonly settings: TraceSettings
  readonly resource: ResourceAttributes
  readonly logger: Logger
}

/** Nothing that a span says is longer: what waits for a collector is bounded by the queue and by this. */
const MAX_VALUE_LENGTH = 2048

/** The log events of this file. */
export const LOGGED = {
  exporting: logEvent('traces.exporting', {
    level: 'info',
    fields: ['sampler', 'ratio'],
    rareFields: ['url', 'protocol'],
    says: 'The process sends its spans to the collector at `url`, or writes them into the log.',
  }),
}

/** Starts exporting spans. Disposing of it exports the rest, for 3 s at most. */
export async function startTraces({ settings, resource, logger }: TracesOptions): Promise<AsyncDisposable> {
  const processors: SpanProcessor[] = []
  if (settings.console) processors.push(new SimpleSpanProcessor({ exporter: createLoggedSpans(logger) }))
  if (settings.otlp !== null) {
    const exporter = new ToldExporter(await openOtlp(settings.otlp), shownUrl(settings.otlp.url), logger)
    processors.push(new BatchSpanProcessor({ ...settings.batch, exporter }))
  }
  const provider = new TracerProvider({
    resource: defaultResource().merge(resourceFromAttributes(resource)),
    sampler: samplerOf(settings.sampler),
    spanProcessors: processors,
    spanLimits: { attributeValueLengthLimit: MAX_VALUE_LENGTH },
  })
  const diagnostics = tellDiagnostics(logger)
  trace.setGlobalTracerProvider(provider)
  const { otlp, sampler } = settings
  LOGGED.exporting.write(
    logger,
    {
      sampler: sampler.name,
      ratio: sampler.ratio,
      ...(otlp === null ? {} : { url: shownUrl(otlp.url), protocol: otlp.protocol }),
    },
    otlp === null ? 'spans are logged' : `spans are exported to ${shownUrl(otlp.url)}`,
  )
  return {
    async [Symbol.asyncDispose]() {
      trace.disable()
      await flushed(provider.shutdown())
      diagnostics[Symbol.dispose]()
    },
  }
}

/** Each form has a package of its own, and only one of them is loaded. */
async function openOtlp(settings: OtlpSettings): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    settings.protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto')
  return new OTLPTraceExporter(exporterOptions(settings))
}

function samplerOf({ name, ratio }: TraceSettings['sampler']): Sampler {
  switch (name) {
    case 'always_on':
      return new AlwaysOnSampler()
    case 'always_off':
      return new AlwaysOffSampler()
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(ratio)
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: new AlwaysOnSampler() })
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() })
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) })
    default:
      return name satisfies never
  }
}
