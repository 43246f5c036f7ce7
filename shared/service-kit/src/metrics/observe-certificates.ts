/** Until when the certificates that a process was given are valid, so that somebody is told in time. */
import { readFile } from 'node:fs/promises'
import { metrics } from '@opentelemetry/api'
import type { TlsFiles } from '../servers/server-problem.ts'
import { certificateExpiry } from './certificate-expiry.ts'
import { observeTogether } from './observe-together.ts'
import { declareGauge } from './metric.ts'

/**
 * The use of a certificate: shown to clients, shown to subgraphs, NATS or Redis, or the authorities by which
 * the certificates of those are checked.
 */
export type CertificateUse = 'listener' | `${'subgraph' | 'nats' | 'redis'}-${'client' | 'authorities'}`

export type ObservedCertificate = {
  readonly use: CertificateUse
  /** The name of the file as the settings give it. */
  readonly file: string
  /** Returns the certificate that is in use, in PEM; null if there is none yet. */
  readonly pem: () => string | null
}

const READ_EVERY_MS = 60_000

export const EXPIRY_TIMESTAMP = declareGauge('switchyard.certificate.expiry_timestamp', {
  unit: 's',
  description: 'Until when the certificates of a file are valid, in seconds since 1970',
  labels: {
    use: [
      'listener',
      'subgraph-client',
      'subgraph-authorities',
      'nats-client',
      'nats-authorities',
      'redis-client',
      'redis-authorities',
    ],
    file: 'as the settings name it',
  },
})

/** Reports when certificates expire, until it is disposed of. */
export function observeCertificates(certificates: readonly ObservedCertificate[]): Disposable {
  if (certificates.length === 0) return { [Symbol.dispose]() {} }
  const meter = metrics.getMeter('@switchyard/service-kit')
  const expiry = meter.createObservableGauge(EXPIRY_TIMESTAMP.name, EXPIRY_TIMESTAMP.options)
  return observeTogether(meter, [expiry], (result) => {
    for (const { use, file, pem } of certificates) {
      const text = pem()
      const which = use.endsWith('-authorities') ? 'authorities' : 'own'
      const until = text === null ? null : certificateExpiry(text, which, Date.now())
      if (until !== null) result.observe(expiry, until / 1000, { use, file })
    }
  })
}

/** Those of connections to a server of the platform, which read their files anew for each connection. */
export function observeTlsFiles(
  system: 'nats' | 'redis',
  { caFile, certFile }: Pick<TlsFiles, 'caFile' | 'certFile'> = {},
): Disposable {
  const texts = new Map<string, string>()
  const files: ObservedCertificate[] = []
  const add = (file: string | undefined, use: CertificateUse): void => {
    if (file !== undefined) files.push({ use, file, pem: () => texts.get(file) ?? null })
  }
  add(certFile, `${system}-client`)
  add(caFile, `${system}-authorities`)
  if (files.length === 0) return { [Symbol.dispose]() {} }
  const read = async (): Promise<void> => {
    for (const { file } of files) {
      // The connection says what is wrong with a file that cannot be read.
      const text = await readFile(file, 'utf8').catch(() => null)
      if (text === null) texts.delete(file)
      else texts.set(file, text)
    }
  }
  void read()
  const timer = setInterval(() => void read(), READ_EVERY_MS).unref()
  const observing = observeCertificates(files)
  return {
    [Symbol.dispose]() {
      clearInterval(timer)
      observing[Symbol.dispose]()
    },
  }
}
