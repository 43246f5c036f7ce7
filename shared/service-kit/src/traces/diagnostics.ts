/**
 * Logs what the OpenTelemetry packages report about themselves: one line a minute at most, since they repeat
 * themselves.
 */
import { diag, type DiagLogger, DiagLogLevel } from '@opentelemetry/api'
import type { Logger } from '../logging/logger.ts'

const TELL_AGAIN_AFTER_MS = 60_000
const MAX_LENGTH = 1000

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
    logger.warn({ event: 'telemetry.trouble', untold }, [message, ...texts].join(' ').slice(0, MAX_LENGTH))
    untold = 0
  }
  const silent = () => {}
  const told: DiagLogger = { error: tell, warn: tell, info: silent, debug: silent, verbose: silent }
  diag.setLogger(told, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
  return { [Symbol.dispose]: () => diag.disable() }
}
