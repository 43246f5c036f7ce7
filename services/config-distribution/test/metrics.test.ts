import { recordMetrics } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import { completed, composed, removed } from './records.ts'
import { openBench } from './setup.ts'

it('counts what was published by its reason', async () => {
  using metrics = recordMetrics()
  await using bench = await openBench()
  await bench.artifacts('base 1', 'base 2')
  await using service = bench.start()
  for (const record of [completed(1, composed('base 1')), completed(2, composed('base 2')), removed(3)]) {
    await bench.compose(record)
    await service.idle()
  }
  const published = metrics.measured.filter(({ name }) => name === 'switchyard.config_distribution.published')
  expect(published.map(({ labels }) => labels)).toEqual([
    { reason: 'composition' },
    { reason: 'composition' },
    { reason: 'graph-removed' },
  ])
})
