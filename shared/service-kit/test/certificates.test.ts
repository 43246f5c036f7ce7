/** Until when certificates are valid, as metrics tell it. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  createCertificate,
  freePort,
  metricsCatalogue,
  scrapeMetrics,
  servedRows,
  temporaryDirectory,
} from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { createLogger, observeTlsFiles, startWithMetrics } from '../src/index.ts'
import { certificateExpiry } from '../src/metrics/certificate-expiry.ts'

const DAY = 86_400_000
const NOW = Math.floor(Date.now() / 1000) * 1000
const until = (days: number) => createCertificate({ to: NOW + days * DAY }).cert

describe('the end of certificates', () => {
  it('is the first one of a certificate with those of authorities in between', () => {
    expect(certificateExpiry(until(30) + until(2), 'own', NOW)).toBe(NOW + 2 * DAY)
  })

  it('is the first one of the authorities that are still valid', () => {
    const over = until(-3)
    expect(certificateExpiry(over + until(40) + until(9), 'authorities', NOW)).toBe(NOW + 9 * DAY)
    expect(certificateExpiry(until(-9) + over, 'authorities', NOW)).toBe(NOW - 3 * DAY)
  })

  it('is not known of what holds no certificate', () => {
    const broken = '-----BEGIN CERTIFICATE-----\nno\n-----END CERTIFICATE-----\n'
    expect([certificateExpiry('', 'own', NOW), certificateExpiry(broken, 'own', NOW)]).toEqual([null, null])
    expect(certificateExpiry(broken + until(5), 'authorities', NOW)).toBe(NOW + 5 * DAY)
  })
})

it('is told of the files of NATS and Redis as docs/metrics.md lists it, for as long as they can be read', async () => {
  await using directory = await temporaryDirectory()
  const [cert, authorities] = [join(directory.path, 'cert.pem'), join(directory.path, 'ca.pem')]
  writeFileSync(cert, until(3))
  writeFileSync(authorities, until(7))
  const port = await freePort()
  await using _running = await startWithMetrics(
    { env: { SWITCHYARD_METRICS_PORT: String(port) }, logger: createLogger({ name: 't', level: 'silent' }) },
    { service: 'test' },
    () => Promise.resolve({ [Symbol.asyncDispose]: () => Promise.resolve() }),
  )
  const told = async () =>
    (await scrapeMetrics(port))
      .get('switchyard_certificate_expiry_timestamp_seconds')
      ?.samples.map(({ labels, value }) => [labels['use'], labels['file'], (value * 1000 - NOW) / DAY])
  {
    using _nats = observeTlsFiles('nats', { certFile: cert, caFile: authorities })
    using _redis = observeTlsFiles('redis', { caFile: join(directory.path, 'missing.pem') })
    await expect.poll(told).toEqual([
      ['nats-client', cert, 3],
      ['nats-authorities', authorities, 7],
    ])
    const rows = servedRows(await scrapeMetrics(port)).map((row) => JSON.stringify(row))
    for (const row of metricsCatalogue(['Certificates'])) expect(rows).toContain(JSON.stringify(row))
  }
  rmSync(cert)
  expect(await told()).toBeUndefined()
})
