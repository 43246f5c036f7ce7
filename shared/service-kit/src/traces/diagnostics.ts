/**
 * Logs what the OpenTelemetry packages report about themselves: one line a minute at most, since they repeat
 * themselves.
 */
import { diag, type DiagLogger, DiagLogLevel } from '@opentelemetry/api'
import type { Logger } from '../logging/logger.ts'
import { logEvent } from '../logging/log-event.ts'

const TELL_AGAIN_AFTER_MS = 60_000
const MAX_LENGTH = 1000

/** The log events of this file. */
export const LOGGED = {
  trouble: logEvent('telemetry.trouble', {
    level: 'warn',
    fields: ['untold'],
    says: 'The OpenTelemetry packages report a problem. At most one line a minute.',
    advice: 'If spans are dropped, raise `OTEL_BSP_MAX_QUEUE_SIZE`, or sample fewer',
  }),
}

/** Logs these reports until it is disposed of. */
export function tellDiagnostics(logger: Logger): Disposable {
  let toldAt = -Infinity
  let untold = 0
  const tell = (message: string, ...args: readonly unknown[]): void => {
    if (performance.now() - toldAt < TELL_AGAIN_AFTER_MS) {
      untold++
      return
    }
    toldAt = performance.now()
    const texts = args.filter((arg) => typeof arg === 'string')
    LOGGED.trouble.write(logger, { untold }, [message, ...texts].join(' ').slice(0, MAX_LENGTH))
    untold = 0
  }
  const silent = () => {}
  const told: DiagLogger = { error: tell, warn: tell, info: silent, debug: silent, verbose: silent }
  diag.setLogger(told, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
  return { [Symbol.dispose]: () => diag.disable() }
}
