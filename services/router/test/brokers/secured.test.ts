/** Providers of events that speak TLS and ask who is there, on a real NATS and a real router. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  createCertificate,
  natsServerAvailable,
  temporaryDirectory,
  writeCertificate,
} from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { until } from '../support/router.ts'
import { subscribe } from '../subscriptions/support/read-events.ts'
import { type BrokerWorld, startBrokerWorld } from './support/broker-world.ts'

const CHANGED = { query: 'subscription { orderChanged(id: "1") { id } }' }

/** Certificates of an authority for the server and for clients. */
async function certificates(use: AsyncDisposableStack) {
  const folder = use.use(await temporaryDirectory()).path
  const authority = createCertificate({ name: 'authority', authority: true })
  const files = writeCertificate(folder, authority, createCertificate({ signedBy: authority }))
  return { folder, authority, files }
}

async function expectEvents(world: BrokerWorld): Promise<void> {
  const reading = subscribe(world.router, CHANGED)
  await world.subscribed('orders.changed.1', 1)
  world.publish('orders.changed.1', { id: '1' })
  await reading.until(({ events }) => events.length === 1, 'an event')
  expect(reading.events).toEqual([['next', { data: { orderChanged: { id: '1' } } }]])
}

async function told(world: BrokerWorld, event: string, code: string): Promise<string> {
  const found = () => world.router.logs.find((line) => line.event === event && line['code'] === code)
  await until(() => found() !== undefined, code)
  return found()?.msg ?? ''
}

describe.skipIf(!natsServerAvailable())('a provider with TLS', () => {
  it('is believed by its authority, and shown the certificate of the router', async () => {
    await using use = new AsyncDisposableStack()
    const { files } = await certificates(use)
    const provider = `ca_file: "${files.ca}", cert_file: "${files.cert}", key_file: "${files.key}"`
    await expectEvents(use.use(await startBrokerWorld({ tls: files, provider })))
  })

  it('of an unknown authority is not believed, and the log says which setting is wrong, until it is right', async () => {
    await using use = new AsyncDisposableStack()
    const { files, folder, authority } = await certificates(use)
    const ca = join(folder, 'believed.pem')
    writeFileSync(ca, createCertificate({ name: 'another authority', authority: true }).cert)
    const provider = `ca_file: "${ca}", cert_file: "${files.cert}", key_file: "${files.key}"`
    const settings = 'upstream: { open_timeout: 500ms }'
    const world = use.use(await startBrokerWorld({ tls: files, provider, settings }))
    expect(await told(world, 'nats.problem', 'SERVER_CERTIFICATE_UNKNOWN')).toMatch(
      /^NATS at 127\.0\.0\.1:\d+ showed a certificate of an authority that is not believed here\. Name the authority's certificate in events\.providers\.default\.ca_file\.$/,
    )
    const reading = subscribe(world.router, CHANGED)
    await reading.until(({ end }) => end === 'whole', 'the end')
    expect(reading.events[0]).toMatchObject([
      'next',
      { errors: [{ extensions: { code: 'SUBGRAPH_TIMEOUT' } }] },
    ])
    writeFileSync(ca, authority.cert)
    await until(() => world.router.logs.some(({ event }) => event === 'nats.recovered'), 'a connection')
    await expectEvents(world)
  })

  it('that asks for a certificate refuses a router without one, and the log says what to set', async () => {
    await using use = new AsyncDisposableStack()
    const { files } = await certificates(use)
    const world = use.use(await startBrokerWorld({ tls: files, provider: `ca_file: "${files.ca}"` }))
    expect(await told(world, 'nats.problem', 'NATS_UNREACHABLE')).toContain(
      'name a valid one in events.providers.default.cert_file and events.providers.default.key_file.',
    )
  })
})

describe.skipIf(!natsServerAvailable())('a provider with a user', () => {
  it('that refuses the password is named, with the settings that hold one', async () => {
    await using use = new AsyncDisposableStack()
    const folder = use.use(await temporaryDirectory()).path
    const file = join(folder, 'password')
    writeFileSync(file, 'wrong\n')
    const world = use.use(await startBrokerWorld({ provider: `password_file: "${file}"` }))
    expect(await told(world, 'nats.problem', 'NATS_CREDENTIALS_REFUSED')).toMatch(
      /credentials of events\.providers\.default .* in events\.providers\.default\.url or in the file that events\.providers\.default\.password_file/,
    )
    writeFileSync(file, 'secret\n')
    await expectEvents(world)
  })

  it('that has no right to a subject is told to whom it belongs, and not by the table of services', async () => {
    await using use = new AsyncDisposableStack()
    const user = 'subscribe: ["_INBOX.router.>"]'
    const world = use.use(await startBrokerWorld({ user }))
    subscribe(world.router, CHANGED)
    expect(await told(world, 'nats.warning', 'NATS_PERMISSION_MISSING')).toMatch(
      /does not permit events\.providers\.default to subscribe to orders\.changed\.1\. Give its user this right/,
    )
  })
})
