/**
 * Turns what libraries print by themselves into log lines, so that the output of a service is one JSON
 * document a line.
 */
import { format } from 'node:util'
import { logEvent } from './log-event.ts'
import type { Logger } from './logger.ts'

const MAX_LENGTH = 2000

/** The log events of this file. */
export const LOGGED = {
  printed: logEvent('process.printed', {
    level: ['warn', 'error'],
    says: "A library printed this. It concerns the library's server or its settings.",
    advice:
      'Act on the text. "does not require a password": take the password out of the URL, or set it in Redis',
  }),
}

/**
 * Logs all that is printed from now on, for the rest of the process. ioredis, for one, warns of passwords
 * that nobody asked for.
 */
export function logPrintedWarnings(logger: Logger): void {
  const text = (printed: unknown[]) => format(...printed).slice(0, MAX_LENGTH)
  console.warn = (...printed) => LOGGED.printed.write(logger, {}, text(printed))
  console.error = (...printed) => LOGGED.printed.writeGrave(logger, {}, text(printed))
}
