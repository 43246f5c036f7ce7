/** How far a follower has got, as the metrics of a service tell it. */
import { createLogger, startWithMetrics } from '@switchyard/service-kit'
import { freePort, scrapeMetrics } from '@switchyard/testkit'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { observeFollower } from '../src/following/observe-follower.ts'
import { type EventLog, EventLogUnavailableError, type LogEntry, StreamMissingError } from '../src/index.ts'

const stack = { current: new AsyncDisposableStack() }
let port: number

beforeEach(async () => {
  stack.current = new AsyncDisposableStack()
  port = await freePort()
  const logger = createLogger({ name: 'test', level: 'silent' })
  const context = { env: { SWITCHYARD_METRICS_PORT: String(port) }, logger }
  stack.current.use(
    await startWithMetrics(context, { service: 'test' }, async () => ({
      [Symbol.asyncDispose]: async () => {},
    })),
  )
})
afterEach(() => stack.current.disposeAsync())

const entry = (sequence: number): LogEntry => ({ subject: 'registry.events.x', sequence, record: {} })
const NONE: AsyncIterable<LogEntry> = (async function* () {})()

function logWith(last: () => Promise<LogEntry | null>): EventLog {
  return {
    append: () => Promise.reject(new Error('not here')),
    read: () => NONE,
    follow: () => NONE,
    last,
    subjects: () => Promise.resolve([]),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
}

async function told(): Promise<Record<string, number | undefined>> {
  const metrics = await scrapeMetrics(port)
  const valueOf = (name: string) => metrics.get(name)?.samples[0]
  return {
    position: valueOf('switchyard_log_position')?.value,
    lag: valueOf('switchyard_log_lag')?.value,
    lost: valueOf('switchyard_log_lost')?.value,
  }
}

it('tells the lag as long as the log tells its end', async () => {
  const answers = [entry(7), null, new EventLogUnavailableError('away'), 'never', entry(9)]
  let position = 4
  const log = logWith(() => {
    const answer = answers.shift()
    if (answer === 'never') return new Promise(() => {})
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer as LogEntry | null)
  })
  const observed = observeFollower({
    reader: 'composer',
    log,
    filter: { kind: 'log', log: 'registry' },
    position: () => position,
  })
  expect(await told()).toEqual({ position: 4, lag: 3, lost: 0 })
  const { samples } = (await scrapeMetrics(port)).get('switchyard_log_lag') ?? { samples: [] }
  expect(samples).toEqual([
    { name: 'switchyard_log_lag', labels: { log: 'registry', reader: 'composer' }, value: 0 },
  ])
  expect(await told()).toEqual({ position: 4, lag: undefined, lost: undefined })
  position = 9
  expect(await told()).toEqual({ position: 9, lag: undefined, lost: undefined })
  // While a question is open, no other is asked.
  expect(answers.length).toBe(1)
  observed[Symbol.dispose]()
  expect(await told()).toEqual({ position: undefined, lag: undefined, lost: undefined })
})

it('tells that a log is lost when it ends before what was handled, or is missing', async () => {
  const answers = [entry(4), entry(3), new StreamMissingError('registry'), entry(5)]
  const log = logWith(() => {
    const answer = answers.shift()
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer as LogEntry)
  })
  using _observed = observeFollower({
    reader: 'composer',
    log,
    filter: { kind: 'log', log: 'registry' },
    position: () => 4,
  })
  expect(await told()).toEqual({ position: 4, lag: 0, lost: 0 })
  expect(await told()).toEqual({ position: 4, lag: 0, lost: 1 })
  expect(await told()).toEqual({ position: 4, lag: undefined, lost: 1 })
  expect(await told()).toEqual({ position: 4, lag: 1, lost: 0 })
})

it('calls nothing lost that was handled while the log was asked', async () => {
  let position = 4
  const log = logWith(async () => {
    position = 9
    return entry(5)
  })
  using _observed = observeFollower({
    reader: 'composer',
    log,
    filter: { kind: 'log', log: 'registry' },
    position: () => position,
  })
  expect(await told()).toEqual({ position: 4, lag: 0, lost: 0 })
})
