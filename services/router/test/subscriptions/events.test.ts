/** The queue of events, and the order in which they are delivered, over random sequences. */
import { RandomRun } from '@switchyard/testkit'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EventSink } from '../../src/request/event-sink.ts'
import { EventQueue } from '../../src/subscriptions/events/event-queue.ts'
import {
  type CompletedEvent,
  type EndReason,
  Subscription,
} from '../../src/subscriptions/events/subscription.ts'

const RUN = new RandomRun(import.meta.url, 300, 3000)
const PARAMETERS = { seed: RUN.seed, numRuns: RUN.runs }

const completed = (printed: string): CompletedEvent => ({ printed, errors: 0, cost: null })

/** Keeps what it is sent. It says that its client does not keep up after some of the results. */
class KeptSink implements EventSink {
  readonly sent: string[] = []
  readonly #slowAfter: (count: number) => boolean
  waiting: (() => void) | null = null

  constructor(slowAfter: (count: number) => boolean = () => false) {
    this.#slowAfter = slowAfter
  }

  isOver = false
  next(json: string | readonly Uint8Array[]): boolean {
    if (this.isOver) throw new Error('It was sent something after the end')
    this.sent.push(String(json))
    return !this.#slowAfter(this.sent.length)
  }
  onceDrained(listener: () => void): void {
    this.waiting = listener
  }
  complete(): void {
    this.#end('complete')
  }
  fail(errorsJson: string): void {
    this.#end(errorsJson)
  }
  leave(): void {
    this.#end('leave')
  }
  #end(what: string): void {
    if (this.isOver) throw new Error('It ended twice')
    this.isOver = true
    this.sent.push(what)
  }
}

describe('a queue of events', () => {
  it('keeps the newest ones in order, and counts what was dropped before each', () => {
    const step = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constantFrom('take' as const, 'lost' as const))
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 5 }), (steps, maxEvents) => {
        const queue = new EventQueue({ maxEvents, maxSize: 60, whenFull: 'drop_oldest' })
        let [added, isUnknown, last] = [0, false, 0]
        const take = (): boolean => {
          const event = queue.take()
          if (event === null) return false
          const number = event.body as number
          if (event.missed === 'unknown') expect(isUnknown).toBe(true)
          else expect(event.missed).toBe(number - last - 1)
          last = number
          return true
        }
        for (const one of steps) {
          if (one === 'take') take()
          else if (one === 'lost') {
            isUnknown = true
            queue.lost()
          } else {
            queue.add(++added, one)
            expect(queue.length).toBeGreaterThan(0)
            expect(queue.length).toBeLessThanOrEqual(maxEvents)
          }
        }
        while (take());
        if (added > 0) expect(last).toBe(added)
      }),
      PARAMETERS,
    )
  })

  it('is full where nothing may be dropped', () => {
    const queue = new EventQueue({ maxEvents: 2, maxSize: 10, whenFull: 'end' })
    expect([queue.add('a', 100), queue.add('b', 1)]).toEqual([0, null])
  })
})

describe('a subscription', () => {
  it('sends every result once, in the order of the events, and ends once', () => {
    const choices = fc.array(fc.nat(1000), { minLength: 1, maxLength: 80 })
    fc.assert(
      fc.property(choices, fc.integer({ min: 1, max: 4 }), fc.boolean(), (tape, parallelEvents, fails) => {
        const sink = new KeptSink((count) => (tape[count % tape.length] ?? 0) % 3 === 0)
        const running: { readonly number: number; done(completed: CompletedEvent | null): void }[] = []
        const ends: (EndReason | null)[] = []
        const subscription = new Subscription({
          sink,
          limits: { maxEvents: 1000, maxSize: 1_000_000, whenFull: 'end', parallelEvents },
          complete: ({ body }, done) => {
            running.push({ number: body as number, done })
            expect(running.length).toBeLessThanOrEqual(parallelEvents)
            return { abort: () => {} }
          },
          onDropped: () => expect.fail('nothing is to be dropped'),
          onSent: () => {},
          onEnded: (reason) => void ends.push(reason),
        })
        let sent = 0
        const finish = (choice: number): void => {
          const [one] = running.splice(choice % Math.max(1, running.length), 1)
          one?.done(completed(String(one.number)))
        }
        const drain = (): void => {
          const { waiting } = sink
          sink.waiting = null
          waiting?.()
        }
        for (const choice of tape) {
          if (choice % 3 === 0) subscription.event(++sent, 1)
          else if (choice % 3 === 1) finish(choice)
          else drain()
        }
        const reason = { code: 'SUBGRAPH_UNREACHABLE', message: 'It is gone.' }
        if (fails) subscription.failed(reason)
        else subscription.completed()
        while (running.length > 0 || sink.waiting !== null) {
          finish(0)
          drain()
        }
        const last = fails
          ? JSON.stringify([{ message: reason.message, extensions: { code: reason.code } }])
          : 'complete'
        expect(sink.sent).toEqual([...Array.from({ length: sent }, (_, index) => String(index + 1)), last])
        expect(ends).toEqual([fails ? reason : null])
      }),
      PARAMETERS,
    )
  })

  it('ends at once for a reason, gives up what is being completed, and tells nothing afterwards', () => {
    const sink = new KeptSink()
    const given: string[] = []
    const begun: ((completed: CompletedEvent) => void)[] = []
    const subscription = new Subscription({
      sink,
      limits: { maxEvents: 1, maxSize: 1, whenFull: 'end', parallelEvents: 1 },
      complete: (_event, done) => {
        begun.push(done)
        return { abort: () => void given.push('up') }
      },
      onDropped: () => {},
      onSent: () => {},
      onEnded: (reason) => void given.push(reason?.code ?? ''),
    })
    for (const event of [1, 2, 3]) subscription.event(event, 1)
    expect(given).toEqual(['up', 'SUBSCRIPTION_QUEUE_FULL'])
    begun[0]?.(completed('late'))
    subscription.event(4, 1)
    subscription.end({ code: 'OTHER', message: '' })
    expect(sink.sent).toHaveLength(1)
    expect(given).toHaveLength(2)
  })
})
