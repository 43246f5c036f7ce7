import { startWithMetrics } from '@switchyard/service-kit'
import { freePort, recordMetrics, scrapeMetrics } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import { createShop, openBench, PRODUCTS, QUIET, toggle } from './setup.ts'

it('counts what came of compositions and how long they took, without names of graphs', async () => {
  using metrics = recordMetrics()
  await using bench = await openBench()
  await using composer = bench.start()
  await createShop(bench)
  await composer.idle()
  await bench.command([toggle(true)])
  await composer.idle()
  const labelsOf = (wanted: string) =>
    metrics.measured.filter(({ name }) => name === wanted).map(({ labels }) => labels)
  expect(labelsOf('switchyard.composer.pass_duration').slice(-2)).toEqual([
    { outcome: 'composed' },
    { outcome: 'reused' },
  ])
  expect(labelsOf('switchyard.composer.results').slice(-3)).toEqual([
    { status: 'composed' },
    { status: 'reused' },
    { status: 'composed' },
  ])
  expect(labelsOf('switchyard.composer.computing_time')).toContainEqual({ thread: 'small', ended: 'ended' })
  expect(JSON.stringify(metrics.measured)).not.toContain('shop')
})

it('tells which compositions fail for as long as they do, also after a restart', async () => {
  await using bench = await openBench()
  const port = await freePort()
  await using _running = await startWithMetrics(
    { env: { SWITCHYARD_METRICS_PORT: String(port) }, logger: QUIET },
    { service: 'composer' },
    () => Promise.resolve({ [Symbol.asyncDispose]: () => Promise.resolve() }),
  )
  const told = async () => {
    const metrics = await scrapeMetrics(port)
    const count = metrics.get('switchyard_composer_failing_compositions')?.samples[0]?.value
    return [count, metrics.get('switchyard_composer_failing')?.samples.map(({ labels }) => labels) ?? []]
  }
  await createShop(bench)
  await bench.command([toggle(true)])
  const both = [
    { graph: 'default/shop', composition: 'base', flag: '' },
    { graph: 'default/shop', composition: 'flag', flag: 'next' },
  ]
  {
    await using composer = bench.start()
    await composer.idle()
    expect(await told()).toEqual([0, []])
    await bench.publish('products', `${PRODUCTS} type Broken { a: Nothing }`)
    await composer.idle()
    expect(await told()).toEqual([2, both])
  }
  await using composer = bench.start()
  await composer.idle()
  expect(await told()).toEqual([2, both])
  await bench.publish('products', PRODUCTS)
  await composer.idle()
  expect(await told()).toEqual([0, []])
})
