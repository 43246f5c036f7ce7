import { logEvent, type Logger } from '@switchyard/service-kit'

export type TraceKeyEvents = ReturnType<typeof traceKeyEvents>

/** The log events of this file. */
export const LOGGED = {
  traceTokenIssued: logEvent('registry.trace-token.issued', {
    level: 'info',
    fields: ['actor', 'namespace', 'graph', 'kid', 'jti', 'expiresAt', 'exclude', 'traceparent'],
    says: 'a trace token was issued',
  }),
  traceKeyFileUnusable: logEvent('registry.trace-key-file.unusable', {
    level: 'error',
    fields: ['path', 'reason'],
    says: 'the file with the trace keys cannot be used: no trace tokens are signed until it can',
    advice: 'Correct the file',
  }),
}

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
      LOGGED.traceTokenIssued.write(logger, { ...facts })
    },
    traceKeyFileUnusable(path: string, reason: string): void {
      LOGGED.traceKeyFileUnusable.write(logger, { path, reason })
    },
  }
}
