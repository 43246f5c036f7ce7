/** Messages that wait for their turn. */
import { describe, expect, it } from 'vitest'
import { Backlog } from '../../src/subscriptions/upstream/brokers/backlog.ts'

function taken(backlog: Backlog): readonly (readonly [number, boolean])[] {
  const all: (readonly [number, boolean])[] = []
  for (let one = backlog.take(); one !== undefined; one = backlog.take())
    all.push([one.number, one.isAfterGap])
  return all
}

describe('a backlog', () => {
  it('keeps the order, and tells before which message some may be missing', () => {
    const backlog = new Backlog()
    backlog.add(1, Buffer.from('a'))
    backlog.gap()
    backlog.add(2, Buffer.from('b'))
    backlog.add(3, Buffer.from('c'))
    expect(taken(backlog)).toEqual([
      [1, false],
      [2, true],
      [3, false],
    ])
  })

  it('drops the oldest of more than 10,000 messages, and tells so before the next one', () => {
    const backlog = new Backlog()
    let dropped = 0
    for (let number = 1; number <= 25_000; number++) dropped += backlog.add(number, Buffer.from('a'))
    expect([dropped, backlog.length]).toEqual([15_000, 10_000])
    const all = taken(backlog)
    expect(all[0]).toEqual([15_001, true])
    expect(all.filter(([, isAfterGap]) => isAfterGap)).toHaveLength(1)
    expect(all.at(-1)).toEqual([25_000, false])
  })

  it('drops the oldest of more than 16 MiB, and always keeps one', () => {
    const backlog = new Backlog()
    const large = Buffer.alloc(9 * 1024 * 1024)
    expect([backlog.add(1, large), backlog.add(2, large)]).toEqual([0, 1])
    expect(backlog.add(3, Buffer.alloc(20 * 1024 * 1024))).toBe(1)
    expect(taken(backlog)).toEqual([[3, true]])
  })
})
