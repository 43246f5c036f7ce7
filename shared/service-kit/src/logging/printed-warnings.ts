/**
 * Turns what libraries print by themselves into log lines, so that the output of a service is one JSON
 * document a line.
 */
import { format } from 'node:util'
import type { Logger } from './logger.ts'

const MAX_LENGTH = 2000

/**
 * Logs all that is printed from now on, for the rest of the process. ioredis, for one, warns of passwords
 * that nobody asked for.
 */
export function logPrintedWarnings(logger: Logger): void {
  const told =
    (level: 'warn' | 'error') =>
    (...printed: unknown[]) => {
      logger[level]({ event: 'process.printed' }, format(...printed).slice(0, MAX_LENGTH))
    }
  console.warn = told('warn')
  console.error = told('error')
}
