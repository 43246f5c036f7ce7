import { expect, it } from 'vitest'
import { inTurns } from '../src/in-turns.ts'

/** Longer than what is done in one turn. */
function work(): void {
  const until = performance.now() + 6
  while (performance.now() < until);
}

it('does little at once, and lets others have a turn where it is much', async () => {
  const done: string[] = []
  const little = inTurns(['a', 'b'], (item) => void done.push(item))
  expect(done).toEqual(['a', 'b'])
  await little
  const much = inTurns(['c', 'd', 'e'], (item) => {
    work()
    done.push(item)
  })
  expect(done).toEqual(['a', 'b', 'c'])
  setImmediate(() => done.push('other'))
  await much
  expect(done).toEqual(['a', 'b', 'c', 'd', 'other', 'e'])
})

it('leaves out who is gone when the turn comes', async () => {
  const items = new Set(['a', 'b', 'c'])
  const done: string[] = []
  await inTurns(items, (item) => {
    done.push(item)
    items.delete('b')
  })
  expect(done).toEqual(['a', 'c'])
})

it('tells what was thrown', async () => {
  await expect(
    inTurns([1], () => {
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
})
