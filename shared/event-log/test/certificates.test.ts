import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLogger, startWithMetrics } from '@switchyard/service-kit'
import { createCertificate, freePort, scrapeMetrics, temporaryDirectory } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import { connectNats } from '../src/nats/connect-nats.ts'

it('metrics tell until when the authorities of NATS are valid, also while it cannot be reached', async () => {
  await using directory = await temporaryDirectory()
  const caFile = join(directory.path, 'ca.pem')
  writeFileSync(caFile, createCertificate({ authority: true }).cert)
  const [port, nobody] = [await freePort(), await freePort()]
  await using _running = await startWithMetrics(
    { env: { SWITCHYARD_METRICS_PORT: String(port) }, logger: createLogger({ name: 't', level: 'silent' }) },
    { service: 'test' },
    () => Promise.resolve({ [Symbol.asyncDispose]: () => Promise.resolve() }),
  )
  const ended = new AbortController()
  const url = `nats://127.0.0.1:${nobody}`
  const connecting = connectNats({ url, tls: { caFile }, name: 'test', signal: ended.signal })
  const told = async () =>
    (await scrapeMetrics(port))
      .get('switchyard_certificate_expiry_timestamp_seconds')
      ?.samples.map(({ labels: { use, file } }) => [use, file])
  await expect.poll(told).toEqual([['nats-authorities', caFile]])
  ended.abort()
  await expect(connecting).rejects.toThrow(/abort/i)
  expect(await told()).toBeUndefined()
})
