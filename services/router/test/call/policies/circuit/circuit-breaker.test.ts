import { describe, expect, it } from 'vitest'
import type { SubgraphCircuitEvents } from '../../../../src/call/policies/circuit/events.ts'
import { callResult } from '../../../../src/call/call-result.ts'
import { CircuitBreaker, type CallResult } from '../../../../src/call/policies/circuit/circuit-breaker.ts'

const CONFIG = { enabled: true, failureRate: 0.5, minCalls: 4, window: 1000, openFor: 500, probes: 2 }

function breaker() {
  const told: string[] = []
  const clock = { now: 0 }
  const events: SubgraphCircuitEvents = {
    opened: (calls, failures) => void told.push(`opened after ${failures} of ${calls}`),
    closed: () => void told.push('closed'),
    refused: () => void told.push('refused'),
    forgotten: () => void told.push('forgotten'),
  }
  const circuit = new CircuitBreaker(CONFIG, events, () => clock.now)
  /** Returns whether the call was made. */
  const call = (result: CallResult): boolean => {
    const period = circuit.begin()
    if (period !== null) circuit.ended(period, result)
    return period !== null
  }
  const opened = () => {
    for (let index = 0; index < CONFIG.minCalls; index++) call('failed')
    told.length = 0
  }
  return { circuit, call, told, clock, opened }
}

describe('a circuit', () => {
  it('opens once so many of enough calls have failed, and fails others at once', () => {
    const { call, told } = breaker()
    expect(['answered', 'answered', 'failed'].map((result) => call(result as CallResult))).not.toContain(
      false,
    )
    expect(told).toEqual([])
    call('failed')
    expect(told).toEqual(['opened after 2 of 4'])
    expect(call('answered')).toBe(false)
    expect(told.at(-1)).toBe('refused')
  })

  it('stays closed while too few fail, or too few are made', () => {
    const few = breaker()
    for (let index = 0; index < 3; index++) few.call('failed')
    const rare = breaker()
    for (let index = 0; index < 100; index++) rare.call(index % 4 === 3 ? 'failed' : 'answered')
    expect([few.told, rare.told]).toEqual([[], []])
  })

  it('forgets calls that are older than its window', () => {
    const { call, told, clock } = breaker()
    for (let index = 0; index < 100; index++) {
      call('failed')
      clock.now += 400
    }
    expect(told).toEqual([])
    for (let index = 0; index < 2; index++) call('failed')
    expect(told).toEqual(['opened after 4 of 4'])
  })

  it('counts nothing that says nothing', () => {
    const { call, told } = breaker()
    for (let index = 0; index < 100; index++) call('unknown')
    for (let index = 0; index < 3; index++) call('failed')
    expect(told).toEqual([])
  })

  it('lets probes through after a while, and closes when all are answered', () => {
    const { circuit, call, told, clock, opened } = breaker()
    opened()
    clock.now += 499
    expect(circuit.begin()).toBeNull()
    clock.now += 1
    const probes = [circuit.begin(), circuit.begin(), circuit.begin()]
    expect(probes.map((probe) => probe !== null)).toEqual([true, true, false])
    expect(call('answered')).toBe(false)
    for (const probe of probes) if (probe !== null) circuit.ended(probe, 'answered')
    expect(told.at(-1)).toBe('closed')
    for (let index = 0; index < 3; index++) expect(call('failed')).toBe(true)
    expect(told.at(-1)).toBe('closed')
  })

  it('opens again with the first probe that fails', () => {
    const { circuit, call, clock, opened } = breaker()
    opened()
    clock.now += 500
    const [first, second] = [circuit.begin(), circuit.begin()]
    circuit.ended(Number(first), 'failed')
    expect(call('answered')).toBe(false)
    circuit.ended(Number(second), 'answered')
    clock.now += 499
    expect(call('answered')).toBe(false)
    clock.now += 1
    expect(call('answered')).toBe(true)
  })

  it('makes another probe in place of one that was given up', () => {
    const { circuit, call, told, clock, opened } = breaker()
    opened()
    clock.now += 500
    for (let index = 0; index < 5; index++) expect(call('unknown')).toBe(true)
    expect([call('answered'), call('answered')]).toEqual([true, true])
    expect(told).toEqual(['closed'])
    expect(circuit.begin()).not.toBeNull()
  })

  it('does not take for a probe what began before it opened', () => {
    const { circuit, told, clock, opened } = breaker()
    const before = [circuit.begin(), circuit.begin()]
    opened()
    clock.now += 500
    circuit.begin()
    for (const period of before) circuit.ended(Number(period), 'answered')
    expect(told).toEqual([])
    for (const period of before) circuit.ended(Number(period), 'failed')
    expect(circuit.begin()).not.toBeNull()
  })

  it('is no open one any more once its subgraph is gone', () => {
    const { circuit, told, opened } = breaker()
    opened()
    circuit[Symbol.dispose]()
    expect(told).toEqual(['forgotten'])
    const closed = breaker()
    closed.circuit[Symbol.dispose]()
    expect(closed.told).toEqual([])
  })
})

describe('a call', () => {
  const failure = (code: string) => ({ kind: 'failure', code, message: '' }) as const
  const answer = (status: number) => ({ kind: 'answer', status, body: { data: null } }) as const

  it.each([
    [answer(200), 200, 'answered'],
    [answer(500), 500, 'failed'],
    [failure('SUBGRAPH_HTTP_ERROR'), 503, 'failed'],
    [failure('SUBGRAPH_HTTP_ERROR'), 401, 'answered'],
    [failure('SUBGRAPH_UNREACHABLE'), 0, 'failed'],
    [failure('SUBGRAPH_TIMEOUT'), 0, 'failed'],
    [failure('SUBGRAPH_TIMEOUT'), 200, 'failed'],
    [failure('SUBGRAPH_INVALID_RESPONSE'), 200, 'failed'],
    [failure('SUBGRAPH_RESPONSE_TOO_LARGE'), 200, 'answered'],
    [failure('SUBGRAPH_ADDRESS_NOT_ALLOWED'), 0, 'unknown'],
    [failure('SUBGRAPH_CANCELLED'), 0, 'unknown'],
    [failure('SUBGRAPH_CANCELLED'), 503, 'unknown'],
  ])('that comes to %j with status %i has %s', (reply, status, result) => {
    expect(callResult(reply, status)).toBe(result)
  })
})
