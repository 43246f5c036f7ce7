import { describe, expect, it } from 'vitest'
import { StartQueue } from '../../src/fairness/start-queue.ts'
import { TurnQueue } from '../../src/fairness/turn-queue.ts'
import { clientAt, SOMEBODY } from '../support/clients.ts'

const MUCH = 1024 * 1024

/** A queue whose turns come when the test says so. */
function queue() {
  const next: (() => void)[] = []
  const state = { held: 0 }
  const starts = new StartQueue(() => state.held, new TurnQueue((callBack) => void next.push(callBack)))
  const started: string[] = []
  return {
    state,
    started,
    begin: (name: string, client = SOMEBODY): void => {
      const turn = starts.begin(() => client)
      if (turn === undefined) started.push(name)
      else void turn.then(() => started.push(name))
    },
    turn: async (): Promise<void> => {
      for (const callBack of next.splice(0)) callBack()
      await Promise.resolve()
    },
    isIdle: () => next.length === 0,
  }
}

describe('requests', () => {
  it('begin at once while little is held', () => {
    const { state, started, begin, isIdle } = queue()
    state.held = MUCH - 1
    for (const name of ['a', 'b', 'c', 'd']) begin(name)
    expect(started).toEqual(['a', 'b', 'c', 'd'])
    expect(isIdle()).toBe(true)
  })

  it('begin one in a turn while much is held, in the order in which they came', async () => {
    const { state, started, begin, turn, isIdle } = queue()
    state.held = MUCH
    for (const name of ['a', 'b', 'c']) begin(name)
    expect(started).toEqual(['a'])
    await turn()
    expect(started).toEqual(['a', 'b'])
    await turn()
    expect(started).toEqual(['a', 'b', 'c'])
    // In the turn that began one, no other one begins.
    begin('d')
    expect(started).toEqual(['a', 'b', 'c'])
    await turn()
    await turn()
    expect(started).toEqual(['a', 'b', 'c', 'd'])
    expect(isIdle()).toBe(true)
    begin('e')
    expect(started.at(-1)).toBe('e')
  })

  it('overtake nobody who waits, though little is held again', async () => {
    const { state, started, begin, turn } = queue()
    state.held = MUCH
    for (const name of ['a', 'b']) begin(name)
    state.held = 0
    begin('c')
    expect(started).toEqual(['a'])
    await turn()
    await turn()
    expect(started).toEqual(['a', 'b', 'c'])
    for (const name of ['d', 'e']) begin(name)
    expect(started).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('of one client do not make another one wait for all of them', async () => {
    const { state, started, begin, turn } = queue()
    state.held = MUCH
    for (let number = 0; number < 10; number++) begin(`greedy ${number}`, clientAt('192.0.2.2'))
    begin('other', clientAt('192.0.2.3'))
    await turn()
    await turn()
    expect(started).toEqual(['greedy 0', 'greedy 1', 'other'])
  })
})
