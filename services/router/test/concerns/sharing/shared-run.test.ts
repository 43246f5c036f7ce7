import { describe, expect, it, vi } from 'vitest'
import { ForwardedHeaders } from '../../../src/concerns/headers/forwarded-headers.ts'
import { RequestSharing } from '../../../src/concerns/sharing/request-sharing.ts'
import type { Member, SharedRun } from '../../../src/concerns/sharing/shared-run.ts'

const KEY = { text: '{ a }', context: 'POST' }
const LIMITS = {
  forwarded: new ForwardedHeaders({ all: [], bySubgraph: new Map(), byFlag: new Map(), previews: [] }),
  isOn: true,
  timeout: 30_000,
}
const OF = { generation: {}, operation: null, executed: null, denied: 0 }

class FakeMember implements Member {
  bytes = 0
  leave: () => void = () => {}
  readonly size = { received: (bytes: number) => void (this.bytes += bytes) }

  running(cancel: () => void): void {
    this.leave = cancel
  }
}

function begun(sharing = new RequestSharing<FakeMember>(LIMITS)) {
  const first = new FakeMember()
  const cancel = vi.fn()
  const run = sharing.begin(KEY, first, OF)
  run.started(cancel)
  return { sharing, first, run, cancel }
}

function joined(run: SharedRun<FakeMember> | null): FakeMember {
  const member = new FakeMember()
  run?.join(member)
  return member
}

describe('an execution that answers several requests', () => {
  it('is found as long as it is under way', () => {
    const { sharing, run } = begun()
    expect(sharing.find(KEY)).toBe(run)
    expect(sharing.find({ ...KEY, context: 'GET' })).toBeNull()
    run.end()
    expect(sharing.find(KEY)).toBeNull()
  })

  it('gives all who wait, in the order in which they came', () => {
    const { first, run } = begun()
    const [second, third] = [joined(run), joined(run)]
    second.leave()
    expect(run.end()).toEqual([first, third])
  })

  it('goes on when the one leaves that began it, and ends with the last one', () => {
    const { sharing, first, run, cancel } = begun()
    const second = joined(run)
    first.leave()
    expect(cancel).not.toHaveBeenCalled()
    second.leave()
    expect(cancel).toHaveBeenCalledOnce()
    expect(sharing.find(KEY)).toBeNull()
  })

  it('ends nothing when somebody leaves after it is over', () => {
    const { first, run, cancel } = begun()
    run.end()
    first.leave()
    expect(cancel).not.toHaveBeenCalled()
  })

  it('counts its bytes for one who is there', () => {
    const { first, run } = begun()
    const [second, third] = [joined(run), joined(run)]
    run.size.received(100)
    expect([first.bytes, second.bytes]).toEqual([100, 0])
    first.leave()
    run.size.received(20)
    expect([second.bytes, third.bytes]).toEqual([120, 0])
  })

  it('counts them for another one also when it is over and its holder leaves before the answer is made', () => {
    const { first, run } = begun()
    const second = joined(run)
    run.size.received(100)
    run.end()
    first.leave()
    expect(second.bytes).toBe(100)
  })

  it('is not found by who would have much less time than the limit for subgraphs allows', () => {
    vi.useFakeTimers()
    try {
      const { sharing, run } = begun()
      vi.advanceTimersByTime(2_999)
      expect(sharing.find(KEY)).toBe(run)
      vi.advanceTimersByTime(2)
      expect(sharing.find(KEY)).toBeNull()
    } finally {
      vi.useRealTimers()
    }
  })

  it('is replaced by a later one with the same key, and does not take that away when it ends', () => {
    const { sharing, run } = begun()
    const { run: later } = begun(sharing)
    run.end()
    expect(sharing.find(KEY)).toBe(later)
  })
})

it('nothing is shared when that is switched off', () => {
  const request = {
    method: 'POST',
    headers: {},
    mediaType: 'application/json',
    flag: { from: 'none' },
    identity: null,
    client: null,

    mutations: 0,
    documents: '',
    side: '',
  } as const
  expect(new RequestSharing<FakeMember>({ ...LIMITS, isOn: false }).keyOf('{ a }', request)).toBeNull()
})
