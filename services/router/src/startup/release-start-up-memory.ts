/**
 * Gives back what starting took and serving does not need.
 *
 * Loading modules and settings leaves about 10 MB of garbage in a heap that has grown for it. V8 would keep
 * both until requests fill the heap again, which a router that waits for traffic never sees. This collection
 * is the kind that V8 makes before it runs out of memory: it also returns free pages to the system.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Holds the thread for about 50 ms: only before the router listens. */
export function releaseStartUpMemory(): void {
  setFlagsFromString('--expose-gc')
  // V8's own options: https://github.com/v8/v8/blob/main/src/extensions/gc-extension.h
  runInNewContext(`gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })`)
  setFlagsFromString('--no-expose-gc')
}
