/** What second calls take, and what they leave behind. */
import type { FetchId } from '@switchyard/engine'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { HedgeOutcome } from '../../../../src/call/policies/hedge/events.ts'
import { AddressState } from '../../../../src/call/policies/addresses/address-state.ts'
import { Alternatives } from '../../../../src/call/policies/addresses/alternatives.ts'
import { NO_EVENTS } from '../../../../src/transport/dispatch/call-pool.ts'
import { Attempts } from '../../../../src/call/attempts.ts'
import { CircuitBreaker } from '../../../../src/call/policies/circuit/circuit-breaker.ts'
import type { AddressEndpoint, Endpoint } from '../../../../src/call/endpoints.ts'
import { beginHedge } from '../../../../src/call/policies/hedge/begin-hedge.ts'
import type { Hedge } from '../../../../src/call/policies/hedge/hedged-attempt.ts'
import { CallSlots } from '../../../../src/call/policies/slots/call-slots.ts'
import { RetryBudget } from '../../../../src/call/policies/retry/retry-budget.ts'

const FETCH = 0 as FetchId
const NOTHING = (): void => {}
const CIRCUIT = { enabled: true, failureRate: 0.5, minCalls: 4, window: 10_000, openFor: 1000, probes: 1 }
const SAVED = 10

/** A subgraph with so many addresses, of which only what second calls look at is there. */
function subgraph(addresses: number, maxCalls: number, share: number, retryShare: number | null) {
  const clock = { now: 0 }
  const now = () => clock.now
  const quiet = { opened: NOTHING, closed: NOTHING, refused: NOTHING, forgotten: NOTHING }
  const told = { made: 0, ended: 0, refused: 0 }
  const policy = {
    config: { enabled: true, after: 100, budget: share },
    budget: new RetryBudget(share),
    events: {
      made: () => void told.made++,
      ended: () => void told.ended++,
      refused: () => void told.refused++,
    },
  }
  const retryBudget = retryShare === null ? null : new RetryBudget(retryShare)
  const aside: string[] = []
  const slots = new CallSlots(
    { maxCalls, maxWaiting: 0, maxRate: null },
    { waited: NOTHING, refused: NOTHING },
  )
  const all: AddressEndpoint[] = []
  const alternatives = new Alternatives(all)
  for (let index = 0; index < addresses; index++) {
    const setAside = (): void => void aside.push(`address ${index}`)
    const state = new AddressState({ setAside, back: NOTHING, forgotten: NOTHING }, now)
    const endpoint: unknown = {
      name: `address ${index}`,
      retry: retryBudget === null ? null : { value: { budget: retryBudget } },
      slots: { value: slots },
      circuit: { value: new CircuitBreaker(CIRCUIT, quiet, now) },
      alternatives: addresses === 1 ? null : alternatives,
      state: { value: state },
    }
    all.push(endpoint as AddressEndpoint)
  }
  const [named] = all
  if (named === undefined) throw new Error('there is an address')
  return { clock, told, aside, policy, retryBudget, slots, all, named }
}

/** One that has begun, and a second one beside it if that may be. */
function begunPair({ policy, named }: ReturnType<typeof subgraph>) {
  const attempts = Attempts.begin(named)
  if (attempts === null) throw new Error('its circuit lets it through')
  const endpoint = attempts.next()
  let second: Endpoint | null = null
  const hedge = beginHedge({
    policy,
    endpoint,
    attempts,
    lookUpClient: () => ({ address: 'a', name: '' }),
    fetch: FETCH,
    span: { isRecording: false, set: NOTHING },
    recorder: null,
    send: (at) => (second = at),
  })
  hedge?.send(NO_EVENTS)
  return { attempts, hedge, first: endpoint.name, second: (): string | undefined => second?.name }
}

describe('second calls', () => {
  it.each([
    ['won', 'second'],
    ['lost', 'first'],
  ] as const)('that have %s leave what comes of the call to the %s', (outcome, of) => {
    const two = subgraph(2, 5, 0.5, null)
    const { attempts, hedge, first, second } = begunPair(two)
    expect(new Set([first, second()])).toEqual(new Set(['address 0', 'address 1']))
    hedge?.ended(outcome, 'unknown')
    attempts.ended('failed')
    expect(two.aside).toEqual([of === 'first' ? first : second()])
  })

  it('are what is left of a call whose first attempt has failed', () => {
    const two = subgraph(2, 5, 0.5, null)
    const { attempts, hedge, first, second } = begunPair(two)
    hedge?.firstEnded('failed')
    expect(two.aside).toEqual([first])
    hedge?.ended('failed', 'failed')
    attempts.ended('failed')
    expect(two.aside).toEqual([first, second()])
  })

  it('are not made where a circuit is not closed, at one address or at the other', () => {
    for (const addresses of [1, 2]) {
      const all = subgraph(addresses, 5, 0.5, null)
      expect(begunPair(all).hedge).not.toBeNull()
      for (const { circuit } of all.all) {
        const period = circuit?.value.begin() ?? null
        if (period !== null) for (let count = 0; count < 4; count++) circuit?.value.ended(period, 'failed')
      }
      // They let probes through now.
      all.clock.now += CIRCUIT.openFor
      expect(begunPair(all).hedge).toBeNull()
    }
  })

  it('are within both budgets, and leave no place and no call of an address behind', () => {
    const outcomes = fc.constantFrom<HedgeOutcome[]>('won', 'lost', 'failed', 'given-up')
    const steps = fc.array(
      fc.record({
        outcome: outcomes,
        result: fc.constantFrom('answered' as const, 'failed' as const, 'unknown' as const),
        isFirstFailing: fc.boolean(),
        isHeld: fc.boolean(),
        retries: fc.boolean(),
        later: fc.nat(400),
      }),
      { minLength: 50, maxLength: 400 },
    )
    fc.assert(
      fc.property(
        steps,
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 1, max: 8 }),
        fc.constantFrom(0.05, 0.5),
        fc.constantFrom(null, 0.1),
        (calls, addresses, maxCalls, share, retryShare) => {
          const { clock, told, policy, retryBudget, slots, all, named } = subgraph(
            addresses,
            maxCalls,
            share,
            retryShare,
          )
          const held: (() => void)[] = []
          let made = 0
          let retried = 0
          for (const { outcome, result, isFirstFailing, isHeld, retries, later } of calls) {
            clock.now += later
            const attempts = Attempts.begin(named)
            if (attempts === null) continue
            made++
            const endpoint: Endpoint = attempts.next()
            policy.budget.callBegan()
            retryBudget?.callBegan()
            const lookUpClient = () => ({ address: 'a', name: '' })
            const hedge: Hedge | null = beginHedge({
              policy,
              endpoint,
              attempts,
              lookUpClient,
              fetch: FETCH,
              span: { isRecording: false, set: NOTHING },
              recorder: null,
              send: NOTHING,
            })
            hedge?.send(NO_EVENTS)
            if (retries && retryBudget?.take() === true) {
              retried++
              attempts.next()
            }
            const end = (): void => {
              if (isFirstFailing) hedge?.firstEnded('failed')
              hedge?.ended(outcome, result)
              attempts.ended(result)
            }
            if (isHeld) held.push(end)
            else end()
            expect(told.made).toBeLessThanOrEqual(made * share + SAVED)
            if (retryShare !== null)
              expect(told.made + retried).toBeLessThanOrEqual(made * retryShare + SAVED)
          }
          for (const end of held) end()
          expect(told.ended).toBe(told.made)
          expect(told.made + told.refused).toBe(made)
          for (const { state, alternatives } of all)
            if (alternatives !== null) expect(state.value.active).toBe(0)
          for (let free = 0; free < maxCalls; free++)
            expect(slots.takeFree(() => ({ address: 'a', name: '' }))).not.toBeNull()
        },
      ),
      { numRuns: 300 },
    )
  })

  it('go before none that waits for a place', () => {
    const slots = new CallSlots(
      { maxCalls: 1, maxWaiting: 5, maxRate: null },
      { waited: NOTHING, refused: NOTHING },
    )
    const lookUpClient = () => ({ address: 'a', name: '' })
    const first = slots.slotFor(lookUpClient)
    first.enter(NOTHING, NOTHING)
    const waiting = slots.slotFor(lookUpClient)
    waiting.enter(NOTHING, NOTHING)
    expect(slots.takeFree(lookUpClient)).toBeNull()
    first.leave()
    expect(slots.takeFree(lookUpClient)).toBeNull()
    waiting.leave()
    expect(slots.takeFree(lookUpClient)).not.toBeNull()
  })
})
