import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** Bytes of what this thread holds, in its heap and as text outside of it. */
export async function heldBytes(): Promise<number> {
  for (let collection = 0; collection < 3; collection++) {
    collect()
    // For finalizers, whose objects the next collection frees.
    await delay(10)
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
