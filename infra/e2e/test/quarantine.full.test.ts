/**
 * Garbage published to each stream, past every service: the platform goes on, also after each service started
 * again.
 */
import { VERSION } from '@switchyard/service-kit'
import { connectNats } from '@switchyard/event-log'
import { natsServerAvailable, redisServerAvailable, waitFor } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import {
  type Constellation,
  LINK,
  type OnRealServers,
  openShop,
  publishShop,
  query,
  startOnRealServers,
  waitForReady,
} from '../src/index.ts'

const SUBJECTS = [
  'registry.events.default',
  'registry.events._system',
  'compositions.default.shop',
  'compositions.nobody',
  'configs.default.shop',
]
const GARBAGE = ['not json', '', '{"v":1}']
const SERVICES = ['registry-0', 'composer-0', 'composer-1', 'config-distribution']

describe.skipIf(!natsServerAvailable() || !redisServerAvailable())('garbage on the streams', () => {
  it('is skipped by all services, running and started again, and named with its sequence', async () => {
    await using shop = await openShop()
    await using system = await startOnRealServers()
    await putGarbage(system)
    await publishShop(system, shop)
    await putGarbage(system)
    await publishAndServe(system, 'first')
    for (const name of SERVICES) {
      const program = system.programs.get(name)
      await program?.kill9()
      await program?.start()
    }
    await Promise.all(system.registryUrls.map((url) => waitForReady(system, url)))
    await putGarbage(system)
    await publishAndServe(system, 'second')

    const response = await fetch(`${system.registryUrls[0]}/health/ready`)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      status: 'ok',
      warning: expect.stringContaining(`${3 * SUBJECTS.length * GARBAGE.length} records are quarantined`),
      version: VERSION,
    })
    for (const name of SERVICES) {
      const told = system.programs.get(name)?.events.filter(({ event }) => event === 'log.record-quarantined')
      expect(told, name).toContainEqual(
        expect.objectContaining({
          log: 'compositions',
          subject: 'compositions.default.shop',
          sequence: expect.any(Number),
          reason: 'not JSON',
        }),
      )
    }
    expect((await system.manage('GET', '/v1/graphs/default/shop/revisions')).status).toBe(200)
  })
})

async function putGarbage(system: OnRealServers): Promise<void> {
  await using link = await connectNats({ url: system.nats.url, name: 'stranger' })
  for (const subject of SUBJECTS) {
    for (const text of GARBAGE) {
      const answer = await link.connection.request(subject, text)
      expect(answer.json()).toMatchObject({ seq: expect.any(Number) })
    }
  }
}

async function publishAndServe(system: Constellation, field: string): Promise<void> {
  const sdl = `${LINK}\ntype Query { me: User }\ntype User @key(fields: "id") { id: ID! name: String! ${field}: Int }`
  const reply = await system.manage('PUT', '/v1/subgraphs/default/users/schema', { sdl })
  expect(reply.body, system.report()).toMatchObject({ changed: true })
  for (const url of system.routerUrls) {
    await waitFor(`${url} to serve ${field}`, async () => {
      const answer = await query(url, {}, '{ __type(name: "User") { fields { name } } }')
      const text = JSON.stringify(answer.body)
      if (!text.includes(`"${field}"`)) throw new Error(`${text}\n${system.report()}`)
      return true
    })
  }
}
