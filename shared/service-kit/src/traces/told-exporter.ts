/**
 * An exporter of spans that logs its failures: once when a collector cannot be reached, once when it takes
 * spans again. The caller that hands it spans gets a success each time, or the SDK would report the failure a
 * second time.
 */
import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import { messageOf } from '@switchyard/values'
import type { Logger } from '../logging/logger.ts'
import { Outage } from '../servers/outage.ts'
import { logEvent } from '../logging/log-event.ts'

/** The log events of this file. */
export const LOGGED = {
  exportFailed: logEvent('traces.export-failed', {
    level: 'warn',
    fields: ['url', 'reason'],
    says: 'The collector does not take spans. They are lost until it does; nothing else is affected. Logged once until it does.',
    advice: 'See whether the collector runs, and `OTEL_EXPORTER_OTLP_ENDPOINT`',
  }),
  exportResumed: logEvent('traces.export-resumed', {
    level: 'info',
    fields: ['lost'],
    says: 'The collector takes spans again. `lost`: how many spans were lost meanwhile.',
  }),
}

export class ToldExporter implements SpanExporter {
  readonly #exporter: SpanExporter
  readonly #logger: Logger
  readonly #outage: Outage
  /** Since the outage began. */
  #lost = 0

  /** `url` has no part that may be secret. */
  constructor(exporter: SpanExporter, url: string, logger: Logger) {
    this.#exporter = exporter
    this.#logger = logger
    this.#outage = new Outage((error) =>
      LOGGED.exportFailed.write(
        logger,
        { url, reason: messageOf(error).slice(0, 500) },
        'The collector does not take spans. They are lost until it does; nothing else is affected. See OTEL_EXPORTER_OTLP_ENDPOINT.',
      ),
    )
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.#exporter.export(spans, ({ code, error }) => {
      if (code === ExportResultCode.SUCCESS) this.#taken()
      else {
        this.#lost += spans.length
        this.#outage.noticed(error ?? new Error('no reason given'))
      }
      done({ code: ExportResultCode.SUCCESS })
    })
  }

  async forceFlush(): Promise<void> {
    await this.#exporter.forceFlush?.()
  }

  shutdown(): Promise<void> {
    return this.#exporter.shutdown()
  }

  #taken(): void {
    if (this.#outage.problem === null) return
    this.#outage.over()
    LOGGED.exportResumed.write(
      this.#logger,
      { lost: this.#lost },
      `The collector takes spans again. ${this.#lost} were lost.`,
    )
    this.#lost = 0
  }
}
