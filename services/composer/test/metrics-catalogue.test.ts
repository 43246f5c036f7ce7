/** What docs/metrics.md lists for the composer is what a composer serves. */
import { startWithMetrics } from '@switchyard/service-kit'
import { byName, freePort, metricsCatalogue, scrapeMetrics, servedRows } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import type { Composer } from '../src/composer.ts'
import { createShop, openBench, PRODUCTS, QUIET, telling } from './setup.ts'

const SECTIONS = ['Composer', 'Registry, composer and config-distribution']

it('every instrument is in the table, with its type, unit and labels, and each row is produced', async () => {
  await using bench = await openBench()
  const port = await freePort()
  const started: { composer?: Composer } = {}
  await createShop(bench)
  await using _running = await startWithMetrics(
    { env: { SWITCHYARD_METRICS_PORT: String(port) }, logger: QUIET },
    { service: 'composer' },
    () => Promise.resolve((started.composer = bench.start(bench.logged))),
  )
  await started.composer?.idle()
  await bench.publish('products', telling('endless'))
  await bench.line('composition.started', 2)
  await bench.publish('products', `${PRODUCTS} type Extra { a: Nothing }`)
  await started.composer?.idle()
  const own = servedRows(await scrapeMetrics(port)).filter(
    ({ name }) => !/^(?:v8js|nodejs|process|switchyard_process|switchyard_build)_/.test(name),
  )
  expect(byName(own)).toEqual(byName(metricsCatalogue(SECTIONS)))
  const { samples: lags } = (await scrapeMetrics(port)).get('switchyard_log_lag') ?? { samples: [] }
  expect(lags.map(({ labels, value }) => [labels['reader'], labels['log'], value])).toEqual([
    ['composer', 'registry', 0],
    ['composer', 'compositions', 0],
  ])
})
