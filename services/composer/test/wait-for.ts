/** Waits for a condition; only a defect reaches the deadline. */
export async function waitFor<Value>(
  what: string,
  condition: () => Promise<Value | null | undefined | false> | Value | null | undefined | false,
): Promise<Value> {
  const deadline = performance.now() + 30_000
  for (;;) {
    const value = await condition()
    if (value !== null && value !== undefined && value !== false) return value
    if (performance.now() > deadline) throw new Error(`timed out waiting for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
