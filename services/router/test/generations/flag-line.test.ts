import { describe, expect, it } from 'vitest'
import { type CompositionState, CompositionTable } from '../../src/generations/composition-table.ts'
import { FlagLine } from '../../src/generations/flag-line.ts'
import type { Generation } from '../../src/generations/generation.ts'
import { configOf } from '../support/fake-workers.ts'

const ROOM = 1e9
const ON_DEMAND = { inUse: [], ahead: false }

/** A table of two flags with a composition each, neither of which is built. */
function openTable(): CompositionTable {
  const config = {
    ...configOf(1),
    featureFlags: new Map([
      ['first', 'a'],
      ['second', 'b'],
    ]),
  }
  const base = { artifact: config.base, size: 1, release: () => {} } as unknown as Generation
  return new CompositionTable(
    config,
    { base, rollouts: null, stateOf: (): CompositionState => ({ kind: 'unbuilt' }) },
    null,
  )
}

describe('requests that wait for a flag while another config is taken into service', () => {
  it('go on to be counted one by one, and keep their place until the last of them leaves', async () => {
    let now = 0
    const line = new FlagLine(() => now)
    const table = openTable()
    const request = async () => {
      const before = line.wait('a', 0)
      await before.changed
      before.leave()
      return { again: line.wait('a', 0) }
    }
    const requests = [request(), request(), request()]
    line.swapped(table)
    const [one, other, last] = await Promise.all(requests)
    now = 100
    line.wait('b', now)
    const next = () => line.next(table, ROOM, ON_DEMAND)?.flag
    expect(next()).toBe('first')
    one?.again.leave()
    other?.again.leave()
    expect(next()).toBe('first')
    now = 3_600_000
    expect(next()).toBe('first')
    line.settled('a', 1)
    await last?.again.changed
  })
})
