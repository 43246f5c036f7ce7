/** Standard output and standard error, as a log writes to them. */
import { fstatSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import { LineWriter } from './line-writer.ts'

const DESCRIPTORS = { stdout: 1, stderr: 2 } as const

/** A process has one of each, and lines of all its loggers keep their order. */
const writers = new Map<keyof typeof DESCRIPTORS, LineWriter>()

/**
 * Returns the writer of a standard stream. Lines that it has collected are written when the process exits.
 * `onLost` is that of `LineWriter`; the first one counts.
 */
export function standardStream(name: keyof typeof DESCRIPTORS, onLost: (lines: number) => void): LineWriter {
  const known = writers.get(name)
  if (known !== undefined) return known
  const descriptor = DESCRIPTORS[name]
  if (isMainThread) stopBlocking(name, descriptor)
  const writer = new LineWriter(descriptor, onLost)
  writers.set(name, writer)
  process.on('exit', () => writer.finish())
  return writer
}

/**
 * Makes a pipe or a socket nonblocking, since a slow reader would hold up the whole process. Node.js does so
 * when the stream is first used, and restores the descriptor at exit. Files never block, and at a terminal
 * somebody may want to hold the output.
 */
function stopBlocking(name: keyof typeof DESCRIPTORS, descriptor: number): void {
  const stats = fstatSync(descriptor)
  if (stats.isFIFO() || stats.isSocket()) void process[name].writable
}
