/** Measures how long work holds the event loop, so that a busy machine fails no test. */
import { expect } from 'vitest'

/** Milliseconds of CPU that one turn of the event loop may take. */
const MOST_HELD = 50
/** Attempts after which a turn is taken to be as long as it was measured. */
const MOST_ATTEMPTS = 5

/**
 * Measures the longest turn of the event loop, in milliseconds of CPU of this thread: what else the machine
 * does meanwhile counts only as far as it slows the processor down.
 */
export async function longestTurn(during: () => Promise<void>): Promise<number> {
  let longest = 0
  let before = process.threadCpuUsage()
  let isOver = false
  const look = (): void => {
    const { user, system } = process.threadCpuUsage(before)
    longest = Math.max(longest, (user + system) / 1000)
    before = process.threadCpuUsage()
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  try {
    await during()
  } finally {
    isOver = true
  }
  return longest
}

/**
 * Expects that no turn is too long. Neighbours, compilers and garbage collection can only lengthen a turn, so
 * that work which is too long by itself is too long at each attempt.
 */
export async function expectShortTurns(attempt: () => Promise<number>): Promise<void> {
  const measured: number[] = []
  do measured.push(await attempt())
  while (Math.min(...measured) >= MOST_HELD && measured.length < MOST_ATTEMPTS)
  expect(Math.min(...measured), `milliseconds at ${measured.length} attempts`).toBeLessThan(MOST_HELD)
}
