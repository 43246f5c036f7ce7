/** What docs/metrics.md lists for the registry is what a registry serves. */
import { routerStatusSubject } from '@switchyard/contracts'
import { createLogger, FleetKey, startWithMetrics } from '@switchyard/service-kit'
import { byName, freePort, metricsCatalogue, scrapeMetrics, servedRows } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import { type Client, GRAPH, heartbeat, openStorage, setUpShop, startClient } from './harness.ts'
import { writeRevision } from './transfer/support.ts'
import { subjectOf, usage } from './usage/messages.ts'

const SECTIONS = [
  'Ready or not',
  'Registry',
  'Registry, composer and config-distribution',
  'Registry and config-distribution',
]

it('every instrument is in the table, with its type, unit and labels, and each row is produced', async () => {
  await using storage = await openStorage()
  const port = await freePort()
  const started: { client?: Client } = {}
  await using _running = await startWithMetrics(
    {
      env: { SWITCHYARD_METRICS_PORT: String(port) },
      logger: createLogger({ name: 'registry', level: 'silent' }),
    },
    { service: 'registry' },
    async () =>
      (started.client = await startClient(storage, {
        fleetKey: new FleetKey('a key that routers share, long enough'),
      })),
  )
  const { client } = started
  if (client === undefined) throw new Error('The registry was not started.')
  await setUpShop(client)
  await writeRevision(storage)
  await client.request('GET', '/v1/graphs/default', { headers: { authorization: 'Bearer swy_made_up' } })
  storage.announcer.announce(routerStatusSubject(GRAPH, 'one'), heartbeat())
  const minute = usage(Math.floor(Date.now() / 60_000))
  storage.announcer.announce(subjectOf(minute), minute)
  const listed = byName(metricsCatalogue(SECTIONS))
  const own = async () =>
    byName(
      servedRows(await scrapeMetrics(port)).filter(
        ({ name }) => !/^(?:v8js|nodejs|process|switchyard_process|switchyard_build)_/.test(name),
      ),
    )
  await expect.poll(own).toEqual(listed)
  const lags = (await scrapeMetrics(port)).get('switchyard_log_lag')?.samples ?? []
  expect(lags.map(({ labels, value }) => [labels['reader'], labels['log'], value]).toSorted()).toEqual([
    ['registry', 'compositions', 0],
    ['registry', 'configs', 0],
    ['registry', 'registry', 0],
  ])
})
