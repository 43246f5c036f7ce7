/** A provider in the account of the services, under another user, is noticed by what a real NATS says. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isSameAccount, natsAccountOf } from '@switchyard/event-log/nats-account'
import { natsVersions, startNatsCluster, startServer, temporaryDirectory } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { SharedAccounts } from '../../src/brokers/nats/shared-accounts.ts'
import type { BrokerSettings } from '../../src/brokers/settings.ts'
import { composedArtifact } from '../support/artifacts.ts'
import { listeningAt, runRouterMain } from '../support/router-main.ts'
import { until } from '../support/router.ts'

const RIGHTS = 'publish: ["$SYS.REQ.USER.INFO"], subscribe: ["_INBOX.router.>"]'
const SILENT = 'publish: ["router.status.>"], subscribe: ["config.>"]'
const CONFIG = `accounts {
  SWITCHYARD { users: [
    { user: router, password: x, permissions: { ${RIGHTS} } }
    { user: silent, password: x, permissions: { ${SILENT} } }
    { user: shop, password: x }
  ] }
  EVENTS { users: [{ user: events, password: x }] }
}`

const settingsFor = (url: string): BrokerSettings => ({
  url,
  tls: { caFile: undefined, certFile: undefined, keyFile: undefined },
  passwordFile: undefined,
  tokenFile: undefined,
  credentialsFile: undefined,
})

function start(path: string) {
  return startServer({
    binary: 'nats-server',
    path,
    scheme: 'nats',
    arguments: (port, folder) => {
      const file = join(folder, 'nats.conf')
      writeFileSync(file, `listen: "127.0.0.1:${port}"\n${CONFIG}`)
      return ['-c', file]
    },
  })
}

const as = (url: string, user: string) => url.replaceAll('nats://', `nats://${user}:x@`)

/** Waits until all were looked at: `last` is one that is found. */
async function noticed(controlPlane: string, providers: Readonly<Record<string, string>>, last: string) {
  const found: string[] = []
  const settings = new Map(Object.entries(providers).map(([id, url]) => [id, settingsFor(url)]))
  const events = { sharesAccount: (id: string, account: string) => void found.push(`${id} ${account}`) }
  using accounts = new SharedAccounts(settingsFor(controlPlane), events)
  accounts.look(settings)
  await until(() => found.includes(last), last)
  return found.toSorted()
}

describe.skipIf(natsVersions().length === 0)('a provider in the account of the services', () => {
  it.each(natsVersions())(
    'is noticed under another user, and others are not: NATS $version',
    async ({ path }) => {
      await using server = await start(path)
      await using other = await start(path)
      const { url } = server
      const providers = {
        events: as(url, 'events'),
        elsewhere: as(other.url, 'shop'),
        shop: as(url, 'shop'),
      }
      expect(await noticed(as(url, 'router'), providers, 'shop SWITCHYARD')).toEqual(['shop SWITCHYARD'])
      const [own, events, elsewhere] = await Promise.all(
        [as(url, 'router'), as(url, 'events'), as(other.url, 'shop')].map((one) =>
          natsAccountOf(settingsFor(one), 'router'),
        ),
      )
      if (!own || !events || !elsewhere) throw new Error('NATS does not tell.')
      expect(own.account).toBe(elsewhere.account)
      expect([isSameAccount(own, events), isSameAccount(own, elsewhere)]).toEqual([false, false])
      expect(await natsAccountOf(settingsFor(as(url, 'silent')), 'router')).toBeNull()
    },
  )

  it.each([1, 2])(
    'is told by the log of a router, once for each change of settings: %i processes',
    async (workers) => {
      await using server = await start(natsVersions().at(-1)?.path ?? '')
      await using folder = await temporaryDirectory()
      const at = (name: string) => join(folder.path, name)
      const sdl = 'type Query { hello: String }'
      const base = composedArtifact([{ name: 'hello', sdl, routingUrl: 'http://hello.invalid/' }]).artifact
      writeFileSync(at('config.json'), JSON.stringify({ formatVersion: 1, base, featureFlags: {} }))
      const [shop, events] = ['shop', 'events'].map((user) => `{ url: "${as(server.url, user)}" }`)
      const settingsOf = (providers: string) =>
        `host: 127.0.0.1\nworkers: ${workers}\nevents: { providers: { ${providers} } }\n`
      const isApplied = (line: string) => line.includes('"event":"settings.applied"')
      writeFileSync(at('router.yaml'), settingsOf(`shop: ${shop}, events: ${events}`))
      const running = runRouterMain(
        {
          SWITCHYARD_EXECUTION_CONFIG: at('config.json'),
          SWITCHYARD_CONFIG: at('router.yaml'),
          SWITCHYARD_PORT: '0',
          SWITCHYARD_NATS_URL: as(server.url, 'router'),
        },
        folder.path,
      )
      try {
        const lines = () => running.output.text.split('\n')
        const told = () => lines().filter((line) => line.includes('events.provider-shares-account'))
        await until(() => told().length > 0, 'the warning')
        await listeningAt(running)
        expect(told()).toHaveLength(1)
        expect(told()[0]).toContain('"provider":"shop"')
        // The events come from there now, and then from an account of their own again.
        for (const user of ['shop', 'events']) {
          writeFileSync(at('router.yaml'), settingsOf(`events: { url: "${as(server.url, user)}" }`))
          running.child.kill('SIGHUP')
          await until(() => lines().filter(isApplied).length === (user === 'shop' ? 1 : 2), 'the settings')
          if (user === 'shop') await until(() => told().length > 1, 'the second warning')
        }
        expect(told()).toHaveLength(2)
        expect(told()[1]).toContain('"provider":"events"')
      } finally {
        running.child.kill()
        await running.exit
      }
    },
  )

  it('is noticed at another server of the cluster, and once NATS is there', async () => {
    await using cluster = await startNatsCluster({ config: CONFIG })
    const [first, second] = cluster.nodes
    if (first === undefined || second === undefined) throw new Error('There are no nodes.')
    await second.stop()
    const finding = noticed(as(first.url, 'router'), { shop: as(second.url, 'shop') }, 'shop SWITCHYARD')
    await second.restart()
    expect(await finding).toEqual(['shop SWITCHYARD'])
  })
})
