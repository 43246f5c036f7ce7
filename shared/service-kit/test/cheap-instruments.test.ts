/** Cheap counters and histograms tell the same as those of OpenTelemetry's SDK. */
import { metrics } from '@opentelemetry/api'
import { freePort, recordMetrics, type ScrapedSample, scrapeMetrics } from '@switchyard/testkit'
import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  createCheapCounter,
  createCheapHistogram,
  createLogger,
  declareCounter,
  declareHistogram,
  startWithMetrics,
} from '../src/index.ts'

const METER = 'test'
let port: number
let stack: AsyncDisposableStack

async function start(): Promise<void> {
  port = await freePort()
  const logger = createLogger({ name: 'test', level: 'silent' })
  const env = { SWITCHYARD_METRICS_PORT: String(port) }
  stack.use(
    await startWithMetrics({ env, logger }, { service: 'test' }, async () => ({
      [Symbol.asyncDispose]: async () => {},
    })),
  )
}

beforeEach(() => {
  stack = new AsyncDisposableStack()
})
afterEach(() => stack.disposeAsync())

/** Without its own name, so that two metrics can be compared. */
async function scraped(name: string) {
  const found = (await scrapeMetrics(port)).get(name)
  if (found === undefined) return null
  const order = ({ name: of, labels }: ScrapedSample) => JSON.stringify([of, labels])
  const samples = found.samples
    .map((sample) => ({ ...sample, name: sample.name.replace(name, '') }))
    .toSorted((a, b) => (order(a) < order(b) ? -1 : 1))
  return { ...found, name: '', samples }
}

const things = (name: string, ...labels: readonly string[]) =>
  declareCounter(name, {
    description: 'Things',
    labels: Object.fromEntries(labels.map((label) => [label, ''])),
  })

it('a histogram has the same buckets, sums and labels', async () => {
  await start()
  const boundaries = [0, 0.005, 0.01, 0.1, 1, 10]
  const description = 'Things'
  const cheap = createCheapHistogram(
    METER,
    declareHistogram('test.cheap', { description, unit: 's', labels: { kind: '', status: '' }, boundaries }),
  )
  const official = metrics.getMeter(METER).createHistogram('test.official', {
    description,
    unit: 's',
    advice: { explicitBucketBoundaries: boundaries },
  })
  const values = [0, 0.0001, 0.005, 0.0050001, 0.01, 0.1, 0.5, 1, 9.99, 10, 10.01, 12345]
  for (const [index, value] of [...values, ...values].entries()) {
    const kind = index % 3 === 0 ? 'a' : 'b'
    const status = 200 + (index % 2)
    cheap.of(kind, status).record(value)
    official.record(value, { kind, status })
  }
  for (const wrong of [-1, Number.NaN]) cheap.of('a', 200).record(wrong)
  const told = await scraped('test_cheap_seconds')
  expect(told?.samples.length).toBe(4 * (boundaries.length + 3))
  expect(told).toEqual(await scraped('test_official_seconds'))
})

it('a counter counts the same, up to 2000 series', async () => {
  await start()
  const cheap = createCheapCounter(METER, things('test.cheap', 'name'))
  const official = metrics.getMeter(METER).createCounter('test.official', { description: 'Things' })
  for (let index = 0; index < 10_000; index++) {
    const name = `made-up-${index % 5000}`
    cheap.of(name).record(index)
    official.add(index, { name })
  }
  cheap.of('made-up-1').record(-5)
  const told = await scraped('test_cheap_total')
  expect(told?.samples.length).toBe(2000)
  expect(told).toEqual(await scraped('test_official_total'))
})

it('the same instrument made twice is one, and one without labels is a single series', async () => {
  await start()
  const make = () => createCheapCounter(METER, things('test.twice'))
  make().of().record(1)
  make().of().record(2)
  expect((await scraped('test_twice_total'))?.samples).toEqual([{ name: '', labels: {}, value: 3 }])
})

it('without metrics of ours, instruments of the API are told', () => {
  using recorded = recordMetrics()
  createCheapCounter(METER, things('test.counter', 'a', 'b'))
    .of('x', 1)
    .record(2)
  expect(recorded.measured).toEqual([{ name: 'test.counter', value: 2, labels: { a: 'x', b: 1 } }])
})

it('a gauge that is not observed any more has no value', async () => {
  await start()
  const gauge = metrics.getMeter(METER).createObservableGauge('test.gauge', { description: 'Things' })
  const values: (number | null)[] = [1, null, 2]
  gauge.addCallback((result) => {
    const value = values.shift() ?? null
    if (value !== null) result.observe(value)
  })
  const read = async () => (await scraped('test_gauge'))?.samples.map(({ value }) => value) ?? []
  expect([await read(), await read(), await read()]).toEqual([[1], [], [2]])
})

it('those who ask at the same time all get every metric', async () => {
  await start()
  const gauge = metrics.getMeter(METER).createObservableGauge('test.gauge', { description: 'Things' })
  gauge.addCallback(async (result) => {
    await new Promise((resolve) => {
      setTimeout(resolve, 20)
    })
    result.observe(1)
  })
  const read = await Promise.all(Array.from({ length: 5 }, () => scraped('test_gauge')))
  expect(read.map((found) => found?.samples.length)).toEqual([1, 1, 1, 1, 1])
})

it('without anybody who keeps metrics, nothing is kept', () => {
  const counter = createCheapCounter(METER, things('test.nobody', 'a'))
  expect(counter.of('x')).toBe(counter.of('y'))
  counter.of('x').record(1)
})
