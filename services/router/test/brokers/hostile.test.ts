/** Floods of messages, and messages that are as large as NATS lets pass. */
import { setTimeout as delay } from 'node:timers/promises'
import { isLongRun, natsServerAvailable, waitFor } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { heldBytes } from '../support/heap.ts'
import { until } from '../support/router.ts'
import { subscribe } from '../subscriptions/support/read-events.ts'
import { expectShortTurns, longestTurn } from '../support/turns.ts'
import { type BrokerWorld, startBrokerWorld } from './support/broker-world.ts'
import { flood } from './support/flood.ts'

const MIB = 1024 * 1024
const COUNT = 100_000
const CHANGED = { query: 'subscription { anyOrderChanged { id } }' }
const SUBJECT = 'orders.other'

/** The most memory that was held beyond that before, in bytes. */
async function mostUsed(during: () => Promise<void>): Promise<number> {
  const before = await heldBytes()
  const looking = { isOver: false, most: 0 }
  const look = async (): Promise<void> => {
    while (!looking.isOver) {
      looking.most = Math.max(looking.most, (await heldBytes()) - before)
      await delay(250)
    }
  }
  const looks = look()
  await during()
  looking.isOver = true
  await looks
  return looking.most
}

async function last(world: BrokerWorld): Promise<void> {
  // A message that comes while others wait may be the last one that is kept, or not.
  world.publish(SUBJECT, { id: 'last' })
  await world.link.connection.flush()
}

describe.skipIf(!natsServerAvailable())('a flood', () => {
  it('holds the event loop for no long turn, and a client that reads gets the newest events', () =>
    expectShortTurns(async () => {
      await using world = await startBrokerWorld()
      const reading = subscribe(world.router, CHANGED)
      await world.subscribed(SUBJECT, 1)
      const held = await longestTurn(async () => {
        await flood({ port: world.nats.port, subject: SUBJECT, payload: '{"id":"1"}', count: COUNT })
        await last(world)
        await reading.until(({ text }) => text.includes('"last"'), 'the last event')
      })
      const missed = reading.events.map(
        ([, data]) => (data as { extensions?: { missed?: unknown } }).extensions,
      )
      // Every event was delivered, or is told as missing.
      const isKnown = missed.every((one) => one?.missed !== 'unknown')
      const counted = missed.reduce((sum, one) => sum + Number(one?.missed ?? 0), reading.events.length)
      if (isKnown) expect(counted).toBe(COUNT + 1)
      return held
    }))

  it('for a client that reads nothing takes no more memory than its queue and what waits', async () => {
    // The flood may take longer than the time after which such a client is usually left.
    await using world = await startBrokerWorld({ sections: 'traffic: { write_timeout: 1h }' })
    const reading = subscribe(world.router, CHANGED)
    await world.subscribed(SUBJECT, 1)
    await reading.pause()
    const payload = JSON.stringify({ id: '1', more: 'x'.repeat(10_000) })
    const most = await mostUsed(async () => {
      await flood({
        port: world.nats.port,
        subject: SUBJECT,
        payload,
        count: isLongRun() ? COUNT : COUNT / 10,
      })
      await last(world)
    })
    // What was sent is 100 MB, and 1 GB in a long run.
    expect(most).toBeLessThan(64 * MIB)
    await reading.resume()
    await reading.until(({ text }) => text.includes('"last"'), 'the last event')
  })

  it('of events that are none is skipped at the same pace', () =>
    expectShortTurns(async () => {
      await using world = await startBrokerWorld()
      const reading = subscribe(world.router, CHANGED)
      await world.subscribed(SUBJECT, 1)
      const held = await longestTurn(async () => {
        await flood({ port: world.nats.port, subject: SUBJECT, payload: '[[[[', count: COUNT })
        await last(world)
        await reading.until(({ text }) => text.includes('"last"'), 'the last event')
      })
      const lines = world.router.logs.filter(({ event }) => event === 'events.message-skipped')
      expect(lines.length).toBeLessThan(20)
      return held
    }))

  it('of large lists, which clients ask for under many names, holds the event loop for no long turn', () =>
    expectShortTurns(async () => {
      await using world = await startBrokerWorld({ settings: 'upstream: { max_event_size: 2MiB }' })
      const names = Array.from({ length: 20 }, (_, index) => `a${index}: pages`)
      const reading = subscribe(world.router, {
        query: `subscription { noteWritten { text ... on Memo { ${names.join(' ')} } } }`,
      })
      await world.subscribed('notes.written', 1)
      const pages = `[${'1,'.repeat(100_000)}1]`
      const payload = `{"__typename":"Memo","text":"a","pages":${pages}}`
      const held = await longestTurn(async () => {
        await flood({ port: world.nats.port, subject: 'notes.written', payload, count: 40 })
        world.publish('notes.written', { __typename: 'Memo', text: 'last', pages: [] })
        await reading.until(({ text }) => text.includes('"last"'), 'the last event')
      })
      return held
    }))
})

describe.skipIf(!natsServerAvailable())('a message of 10 MB', () => {
  it('is skipped, and the next one is delivered', () =>
    expectShortTurns(async () => {
      await using world = await startBrokerWorld({ maxPayload: 64 * MIB })
      const reading = subscribe(world.router, CHANGED)
      await world.subscribed(SUBJECT, 1)
      const payload = JSON.stringify({ id: '1', more: 'x'.repeat(10 * MIB) })
      const held = await longestTurn(async () => {
        // From another thread, whose work is no part of these turns.
        await flood({ port: world.nats.port, subject: SUBJECT, payload, count: 1 })
        await last(world)
        await reading.until(({ events }) => events.length > 0, 'an event')
      })
      expect(reading.events).toEqual([['next', { data: { anyOrderChanged: { id: 'last' } } }]])
      const line = await until(
        () => world.router.logs.find(({ event }) => event === 'events.message-skipped'),
        'a line',
      )
      expect(line).toMatchObject({ reason: expect.stringMatching(/^has \d+ bytes$/) })
      return held
    }))

  it('is delivered where the settings allow it, and is read in turns', () =>
    expectShortTurns(async () => {
      await using world = await startBrokerWorld({
        maxPayload: 64 * MIB,
        settings: 'upstream: { max_event_size: 20MiB }, queue: { max_size: 64MiB }',
      })
      const reading = subscribe(world.router, CHANGED)
      await world.subscribed(SUBJECT, 1)
      const payload = JSON.stringify({ id: '1', more: Array(1_000_000).fill('x'.repeat(7)) })
      const held = await longestTurn(async () => {
        await flood({ port: world.nats.port, subject: SUBJECT, payload, count: 1 })
        await waitFor('an event', () => reading.events.length > 0)
      })
      expect(reading.events).toEqual([['next', { data: { anyOrderChanged: { id: '1' } } }]])
      return held
    }))
})
