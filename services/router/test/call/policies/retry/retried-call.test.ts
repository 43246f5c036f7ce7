import { describe, expect, it } from 'vitest'
import type { CallController, CallHandler } from '../../../../src/transport/dispatch/call-pool.ts'
import { RetriedCall } from '../../../../src/call/policies/retry/retried-call.ts'
import { RetryBudget } from '../../../../src/call/policies/retry/retry-budget.ts'

const REFUSED = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
const STOPPED = new Error('nobody waits')

type Failure = { readonly status: number; readonly after?: string; readonly size?: number } | Error

/** A call of which the attempts fail as listed, and the next one is answered with 200. */
function begun(
  failures: readonly Failure[],
  { random = 1, timeout = 30_000, budget = new RetryBudget(0.1), inOnePiece = false } = {},
) {
  const told: string[] = []
  const waits: number[] = []
  const retried: number[] = []
  const events: string[] = []
  let waiting: (() => void) | null = null
  let attempts = 0
  let given: CallController | null = null
  let fail = (_error: Error): void => {}
  const call = { age: 0, isOver: false }
  const handler = {
    onRequestStart: (controller: CallController) => void (given = controller),
    onResponseStart: (_controller: unknown, status: number) => void told.push(`status ${status}`),
    onResponseData: (_controller: unknown, chunk: Buffer) => void told.push(`${chunk.length} bytes`),
    onWholeBody: (_controller: unknown, bytes: Buffer) => void told.push(`all ${bytes.length} bytes`),
    onResponseEnd: () => void told.push('end'),
    onResponseError: (_controller: unknown, error: Error) => void told.push(error.message),
  }
  const send = (handler: CallHandler): void => {
    const failure = failures[attempts++] ?? { status: 200 }
    let isOver = false
    const controller: CallController = {
      aborted: false,
      paused: false,
      reason: null,
      pause() {},
      resume() {},
      abort: (reason) => fail(reason),
    }
    fail = (error) => {
      if (isOver) return
      isOver = true
      handler.onResponseError(controller, error)
    }
    if (failure instanceof Error) return fail(failure)
    const { status, after, size = 5 } = failure
    handler.onRequestStart(controller)
    handler.onResponseStart(controller, status, after === undefined ? {} : { 'retry-after': after })
    if (inOnePiece) handler.onWholeBody?.(controller, Buffer.alloc(size))
    else handler.onResponseData(controller, Buffer.alloc(size))
    if (!isOver) handler.onResponseEnd(controller, {})
  }
  const retriedCall = new RetriedCall({
    call,
    handler,
    policy: {
      config: {
        maxRetries: 3,
        statuses: new Set([429, 503]),
        backoff: 100,
        maxBackoff: 250,
        budget: 0.1,
      },
      budget,
      events: {
        retried: (reason, detail) => void events.push(`${reason}: ${detail}`),
        budgetSpent: (reason) => void events.push(`spent: ${reason}`),
      },
    },
    timeout,
    send,
    onRetry: (count) => void retried.push(count),
    times: {
      random: () => random,
      wait: (milliseconds, then) => {
        waits.push(milliseconds)
        waiting = then
        return () => (waiting = null)
      },
    },
  })
  retriedCall.start()
  const elapse = (): boolean => {
    const then = waiting
    waiting = null
    then?.()
    return then !== null
  }
  return {
    told,
    waits,
    retried,
    events,
    call,
    elapse,
    attempts: () => attempts,
    giveUp: () => given?.abort(STOPPED),
  }
}

const answered = ['status 200', '5 bytes', 'end']

describe('a call that is made again', () => {
  it('tells of the last attempt only where bodies arrive in one piece', () => {
    const { elapse, told, attempts } = begun([{ status: 503 }], { inOnePiece: true })
    expect(told).toEqual([])
    elapse()
    expect(told).toEqual(['status 200', 'all 5 bytes', 'end'])
    expect(attempts()).toBe(2)
  })

  it('tells of the last attempt only', () => {
    const { elapse, told, attempts, retried, events } = begun([REFUSED, { status: 503 }])
    expect(told).toEqual([])
    elapse()
    elapse()
    expect(told).toEqual(answered)
    expect(attempts()).toBe(3)
    expect(retried).toEqual([1, 2])
    expect(events).toEqual(['connection: connect ECONNREFUSED', 'status: 503'])
  })

  it('waits a random part of a time that doubles up to its limit', () => {
    const all = begun([REFUSED, REFUSED, REFUSED])
    while (all.elapse());
    expect(all.waits).toEqual([100, 200, 250])
    const none = begun([REFUSED, REFUSED, REFUSED], { random: 0 })
    while (none.elapse());
    expect(none.waits).toEqual([0, 0, 0])
  })

  it('hands on what the last attempt came to when there are no more', () => {
    const failed = begun([REFUSED, REFUSED, REFUSED, REFUSED])
    while (failed.elapse());
    expect(failed.told).toEqual(['connect ECONNREFUSED'])
    const refused = begun([{ status: 503 }, { status: 503 }, { status: 503 }, { status: 503 }])
    while (refused.elapse());
    expect(refused.told).toEqual(['status 503', '5 bytes', 'end'])
    expect([failed.attempts(), refused.attempts()]).toEqual([4, 4])
  })

  it('waits at least as long as the subgraph asks for', () => {
    const { waits, elapse, told } = begun([{ status: 429, after: '2' }], { random: 0.5 })
    expect(waits).toEqual([2050])
    elapse()
    expect(told).toEqual(answered)
  })

  it('is not made again when its time would be over by then', () => {
    const { waits, told } = begun([{ status: 503, after: '30' }])
    expect(waits).toEqual([])
    expect(told).toEqual(['status 503', '5 bytes', 'end'])
    expect(begun([REFUSED], { timeout: 100 }).told).toEqual(['connect ECONNREFUSED'])
  })

  it('is not made again beyond the budget, which is said', () => {
    const budget = new RetryBudget(0.1)
    while (budget.take());
    const { told, events } = begun([REFUSED], { budget })
    expect(told).toEqual(['connect ECONNREFUSED'])
    expect(events).toEqual(['spent: connection'])
  })

  it('breaks a long answer off that is not needed', () => {
    const { waits, told, elapse } = begun([{ status: 503, size: 100_000 }])
    expect(waits).toHaveLength(1)
    elapse()
    expect(told).toEqual(answered)
  })

  it('is not made again once nobody waits for it', () => {
    const { giveUp, elapse, attempts } = begun([{ status: 503 }])
    giveUp()
    expect(elapse()).toBe(false)
    expect(attempts()).toBe(1)
    const left = begun([REFUSED])
    left.call.isOver = true
    left.elapse()
    expect(left.attempts()).toBe(1)
  })

  it('keeps other statuses and other failures as they are', () => {
    expect(begun([{ status: 500 }]).told).toEqual(['status 500', '5 bytes', 'end'])
    expect(begun([new Error('no HTTP')]).told).toEqual(['no HTTP'])
  })
})
