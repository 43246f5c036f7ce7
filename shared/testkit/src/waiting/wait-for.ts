/**
 * Milliseconds that a test waits for what must come true: less than a test may take, and more than a slow
 * machine needs.
 */
const PATIENCE_MS = 120_000

/** Options of `vi.waitFor` and `expect.poll` with the same deadline. */
export const PATIENTLY = { timeout: PATIENCE_MS, interval: 20 } as const

/** Milliseconds between two looks at a condition: more where a look takes long, as one by a program does. */
const LEAST_PAUSE_MS = 20
const MOST_PAUSE_MS = 1000

/**
 * Waits for a condition, never for a time: tests state what must become true and a deadline that only a
 * defect reaches. Between two looks it pauses for `everyMs`, or else for three times as long as a look took,
 * so that looking takes a quarter of a processor at most.
 */
export async function waitFor<T>(
  what: string,
  condition: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  options: { readonly withinMs?: number; readonly everyMs?: number } = {},
): Promise<T> {
  const deadline = performance.now() + (options.withinMs ?? PATIENCE_MS)
  let lastError: unknown
  for (;;) {
    const began = performance.now()
    try {
      const value = await condition()
      if (value !== null && value !== undefined && value !== false) return value
      lastError = undefined
    } catch (error) {
      lastError = error
    }
    if (performance.now() > deadline)
      throw new Error(`Timed out waiting for ${what}`, lastError === undefined ? {} : { cause: lastError })
    const took = performance.now() - began
    const pause = Math.min(MOST_PAUSE_MS, Math.max(LEAST_PAUSE_MS, 3 * took))
    await new Promise((resolve) => setTimeout(resolve, options.everyMs ?? pause))
  }
}
