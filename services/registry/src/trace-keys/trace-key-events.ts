import type { Logger } from '@switchyard/service-kit'

export type TraceKeyEvents = ReturnType<typeof traceKeyEvents>

/** Returns the functions that log what happens to the keys that sign trace tokens. */
export function traceKeyEvents(logger: Logger) {
  return {
    /** Logs everything about a token but the token. */
    traceTokenIssued(facts: {
      readonly actor: string
      readonly namespace: string
      readonly graph: string
      readonly kid: string
      readonly jti: string
      readonly expiresAt: string
      readonly exclude: readonly string[]
      readonly traceparent: string
    }): void {
      logger.info({ event: 'registry.trace-token.issued', ...facts }, 'a trace token was issued')
    },
    traceKeyFileUnusable(path: string, reason: string): void {
      logger.error(
        { event: 'registry.trace-key-file.unusable', path, reason },
        'the file with the trace keys cannot be used: no trace tokens are signed until it can',
      )
    },
  }
}
