import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { AnswerIntake, SMALL_ANSWER } from '../../src/call/in-flight/answer-intake.ts'
import { AnswerTurns } from '../../src/call/in-flight/answer-turns.ts'
import { CallInFlight } from '../../src/call/in-flight/call-in-flight.ts'
import { type CallOutcome, MAX_RECEIVERS } from '../../src/call/in-flight/receivers.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

function begun({ maxResponseSize = 1e9 } = {}) {
  const abort = vi.fn()
  const controller = { aborted: false, paused: false, reason: null, abort, pause() {}, resume() {} }
  const onOver = vi.fn()
  const intake = new AnswerIntake(1e9)
  const call = new CallInFlight({
    turns: new AnswerTurns(),
    codings: [],
    subgraph: 'products',
    context: { traceId: '', spanId: '', traceFlags: 0 },
    maxResponseSize,
    intake,
    onOver,
  })
  const send = (text: string) => call.onResponseData(controller, Buffer.from(text))
  const start = () => {
    call.onRequestStart(controller)
    call.onResponseStart(controller, 200, JSON_TYPE)
  }
  return { call, abort, controller, onOver, intake, send, start }
}

/** Waits for the call; `then`: what it does when it is told. */
function waiting(call: CallInFlight, then: () => void = () => {}) {
  const outcomes: CallOutcome[] = []
  const receiver = {
    outcomes,
    held: 0,
    hold: (bytes: number) => void (receiver.held += bytes),
    over(outcome: CallOutcome) {
      outcomes.push(outcome)
      then()
      call.leave(receiver)
    },
  }
  call.add(receiver)
  return receiver
}

const valueOf = ([outcome]: readonly CallOutcome[]) => {
  const read = outcome?.kind === 'answer' ? outcome.body.read(false) : null
  return read !== null && 'body' in read ? read.body : undefined
}

describe('an answer that arrives in one piece', () => {
  it.each([
    ['JSON', Buffer.from('{"data":{"name":"漢é𝄞"}}')],
    ['a byte order mark before JSON', Buffer.from('\ufeff{"data":{}}')],
    ['a replacement character', Buffer.from('{"data":"\ufffd"}')],
    ['what is not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['a character that is cut', Buffer.from('{"data":"漢"}').subarray(0, 11)],
    ['what is no JSON', Buffer.from('<html>')],
    ['more than 64 KiB', Buffer.from(JSON.stringify({ data: 'x'.repeat(70_000) }))],
  ])('is the same as in pieces: %s', async (_, bytes) => {
    const outcomeOf = async (arrive: (of: ReturnType<typeof begun>, shared: Buffer) => void) => {
      const of = begun()
      const receiver = waiting(of.call)
      of.start()
      // As all connections of a router, it is read into one place.
      const shared = Buffer.from(bytes)
      arrive(of, shared)
      shared.fill(0)
      const { answer } = of.call
      const counted = of.intake.bytes
      of.call.onResponseEnd()
      await nextTurn()
      const [outcome] = receiver.outcomes
      const body = outcome?.kind === 'answer' ? outcome.body : null
      const read = [body?.read(false), body?.read(true), body?.length, body?.problem]
      return { read, held: receiver.held, counted, bytes: Buffer.concat(answer?.chunks ?? []) }
    }
    const inPieces = await outcomeOf(({ call, controller }, shared) => {
      call.onResponseData(controller, Buffer.from(shared.subarray(0, 3)))
      call.onResponseData(controller, Buffer.from(shared.subarray(3)))
    })
    const whole = await outcomeOf(({ call, controller }, shared) => call.onWholeBody(controller, shared))
    expect(inPieces.bytes).toEqual(bytes)
    expect(whole).toStrictEqual(inPieces)
  })

  it('is refused if it is too large', () => {
    const { call, controller, abort, start } = begun({ maxResponseSize: 10 })
    const { outcomes, held } = waiting(call)
    start()
    call.onWholeBody(controller, Buffer.from('{"data":"0123456789"}'))
    expect(outcomes).toEqual([{ kind: 'too-large' }])
    expect(held).toBe(0)
    expect(abort).toHaveBeenCalledTimes(1)
  })
})

describe('a call that several fetches wait for', () => {
  it('gives all of them one answer, which is read once', async () => {
    const { call, send, start } = begun()
    const all = [waiting(call), waiting(call), waiting(call)]
    start()
    send('{"data":')
    send('{}}')
    call.onResponseEnd()
    await nextTurn()
    const [first, ...others] = all.map(({ outcomes }) => valueOf(outcomes))
    expect(first).toEqual({ data: {} })
    for (const other of others) expect(other).toBe(first)
  })

  it.each([
    ['that it broke off', 1e9, { kind: 'error', status: 200 }],
    ['that it is too large', 10, { kind: 'too-large' }],
  ])('tells all of them %s', async (_, maxResponseSize, outcome) => {
    const { call, send, start } = begun({ maxResponseSize })
    const all = [waiting(call), waiting(call)]
    start()
    send('{"data":"0123456789"}')
    call.onResponseError(null, new Error('broken'))
    await nextTurn()
    for (const { outcomes } of all) expect(outcomes).toMatchObject([outcome])
  })

  it('goes on when one leaves, the first one too, and is given up with the last one', () => {
    const { call, abort, onOver, start } = begun()
    const [first, second] = [waiting(call), waiting(call)]
    start()
    call.leave(first)
    expect([abort.mock.calls.length, onOver.mock.calls.length]).toEqual([0, 0])
    call.leave(second)
    expect([abort.mock.calls.length, onOver.mock.calls.length]).toEqual([1, 1])
  })

  it('is not sent if all have left before there was a connection for it', () => {
    const { call, abort, controller } = begun()
    call.leave(waiting(call))
    call.onRequestStart(controller)
    expect(abort).toHaveBeenCalledOnce()
  })

  it('counts what has arrived for one of them, and what was answered for each', async () => {
    const { call, send, start } = begun()
    const [first, second, third] = [waiting(call), waiting(call), waiting(call)]
    start()
    send('{"data"')
    expect([first.held, second.held, third.held]).toEqual([7, 0, 0])
    call.leave(first)
    expect([second.held, third.held]).toEqual([7, 0])
    send(':{}}')
    call.onResponseEnd()
    await nextTurn()
    expect([second.held, third.held]).toEqual([11, 11])
  })

  it('counts once among the answers that are being received, until the last one has read it', () => {
    const { call, send, start, intake } = begun()
    const receivers = [1, 2].map(() => ({ hold() {}, over() {} }))
    for (const receiver of receivers) call.add(receiver)
    start()
    send('x'.repeat(SMALL_ANSWER + 1))
    expect(intake.bytes).toBe(SMALL_ANSWER + 1)
    call.onResponseEnd()
    for (const receiver of receivers) {
      expect(intake.bytes).toBe(SMALL_ANSWER + 1)
      call.leave(receiver)
    }
    expect(intake.bytes).toBe(0)
  })

  it('tells none of those that leave while the others are told', async () => {
    const { call, start } = begun()
    const last: { leave: () => void } = { leave: () => {} }
    waiting(call, () => last.leave())
    const left = waiting(call)
    last.leave = () => call.leave(left)
    start()
    call.onResponseEnd()
    await nextTurn()
    expect(left.outcomes).toEqual([])
  })

  it('tells many of them in turns of the event loop', async () => {
    const { call, start } = begun()
    const BUSY_MS = 0.1
    const all = Array.from({ length: MAX_RECEIVERS }, () =>
      waiting(call, () => {
        for (const until = performance.now() + BUSY_MS; performance.now() < until; );
      }),
    )
    const told = () => all.filter(({ outcomes }) => outcomes.length > 0).length
    start()
    call.onResponseEnd()
    // Sixty times less than all of it takes, at least.
    expect(told()).toBeLessThan(MAX_RECEIVERS / 2)
    let turns = 0
    for (; told() < MAX_RECEIVERS; turns++) await nextTurn()
    expect(turns).toBeGreaterThan(2)
  })
})
