/** The terminal that a process was started at. */
import { isatty } from 'node:tty'

const STANDARD_STREAMS = [0, 1, 2]

/**
 * Made at the start of a process; true later on if it was started at a terminal that was closed since. A
 * process whose output goes to a file or a pipe, as with `nohup` or under a process manager, was not started
 * at one, so to speak.
 */
export function watchTerminal(): () => boolean {
  const terminals = STANDARD_STREAMS.filter((stream) => isatty(stream))
  // The system hangs up all descriptors of a terminal that is closed: from then on they are none of a
  // terminal.
  return () => terminals.some((stream) => !isatty(stream))
}

/** Nobody is left to read: the terminal was closed, or the pipe. */
export function isNobodyReading(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EIO' || error.code === 'EPIPE')
}
