import { recordSpans } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import { completed, composed } from './records.ts'
import { openBench } from './setup.ts'

it('names the graph in the span of each publication, and nothing else of it', async () => {
  using spans = recordSpans()
  await using bench = await openBench()
  await bench.artifacts('base 1', 'base 2')
  await using service = bench.start()
  for (const record of [completed(1, composed('base 1')), completed(2, composed('base 2'))]) {
    await bench.compose(record)
    await service.idle()
  }
  const published = spans.finished().filter(({ name }) => name === 'publish config')
  expect(published.map(({ attributes }) => attributes)).toEqual(
    Array.from({ length: 2 }, () => ({
      'switchyard.namespace': 'default',
      'switchyard.graph': 'shop',
    })),
  )
})
