import { recordMetrics } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import { createShop, openBench, toggle } from './setup.ts'

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
