/** What docs/metrics.md lists for config-distribution is what it serves. */
import { routerFiguresSubject, routerStatusSubject, type RouterHeartbeat } from '@switchyard/contracts'
import { FleetKey, startWithMetrics } from '@switchyard/service-kit'
import { byName, freePort, metricsCatalogue, scrapeMetrics, servedRows, waitFor } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import { completed, composed, GRAPH } from './records.ts'
import { type Bench, openBench, QUIET } from './setup.ts'

const SECTIONS = [
  'Config-distribution',
  'Registry, composer and config-distribution',
  'Registry and config-distribution',
]

const STARTING: RouterHeartbeat = {
  ...GRAPH,
  instance: 'r1',
  boot: 'b1',
  epoch: 0,
  revision: 0,
  registrySequence: 0,
  flags: [],
  configCreatedAt: null,
  state: 'starting',
}

it('every instrument is in the table, with its type, unit and labels, and each row is produced', async () => {
  await using bench = await openBench()
  const port = await freePort()
  await using _running = await startWithMetrics(
    { env: { SWITCHYARD_METRICS_PORT: String(port) }, logger: QUIET },
    { service: 'config-distribution' },
    () => Promise.resolve({ [Symbol.asyncDispose]: () => Promise.resolve() }),
  )
  await publishAndForge(bench)
  await using _service = bench.start({ intervals: { routerBehindMs: 1 } })
  await bench.compose(completed(2, composed('of which there is no artifact')))
  const own = async () => {
    bench.announcer.announce(routerStatusSubject(GRAPH, 'r1'), STARTING)
    return byName(
      servedRows(await scrapeMetrics(port)).filter(
        ({ name }) => !/^(?:v8js|nodejs|process|switchyard_process|switchyard_build)_/.test(name),
      ),
    )
  }
  await expect.poll(own).toEqual(byName(metricsCatalogue(SECTIONS)))
})

/** A revision, whose manifest somebody replaces in the store, and a heartbeat that nobody signed. */
async function publishAndForge(bench: Bench): Promise<void> {
  await bench.artifacts('base 1')
  await using service = bench.start({
    fleetKey: new FleetKey('a key that routers share, long enough'),
    intervals: { repairMs: 20 },
  })
  await bench.compose(completed(1, composed('base 1')))
  await service.idle()
  bench.announcer.announce(routerStatusSubject(GRAPH, 'r1'), STARTING)
  bench.announcer.announce(routerFiguresSubject(GRAPH, 'r1'), STARTING)
  const version = { epoch: Number.MAX_SAFE_INTEGER - 1, revision: 9 }
  const manifest = new TextEncoder().encode('{}')
  await bench.store.replaceManifest(GRAPH, { version, manifest, signature: 'x..y' })
  await waitFor(
    'the repair',
    async () => (await bench.store.getManifest(GRAPH))?.version.epoch !== version.epoch,
  )
}
