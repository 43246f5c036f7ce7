import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CallController, CallHandler } from '../../../../src/transport/dispatch/call-pool.ts'
import { type Hedge, HedgedAttempt } from '../../../../src/call/policies/hedge/hedged-attempt.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const BROKEN = new Error('broken')
const GIVEN_UP = new Error('left')

/** A call as a pool makes it; what happens to it is up to the test. */
class FakeCall implements CallController {
  readonly #handler: CallHandler
  readonly name: string
  state: 'queued' | 'sent' | 'answering' | 'over' = 'queued'
  paused = false
  reason: Error | null = null

  constructor(name: string, handler: CallHandler) {
    this.name = name
    this.#handler = handler
  }

  get aborted(): boolean {
    return this.reason !== null
  }

  get isOver(): boolean {
    return this.state === 'over'
  }

  pause(): void {
    this.paused = true
  }

  resume(): void {
    this.paused = false
  }

  abort(reason: Error): void {
    if (this.isOver) return
    this.reason = reason
    this.fail(reason)
  }

  /** It gets a connection. */
  begin(): void {
    if (this.state !== 'queued') return
    this.state = 'sent'
    this.#handler.onRequestStart(this)
  }

  head(status: number, headers: Record<string, string> = JSON_TYPE): void {
    this.begin()
    if (this.state !== 'sent') return
    this.state = 'answering'
    this.#handler.onResponseStart(this, status, headers)
  }

  data(length = 1): void {
    if (this.state === 'answering') this.#handler.onResponseData(this, Buffer.alloc(length, this.name))
  }

  end(): void {
    if (this.state !== 'answering') return
    this.state = 'over'
    this.#handler.onResponseEnd(this, {})
  }

  fail(error: Error): void {
    if (this.isOver) return
    this.state = 'over'
    this.#handler.onResponseError(this, error)
  }
}

type Options = { readonly mayHedge?: boolean; readonly isRefused?: boolean; readonly since?: 'sent' | 'made' }

/** An attempt with a clock of the test: the second call is due when `elapse` is called. */
function begun({ mayHedge = true, isRefused = false, since = 'sent' }: Options = {}) {
  const told: string[] = []
  const hedge: string[] = []
  const calls: FakeCall[] = []
  const call = { isOver: false, whenOver: (then: () => void) => void (stop = then) }
  let stop = (): void => {}
  let due: (() => void) | null = null
  let controller: CallController | null = null
  const make = (name: string) => (handler: CallHandler) => void calls.push(new FakeCall(name, handler))
  const second: Hedge = {
    send: (handler) => {
      if (isRefused) throw BROKEN
      make('b')(handler)
    },
    firstEnded: (result) => void hedge.push(`stays after ${result}`),
    ended: (outcome, result) => void hedge.push(`${outcome} ${result}`),
  }
  const attempt = new HedgedAttempt({
    call,
    handler: {
      onRequestStart: (given) => void (controller = given),
      onResponseStart: (_, status) => void told.push(`status ${status}`),
      onResponseData: (_, chunk) => void told.push(chunk.toString('latin1', 0, 1)),
      onWholeBody: (_, bytes) => void told.push(bytes.toString('latin1', 0, 1)),
      onResponseEnd: () => void told.push('end'),
      onResponseError: (_, error) => void told.push(error.message),
    },
    after: 100,
    since,
    send: make('a'),
    hedge: () => (mayHedge ? second : null),
    wait: (_, then) => {
      due = then
      return () => (due = null)
    },
  })
  attempt.start()
  return {
    told,
    hedge,
    calls,
    attempt,
    isWaiting: () => due !== null,
    /** Makes the second call, if one is due. */
    elapse: () => {
      const then = due
      due = null
      then?.()
    },
    /** Nobody waits for the call any more. */
    leave: () => {
      call.isOver = true
      stop()
      controller?.abort(GIVEN_UP)
    },
    /** As whoever waits for the call does once it is answered. */
    over: () => {
      call.isOver = true
      stop()
    },
  }
}
type Begun = ReturnType<typeof begun>

function hedged(options: Options = {}) {
  const all = begun(options)
  all.calls[0]?.begin()
  all.elapse()
  const [first, second] = all.calls
  if (first === undefined || second === undefined) throw new Error('both are made')
  return { ...all, first, second }
}

describe('an attempt with a second call', () => {
  it('counts its time from when the first call is sent, or from when it is made', () => {
    const sent = begun({ since: 'sent' })
    expect(sent.isWaiting()).toBe(false)
    sent.calls[0]?.begin()
    expect(sent.isWaiting()).toBe(true)
    const made = begun({ since: 'made' })
    expect(made.isWaiting()).toBe(true)
    made.elapse()
    expect(made.calls).toHaveLength(2)
  })

  it('waits no longer once the answer begins', () => {
    const { calls, isWaiting, told } = begun()
    calls[0]?.begin()
    calls[0]?.head(200)
    expect(isWaiting()).toBe(false)
    calls[0]?.data()
    calls[0]?.end()
    expect(told).toEqual(['status 200', 'a', 'end'])
  })

  it('hands a failure on at once where there is no second call', () => {
    const { calls, told, isWaiting } = begun()
    calls[0]?.begin()
    calls[0]?.fail(BROKEN)
    expect([told, isWaiting()]).toEqual([['broken'], false])
  })

  it('goes on with one call where no second one may be made', () => {
    const { calls, told, elapse } = begun({ mayHedge: false })
    calls[0]?.begin()
    elapse()
    calls[0]?.head(200)
    calls[0]?.end()
    expect(calls).toHaveLength(1)
    expect(told).toEqual(['status 200', 'end'])
  })

  it('gives up a call that still waits for its connection once it gets one', () => {
    const { first, second, told, hedge } = hedged()
    first.head(200)
    expect(second.state).toBe('queued')
    second.begin()
    expect(second.aborted).toBe(true)
    first.end()
    expect(told).toEqual(['status 200', 'end'])
    expect(hedge).toEqual(['lost unknown'])
  })

  it('reads a short answer that it drops to its end, and gives a long one up', () => {
    for (const length of [10, 100_000]) {
      const { first, second, told, hedge } = hedged()
      first.head(503)
      first.data(length)
      first.end()
      expect(first.aborted).toBe(length > 65_536)
      second.head(200)
      second.end()
      expect(told).toEqual(['status 200', 'end'])
      expect(hedge).toEqual(['stays after failed', 'won unknown'])
    }
  })

  it('pauses and resumes the call that answers', () => {
    const { first, second, attempt } = hedged()
    second.head(200)
    attempt.pause()
    expect([first.paused, second.paused, attempt.paused]).toEqual([false, true, true])
    attempt.resume()
    expect(attempt.paused).toBe(false)
  })

  it('fails with what the last call failed with', () => {
    const { first, second, told, hedge } = hedged()
    second.fail(new Error('refused'))
    first.fail(BROKEN)
    expect(told).toEqual(['broken'])
    expect(hedge).toEqual(['failed failed'])
  })

  it('takes a second call that cannot be made for one that failed', () => {
    const { calls, told, elapse, hedge } = begun({ isRefused: true })
    calls[0]?.begin()
    elapse()
    expect(hedge).toEqual(['failed failed'])
    calls[0]?.head(200)
    expect([calls.length, told]).toEqual([1, ['status 200']])
  })

  it('tells of one answer or failure, of nothing else, and leaves no call behind, whatever happens', () => {
    type Step = (of: Begun) => void
    const statuses = fc.constantFrom(200, 200, 400, 429, 302, 500, 503)
    const at = (act: (call: FakeCall) => void) =>
      fc.nat(1).map(
        (index): Step =>
          ({ calls }) =>
            calls[index] !== undefined && act(calls[index]),
      )
    const step = fc.oneof<fc.Arbitrary<Step>[]>(
      at((call) => call.begin()),
      statuses.chain((status) => at((call) => call.head(status))),
      at((call) => call.data()),
      at((call) => call.data(70_000)),
      at((call) => call.end()),
      at((call) => call.fail(BROKEN)),
      fc.constant<Step>(({ elapse }) => elapse()),
      fc.constant<Step>(({ elapse }) => elapse()),
    )
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 30 }),
        fc.constantFrom<('sent' | 'made')[]>('sent', 'made'),
        fc.boolean(),
        (steps, since, leaves) => {
          const all = begun({ since })
          const { calls, told, hedge } = all
          for (const act of steps) {
            act(all)
            if (told.includes('end') || told.includes('broken')) break
          }
          const finished = (): boolean => told.includes('end') || told.includes('broken')
          // What goes on is brought to its end, as a pool does.
          if (leaves && !finished()) all.leave()
          else
            for (const call of calls) {
              if (finished()) break
              call.head(200)
              call.end()
            }
          if (finished()) all.over()
          for (const call of calls) call.begin()
          expect(calls.length).toBeLessThanOrEqual(2)
          expect(calls.every(({ isOver }) => isOver)).toBe(true)
          expect(all.isWaiting()).toBe(false)
          // One head, then data of one call, then one end.
          expect(told.join(' ')).toMatch(
            /^(?:status \d+(?: a)*(?: end| broken| left)|status \d+(?: b)*(?: end| broken| left)|broken)?$/,
          )
          if (!leaves) expect(finished()).toBe(true)
          const ends = hedge.filter((line) => !line.startsWith('stays'))
          expect(ends).toHaveLength(calls.length === 2 ? 1 : 0)
          expect(hedge.length - ends.length).toBeLessThanOrEqual(1)
        },
      ),
      { numRuns: 3000 },
    )
  })
})
