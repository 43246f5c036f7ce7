import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { AnswerIntake } from '../../src/call/in-flight/answer-intake.ts'
import { AnswerTurns } from '../../src/call/in-flight/answer-turns.ts'
import { CallInFlight } from '../../src/call/in-flight/call-in-flight.ts'
import { MAX_RECEIVERS } from '../../src/call/in-flight/receivers.ts'
import { fetchContext, FetchSharing, type JoinableCall } from '../../src/call/fetch-sharing.ts'
import type { SharingKey } from '../../src/concerns/sharing/in-flight-table.ts'
import { compileHeaderRules } from '../../src/concerns/headers/header-rules.ts'

const KEY: SharingKey = { context: 'http://products/', text: '{"query":"{ a }"}' }

function setup() {
  const mutations = { ended: 0 }
  const sharing = new FetchSharing(true, mutations)
  /** A call that others can join by `key`. */
  const begin = (key: SharingKey = KEY) => {
    let joinable: JoinableCall | null = null
    const call = new CallInFlight({
      turns: new AnswerTurns(),
      codings: [],
      subgraph: 'products',
      context: { traceId: '', spanId: '', traceFlags: 0 },
      maxResponseSize: 1e9,
      intake: new AnswerIntake(1e9),
      onOver: () => {
        if (joinable !== null) sharing.remove(joinable)
      },
    })
    joinable = sharing.add(key, call)
    return call
  }
  return { mutations, sharing, begin }
}

describe('a call in flight', () => {
  it('is found by the same context and body, until it is over', () => {
    const { sharing, begin } = setup()
    const call = begin()
    expect(sharing.find({ ...KEY }, 30_000)).toBe(call)
    expect(sharing.find({ ...KEY, context: 'http://reviews/' }, 30_000)).toBeNull()
    expect(sharing.find({ ...KEY, text: '{"query":"{ b }"}' }, 30_000)).toBeNull()
    call.onResponseEnd()
    expect(sharing.find(KEY, 30_000)).toBeNull()
  })

  it('is not found after a call of a mutation has ended', () => {
    const { sharing, begin, mutations } = setup()
    begin()
    mutations.ended++
    expect(sharing.find(KEY, 30_000)).toBeNull()
    const later = begin()
    expect(sharing.find(KEY, 30_000)).toBe(later)
  })

  it('is not found by a fetch when a tenth of its time has passed', () => {
    vi.useFakeTimers()
    try {
      const { sharing, begin } = setup()
      const call = begin()
      vi.advanceTimersByTime(2_999)
      expect(sharing.find(KEY, 30_000)).toBe(call)
      vi.advanceTimersByTime(2)
      expect(sharing.find(KEY, 30_000)).toBeNull()
    } finally {
      vi.useRealTimers()
    }
  })

  it('is not found when as many wait for it as may', () => {
    const { sharing, begin } = setup()
    const call = begin()
    for (let count = 0; count < MAX_RECEIVERS; count++) call.add({ hold() {}, over() {} })
    expect(sharing.find(KEY, 30_000)).toBeNull()
  })
})

const NAMES = ['x-a', 'x-b', 'x-request-id'] as const
const value = fc.string({ unit: fc.constantFrom('|', ':', '1', ' ', 'x'), maxLength: 4 })
const sent = fc.dictionary(fc.constantFrom(...NAMES), value)
const rules = fc.array(
  fc.record({ propagate: fc.constantFrom(...NAMES), rename: fc.constantFrom(...NAMES) }),
  { maxLength: 4 },
)
const request = fc.record({ sent, baggage: fc.option(value), id: fc.constantFrom('1', '2') })

it('no two fetches look alike whose subgraph is sent other headers, the id of the request left out', () => {
  const alike = fc.property(rules, request, request, (list, one, other) => {
    const { append, replaceRequestId } = compileHeaderRules(list, 'x-request-id')
    const [first, second] = [one, other].map(({ sent: headers, baggage, id }) => {
      const out: string[] = []
      append(
        { headers, requestId: id, identity: null, flag: null, operationName: null, plan: { kind: 'query' } },
        out,
      )
      const from = replaceRequestId ? 0 : 2
      return {
        context: fetchContext({ target: 'http://products/', headers: out, from, baggage }),
        seen: [baggage, ...out.slice(from)],
      }
    })
    const isSame = JSON.stringify(first?.seen) === JSON.stringify(second?.seen)
    expect(first?.context === second?.context).toBe(isSame)
  })
  fc.assert(alike, { numRuns: 3000 })
})
