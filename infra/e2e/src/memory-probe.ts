/** A module that `--import` loads into a program: at SIGUSR2 it collects garbage and logs the memory left. */
import { setTimeout as delay } from 'node:timers/promises'
import { isMainThread } from 'node:worker_threads'

/** The number of collections. Objects that a finalizer releases are only freed by the next collection. */
const COLLECTIONS = 3

if (isMainThread) process.on('SIGUSR2', () => void measure())

async function measure(): Promise<void> {
  if (globalThis.gc === undefined) throw new Error('start with --expose-gc')
  for (let count = 0; count < COLLECTIONS; count++) {
    globalThis.gc()
    await delay(20)
  }
  const { heapUsed, arrayBuffers, external, rss } = process.memoryUsage()
  process.stdout.write(
    `${JSON.stringify({ event: 'memory.measured', heapUsed, arrayBuffers, external, rss })}\n`,
  )
}
