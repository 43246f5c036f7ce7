/**
 * What libraries print by themselves becomes log lines, so that everything a service says is one JSON
 * document a line.
 */
import { format } from 'node:util'
import type { Logger } from './logger.ts'

const MAX_LENGTH = 2000

/** For the rest of the process: ioredis, for one, warns of passwords that nobody asked for. */
export function logPrintedWarnings(logger: Logger): void {
  const told =
    (level: 'warn' | 'error') =>
    (...printed: unknown[]) => {
      logger[level]({ event: 'process.printed' }, format(...printed).slice(0, MAX_LENGTH))
    }
  console.warn = told('warn')
  console.error = told('error')
}
