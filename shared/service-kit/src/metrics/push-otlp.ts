/**
 * Sends metrics to a collector by OTLP, now and then and when the process stops. Loaded only where that is
 * asked for.
 */
import { ExportResultCode } from '@opentelemetry/core'
import type { PushMetricExporter, ResourceMetrics } from '@opentelemetry/sdk-metrics'
import { messageOf } from '@switchyard/values'
import type { Logger } from '../logging/logger.ts'
import { exporterOptions, flushed } from '../otlp/exporters.ts'
import { shownUrl } from '../otlp/settings.ts'
import { Outage } from '../servers/outage.ts'
import type { PushSettings } from './settings.ts'
import { logEvent } from '../logging/log-event.ts'

/** The log events of this file. */
export const LOGGED = {
  exporting: logEvent('metrics.exporting', {
    level: 'info',
    fields: ['url', 'protocol', 'interval'],
    says: 'The process sends its metrics to the collector at `url`.',
  }),
  exportFailed: logEvent('metrics.export-failed', {
    level: 'warn',
    fields: ['url', 'reason'],
    says: 'The collector does not take metrics. It is tried again; nothing else is affected. Logged once until it does.',
    advice: 'See whether the collector runs, and `OTEL_EXPORTER_OTLP_ENDPOINT`',
  }),
  exportResumed: logEvent('metrics.export-resumed', {
    level: 'info',
    fields: ['url'],
    says: 'The collector takes metrics again. No counter lost anything, since counters tell totals since the start.',
  }),
}

/** Pushes metrics by OTLP. Disposing of it sends the last measurements, for 3 s at most. */
export async function pushOtlp(
  settings: PushSettings,
  read: () => Promise<ResourceMetrics>,
  logger: Logger,
): Promise<AsyncDisposable> {
  const exporter = await openExporter(settings)
  const told = new ToldExports(shownUrl(settings.url), logger)
  let running: Promise<void> | null = null
  /** One at a time: a slow collector gets fewer values, and nothing waits for it. */
  const push = (): Promise<void> => (running ??= send(exporter, read, told).finally(() => (running = null)))
  const timer = setInterval(() => void push(), settings.interval).unref()
  const { interval, protocol } = settings
  LOGGED.exporting.write(
    logger,
    { url: shownUrl(settings.url), protocol, interval },
    `metrics are exported to ${shownUrl(settings.url)}`,
  )
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      const last = async () => {
        await running
        await push()
        await exporter.shutdown()
      }
      await flushed(last())
    },
  }
}

/** Never rejects. */
async function send(
  exporter: PushMetricExporter,
  read: () => Promise<ResourceMetrics>,
  told: ToldExports,
): Promise<void> {
  try {
    const metrics = await read()
    const { promise, resolve } = Promise.withResolvers<Parameters<ExportDone>[0]>()
    exporter.export(metrics, resolve)
    const { code, error } = await promise
    if (code === ExportResultCode.SUCCESS) told.taken()
    else told.failed(error ?? new Error('no reason given'))
  } catch (error) {
    told.failed(error)
  }
}

type ExportDone = Parameters<PushMetricExporter['export']>[1]

/** Once when a collector does not take metrics, and once when it does again. */
class ToldExports {
  readonly #logger: Logger
  readonly #url: string
  readonly #outage: Outage

  constructor(url: string, logger: Logger) {
    this.#url = url
    this.#logger = logger
    this.#outage = new Outage((error) =>
      LOGGED.exportFailed.write(
        logger,
        { url, reason: messageOf(error).slice(0, 500) },
        'The collector does not take metrics. It is tried again; nothing else is affected. See OTEL_EXPORTER_OTLP_ENDPOINT.',
      ),
    )
  }

  failed(error: unknown): void {
    this.#outage.noticed(error)
  }

  taken(): void {
    if (this.#outage.problem === null) return
    this.#outage.over()
    LOGGED.exportResumed.write(this.#logger, { url: this.#url })
  }
}

/** Each form has a package of its own, and only one of them is loaded. */
async function openExporter(settings: PushSettings): Promise<PushMetricExporter> {
  const { OTLPMetricExporter } =
    settings.protocol === 'http/json'
      ? await import('@opentelemetry/exporter-metrics-otlp-http')
      : await import('@opentelemetry/exporter-metrics-otlp-proto')
  return new OTLPMetricExporter(exporterOptions(settings))
}
