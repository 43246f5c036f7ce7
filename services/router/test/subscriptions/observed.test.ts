/** What logs, metrics and guards hear of a subscription. */
import { createClient } from 'graphql-ws'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { countedRequest } from '../../src/concerns/guards/counted-request.ts'
import type { RequestObserver } from '../../src/observe/request-observer.ts'
import { RequestReport } from '../../src/observe/request-report.ts'
import type { ActiveSpan } from '../../src/observe/spans.ts'
import type { LogLine } from '../support/router.ts'
import { until } from '../support/router.ts'
import { startEventWorld } from './support/event-world.ts'
import { subscribe } from './support/read-events.ts'

const SPAN: ActiveSpan = { traceId: '1', spanId: '1', kept: () => SPAN } as unknown as ActiveSpan
const TICKS = { query: 'subscription Ticks { ticks }' }
const requestLines = (logs: readonly LogLine[]) => logs.filter(({ event }) => event === 'request.answered')

describe('the access log', () => {
  it('has one line of a subscription, at its end, which says why it ended and how many events it had', async () => {
    await using world = await startEventWorld()
    const ended = subscribe(world.router, TICKS)
    await world.subscribed(1)
    world.events.send({ ticks: 1 })
    world.events.send({ ticks: 'no number' })
    world.events.send(null)
    await ended.until(({ end }) => end === 'whole', 'the end')
    const left = subscribe(world.router, TICKS)
    await world.subscribed(1)
    left.leave()
    await world.subscribed(0)
    const [first, second] = await until(() => {
      const lines = requestLines(world.router.logs)
      return lines.length === 2 ? lines : null
    }, 'two lines')
    const common = { operation: 'Ticks', status: 200, msg: 'subscription ended' }
    expect(first).toMatchObject({ ...common, subscription: 'complete', events: 2, eventsWithErrors: 1 })
    expect(second).toMatchObject({ ...common, subscription: 'client', events: 0 })
    for (const line of [first, second]) {
      expect(line).not.toHaveProperty('aborted')
      expect(line).not.toHaveProperty('code')
    }
  })

  it('has the same of one over a WebSocket', async () => {
    await using world = await startEventWorld()
    await using parts = new AsyncDisposableStack()
    const url = world.router.graphqlUrl.replace('http', 'ws')
    const client = createClient({ url, webSocketImpl: WebSocket })
    parts.defer(async () => client.dispose())
    client.subscribe(TICKS, { next: () => {}, error: () => {}, complete: () => {} })
    await world.subscribed(1)
    world.events.send(null)
    const line = await until(() => requestLines(world.router.logs)[0], 'a line')
    expect(line).toMatchObject({ operation: 'Ticks', status: 200, subscription: 'complete' })
  })
})

describe('the report of a request', () => {
  const begin = (observers: readonly RequestObserver[] = []) =>
    new RequestReport(
      { method: 'POST', url: '/graphql' },
      SPAN,
      { requestId: '1', route: '/graphql' },
      observers,
    )

  it('ends its time when events begin, however long they go on', () => {
    const report = begin()
    report.enter('execute')
    report.beginEvents(null)
    const { whole } = report.summary.phases
    report.enter('write')
    report.stopClock()
    expect(report.summary.phases.whole).toBe(whole)
  })

  it('keeps nothing of the calls for events, and tells no trace of them', () => {
    const heard: string[] = []
    const all: RequestObserver = { callBegan: (subgraph) => void heard.push(`all ${subgraph}`) }
    const trace: RequestObserver = { callBegan: (subgraph) => void heard.push(`trace ${subgraph}`) }
    const report = begin([all])
    report.tracedBy(trace)
    report.callBegan('before')
    const events = report.beginEvents(trace)
    events.callBegan('after')
    expect(heard).toEqual(['all before', 'trace before', 'all after'])
    expect([report.summary.traced, report.summary.waitedForSubgraphs.milliseconds]).toEqual([false, 0])
  })

  it('of a subscription that was served is nothing for guards', () => {
    const report = begin()
    report.answering(200)
    report.stopClock()
    expect(countedRequest(report.summary)).not.toBeNull()
    report.beginEvents(null).ended('SUBSCRIPTION_SCHEMA_CHANGED')
    report.end(true, null)
    expect(countedRequest(report.summary)).toBeNull()
    expect(report.summary.aborted).toBe(false)
  })
})
