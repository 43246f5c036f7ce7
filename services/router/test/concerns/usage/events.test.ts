/** The usage of subscriptions, and of operations over WebSockets. */
import { routerUsageFrom, type RouterUsage } from '@switchyard/contracts'
import { createClient } from 'graphql-ws'
import { expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { routerOn, until } from '../../support/router.ts'
import { startEventGraph } from '../../subscriptions/support/event-graph.ts'
import { subscribe } from '../../subscriptions/support/read-events.ts'

it('counts a subscription once, when it begins, and what comes over a WebSocket', async () => {
  await using use = new AsyncDisposableStack()
  const { config, events } = use.use(await startEventGraph())
  const heard: RouterUsage[] = []
  use.use(
    config.announcer.subscribe('router.usage.>', (message, subject) => {
      const usage = routerUsageFrom(subject, message)
      if (usage !== null) heard.push(usage)
    }),
  )
  let now = Date.parse('2026-11-30T10:00:00Z')
  const router = use.use(
    await routerOn(config, {
      settings: 'subscriptions: { enabled: true }',
      overrides: { now: () => now, random: () => 0, usageInterval: 20 },
    }),
  )
  await router.ready
  const minute = async () => {
    now += 60_000
    const told = await until(() => heard.find((usage) => usage.minute === now / 60_000 - 1), 'a minute')
    expect(told.rest).toEqual([])
    return told.rows.map(({ operation, requests, errors }) => {
      const { kind, name } = told.operations[operation] ?? {}
      return { kind, name, requests, errors }
    })
  }
  const reading = subscribe(router, { query: 'subscription S { changed { upc price } }' })
  await until(() => events.open.length === 1, 'the subscription is open')
  events.send({ changed: { upc: '1' } })
  events.send({ changed: { upc: '2' } })
  await reading.until(({ text }) => text.includes('20'), 'two events')
  const socket = createClient({ url: router.graphqlUrl.replace('http', 'ws'), webSocketImpl: WebSocket })
  use.defer(async () => socket.dispose())
  await new Promise<void>((resolve, reject) => {
    const sink = { next() {}, error: reject, complete: resolve }
    socket.subscribe({ query: 'query OverSocket { __typename }' }, sink)
  })
  expect(await minute()).toEqual([
    { kind: 'subscription', name: 'S', requests: 1, errors: 0 },
    { kind: 'query', name: 'OverSocket', requests: 1, errors: 0 },
  ])
  reading.leave()
  await until(() => events.open.length === 0, 'the subscription has ended')
  expect(await minute()).toEqual([])
})
