import { setImmediate } from 'node:timers/promises'

/** Milliseconds for which a long work may hold up everything else. */
const TURN_MS = 5

/**
 * Called between pieces of long work: a promise once it is time to let others run, for the work to wait for.
 */
export function takeTurns(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < TURN_MS) return undefined
    return setImmediate().then(() => {
      since = performance.now()
    })
  }
}
