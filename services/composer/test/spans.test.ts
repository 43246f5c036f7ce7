import { recordSpans, waitFor } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import { createShop, openBench } from './setup.ts'

it('names the graph in the span of each pass, and nothing else of it', async () => {
  using spans = recordSpans()
  await using bench = await openBench()
  await using composer = bench.start()
  await createShop(bench)
  await composer.idle()
  const pass = await waitFor('the span of a pass', () =>
    spans.finished().find(({ name }) => name === 'compose graph'),
  )
  expect(pass.attributes).toEqual({ 'switchyard.namespace': 'default', 'switchyard.graph': 'shop' })
})
