/** Work for very many subscriptions, cut into turns of the event loop. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { FanOut } from '../../src/subscriptions/turns/fan-out.ts'
import { heldBytes } from '../support/heap.ts'

describe('a fan-out', () => {
  it('does one work after the other, also those that come meanwhile, and all of each', async () => {
    const fanOut = new FanOut()
    const done: string[] = []
    const add = (name: string, steps: number, then = (): void => {}): void => {
      let left = steps
      fanOut.add(() => {
        done.push(name)
        left--
        if (left === 0) then()
        return left > 0
      })
    }
    add('a', 3, () => add('c', 2))
    add('b', 1)
    while (done.length < 6) await nextTurn()
    expect(done.join('')).toBe('aaabcc')
  })

  it('lets others have a turn, however much there is to do, and forgets what is done', async () => {
    const fanOut = new FanOut()
    const seen = { works: 0, forgotten: 0, isOver: false }
    const registry = new FinalizationRegistry(() => void seen.forgotten++)
    // Each work adds the next one, so that there is never nothing left.
    const add = (): void => {
      const step = (): boolean => {
        if (!seen.isOver) add()
        return false
      }
      seen.works++
      registry.register(step, null)
      fanOut.add(step)
    }
    add()
    while (seen.works < 20_000) await nextTurn()
    // It collects garbage.
    await heldBytes()
    while (seen.forgotten < 10_000 && seen.works < 1_000_000) await nextTurn()
    seen.isOver = true
    expect(seen.forgotten).toBeGreaterThanOrEqual(10_000)
  })
})
