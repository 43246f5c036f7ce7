/** Metrics tell until when the certificates of a router are valid: its own, and those for subgraphs. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createCertificate, temporaryDirectory } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import { startMeasuredRouter } from '../support/measured-router.ts'

const DAY = 86_400_000

it('for each use and file, those of single subgraphs as well', async () => {
  await using directory = await temporaryDirectory()
  const now = Math.floor(Date.now() / 1000) * 1000
  const written = (name: string, days: number) => {
    const { cert, key } = createCertificate({ to: now + days * DAY })
    const [certFile, keyFile] = [`${name}.pem`, `${name}-key.pem`].map((file) => join(directory.path, file))
    writeFileSync(certFile ?? '', cert)
    writeFileSync(keyFile ?? '', key)
    return `{ cert_file: ${certFile}, key_file: ${keyFile} }`
  }
  const authorities = join(directory.path, 'authorities.pem')
  writeFileSync(authorities, createCertificate({ to: now + 9 * DAY }).cert)
  await using measured = await startMeasuredRouter(`
tls: ${written('own', 1)}
subgraphs:
  tls: ${written('general', 2)}
  overrides: { reviews: { tls: { ca_file: ${authorities} } } }
`)
  const metric = (await measured.metrics()).get('switchyard_certificate_expiry_timestamp_seconds')
  const told = metric?.samples.map(({ labels: { use, file = '' }, value }) => [
    use,
    file.split('/').at(-1),
    (value * 1000 - now) / DAY,
  ])
  expect(told?.sort()).toEqual([
    ['listener', 'own.pem', 1],
    ['subgraph-authorities', 'authorities.pem', 9],
    ['subgraph-client', 'general.pem', 2],
  ])
})
