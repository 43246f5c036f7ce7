/** Which subscriptions share the completion of an event, and what becomes of it when some of them leave. */
import { RandomRun } from '@switchyard/testkit'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type CompletionMember,
  SharedCompletions,
} from '../../src/subscriptions/events/shared-completions.ts'
import type { CompletedEvent } from '../../src/subscriptions/events/subscription.ts'
import { FanOut } from '../../src/subscriptions/turns/fan-out.ts'
import { settingsOf } from '../concerns/authentication/opened.ts'
import { newSigningKey, sign, startKeyServer } from '../support/token-issuer.ts'
import { startEventWorld } from './support/event-world.ts'
import { subscribe } from './support/read-events.ts'

const RUN = new RandomRun(import.meta.url, 300, 3000)
const PARAMETERS = { seed: RUN.seed, numRuns: RUN.runs }
const GENERATION = {}

/** Completes events when a test says so. */
class Work {
  readonly running: { readonly body: unknown; finish(): void; readonly isGone: () => boolean }[] = []
  readonly aborted: unknown[] = []
  begun = 0

  complete(member: CompletionMember, body: unknown, take: (printed: unknown) => void) {
    const own = (isGone: () => boolean) => (_event: unknown, done: (completed: CompletedEvent) => void) => {
      this.begun++
      const one = {
        body,
        isGone,
        finish: () => {
          this.running.splice(this.running.indexOf(one), 1)
          done({ printed: String(body), errors: 0, cost: null })
        },
      }
      this.running.push(one)
      return {
        abort: () => {
          this.running.splice(this.running.indexOf(one), 1)
          this.aborted.push(body)
        },
      }
    }
    const event = { body, bytes: 1, missed: 0 }
    return member.complete(
      event,
      own,
      (completed) => take(completed?.printed),
      () => false,
    )
  }
}

const opened = () =>
  new SharedCompletions(new FanOut(), (error) => {
    throw error
  })

describe('equal subscriptions', () => {
  it('each get the result of each event that they take, once, whoever leaves and however late they are', () => {
    const step = fc.record({ member: fc.nat(4), act: fc.constantFrom('take', 'leave', 'finish', 'abort') })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const [completions, work] = [opened(), new Work()]
        const events = Array.from({ length: 40 }, (_, index) => ({ toString: () => String(index) }))
        const members = Array.from({ length: 5 }, () => ({
          member: completions.join(GENERATION, 'key'),
          next: 0,
          got: [] as [number, unknown][],
          open: new Map<number, { abort(): void }>(),
          given: new Set<number>(),
          isGone: false,
        }))
        for (const { member: index, act } of steps) {
          const one = members[index]
          if (one === undefined || one.isGone) continue
          if (act === 'finish') work.running[index % Math.max(1, work.running.length)]?.finish()
          if (act === 'take' && one.next < events.length) {
            const number = one.next++
            const completing = work.complete(one.member, events[number], (printed) => {
              one.open.delete(number)
              one.got.push([number, printed])
            })
            if (!one.got.some(([got]) => got === number)) one.open.set(number, completing)
          }
          if (act === 'abort' || act === 'leave') {
            const [[number, completing] = []] = one.open
            if (number !== undefined) {
              completing?.abort()
              one.open.delete(number)
              one.given.add(number)
            }
          }
          if (act === 'leave') {
            for (const [number, completing] of one.open) {
              completing.abort()
              one.given.add(number)
            }
            one.open.clear()
            one.isGone = true
            one.member[Symbol.dispose]()
          }
        }
        while (work.running.length > 0) work.running[0]?.finish()
        for (const { next, got, given } of members) {
          const expected = Array.from({ length: next }, (_, index) => index).filter(
            (index) => !given.has(index),
          )
          expect(got.toSorted(([a], [b]) => a - b)).toEqual(expected.map((index) => [index, String(index)]))
        }
      }),
      PARAMETERS,
    )
  })

  it('complete an event once, and others complete it for themselves', () => {
    const [completions, work] = [opened(), new Work()]
    const [body, got] = [{ toString: () => 'result' }, [] as unknown[]]
    const joined = [
      completions.join(GENERATION, 'key'),
      completions.join(GENERATION, 'key'),
      completions.join(GENERATION, 'other key'),
      completions.join({}, 'key'),
    ]
    for (const member of joined) work.complete(member, body, (printed) => got.push(printed))
    expect(work.begun).toBe(3)
    while (work.running.length > 0) work.running[0]?.finish()
    expect(got).toEqual(['result', 'result', 'result', 'result'])
  })

  it('give up an event when the last one that waits for it leaves', () => {
    const [completions, work, body] = [opened(), new Work(), {}]
    const members = [completions.join(GENERATION, 'key'), completions.join(GENERATION, 'key')]
    const [first, second] = members.map((member) => work.complete(member, body, () => {}))
    first?.abort()
    expect([work.aborted, work.running[0]?.isGone()]).toEqual([[], false])
    second?.abort()
    expect(work.aborted).toEqual([body])
  })

  it('are all told a result, however many they are', async () => {
    const [completions, work, body] = [opened(), new Work(), {}]
    const members = Array.from({ length: 3000 }, () => completions.join(GENERATION, 'key'))
    const told = new Promise<void>((resolve) => {
      let left = members.length
      for (const member of members) work.complete(member, body, () => --left === 0 && resolve())
    })
    work.running[0]?.finish()
    await told
    expect(work.begun).toBe(1)
  })
})

/** Each call of the subgraph counts: equal ones in flight are not shared. */
const ALONE = 'subgraphs: { share_inflight: false }'
const QUERY = { query: 'subscription { changed { upc price } }' }

describe('a router', () => {
  it('completes an event once for equal subscriptions, also by different protocols', async () => {
    await using world = await startEventWorld('', ALONE)
    const readings = [
      ...Array.from({ length: 5 }, () => subscribe(world.router, QUERY)),
      subscribe(world.router, QUERY, { accept: 'multipart/mixed;subscriptionSpec=1.0' }),
    ]
    for (const reading of readings) await reading.until(({ status }) => status === 200, 'the headers')
    await world.subscribed(1)
    world.events.send({ changed: { upc: '7' } })
    for (const reading of readings)
      await reading.until(({ text }) => text.includes('"price":70'), 'the event')
    expect(world.stock.asked).toHaveLength(1)
  })

  it('completes it again for subscriptions with other headers for subgraphs, or of clients that want no shared answer', async () => {
    await using world = await startEventWorld(
      '',
      `${ALONE}\nheaders: { subgraphs: { stock: { request: [{ propagate: x-tenant }] } } }`,
    )
    const headers = [
      { 'x-tenant': 'a' },
      { 'x-tenant': 'b' },
      { 'x-tenant': 'a', 'cache-control': 'no-cache' },
    ]
    const readings = headers.map((own) => subscribe(world.router, QUERY, own as Record<string, string>))
    for (const reading of readings) await reading.until(({ status }) => status === 200, 'the headers')
    await world.subscribed(1)
    world.events.send({ changed: { upc: '7' } })
    for (const reading of readings)
      await reading.until(({ text }) => text.includes('"price":70'), 'the event')
    expect(world.stock.asked.map(({ headers: sent }) => sent['x-tenant']).toSorted()).toEqual(['a', 'a', 'b'])
  })

  it('completes it for each token, whose claims decide what subgraphs are told', async () => {
    const key = await newSigningKey('a')
    await using keys = await startKeyServer(key.publicJwk)
    const { authentication } = settingsOf({ jwks: [{ url: keys.url }] })
    await using world = await startEventWorld(
      '',
      `${ALONE}\nauthentication: ${JSON.stringify(authentication)}\nheaders: { subgraphs: { stock: { request: [{ set: x-user, from_claim: sub }] } } }`,
    )
    const tokens = [await sign(key, { sub: 'ann' }), await sign(key, { sub: 'bob' })]
    const readings = [...tokens, ...tokens].map((token) =>
      subscribe(world.router, QUERY, { authorization: `Bearer ${token}` }),
    )
    for (const reading of readings) await reading.until(({ status }) => status === 200, 'the headers')
    await world.subscribed(1)
    world.events.send({ changed: { upc: '7' } })
    for (const reading of readings)
      await reading.until(({ text }) => text.includes('"price":70'), 'the event')
    expect(world.stock.asked.map(({ headers }) => headers['x-user']).toSorted()).toEqual(['ann', 'bob'])
  })
})
