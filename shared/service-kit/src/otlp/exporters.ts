/** The parts that exporters of metrics and of spans have in common. */
import { setTimeout as sleep } from 'node:timers/promises'
import { CompressionAlgorithm, type OTLPExporterConfigBase } from '@opentelemetry/otlp-exporter-base'
import type { OtlpSettings } from './settings.ts'

type ExporterOptions = OTLPExporterConfigBase & { readonly compression?: CompressionAlgorithm }

/** The time that the last measurements have to reach the collector when the process stops. */
const FLUSH_WITHIN_MS = 3000

export function exporterOptions(settings: OtlpSettings): ExporterOptions {
  const { url, headers, timeout, compression } = settings
  const options = { url, headers: { ...headers }, timeoutMillis: timeout }
  return compression === 'gzip' ? { ...options, compression: CompressionAlgorithm.GZIP } : options
}

/**
 * Waits for the last export, for 3 s at most. Never rejects: what could not be exported was told when it
 * failed.
 */
export async function flushed(last: Promise<unknown>): Promise<void> {
  const waiting = new AbortController()
  const limit = sleep(FLUSH_WITHIN_MS, undefined, { signal: waiting.signal }).catch(() => undefined)
  await Promise.race([last.catch(() => undefined), limit])
  waiting.abort()
}
