import { metrics } from '@opentelemetry/api'
import {
  declareCounter,
  declareHistogram,
  HTTP_DURATIONS,
  logEvent,
  type Logger,
} from '@switchyard/service-kit'

export type ApiEvents = ReturnType<typeof apiEvents>

export const SERVER_REQUEST_DURATION = declareHistogram('http.server.request.duration', {
  unit: 's',
  description: 'How long requests of the management API took, by route and status',
  boundaries: HTTP_DURATIONS,
  labels: { 'http.request.method': '', 'http.route': '', 'http.response.status_code': '' },
})

export const WRONG_KEYS = declareCounter('switchyard.registry.wrong_keys', {
  description: 'API keys that were offered and that nobody knows',
})

/** The log events of this file. */
export const LOGGED = {
  authenticationFailed: logEvent('registry.authentication.failed', {
    level: ['info', 'warn'],
    fields: ['address', 'method', 'route', 'blockedForMs'],
    says: 'a request had an unknown API key',
    advice:
      'After a warning, find out who sends them: so many keys were wrong that further requests get 429 for a while',
  }),
  requestFailed: logEvent('registry.request.failed', {
    level: 'error',
    fields: ['method', 'path', 'err'],
    says: 'a request failed because of a defect, and was answered with 500',
    advice: 'Report it with the line',
  }),
  requestUnavailable: logEvent('registry.request.unavailable', {
    level: 'warn',
    fields: ['method', 'path', 'reason'],
    says: 'A request got 503, since the registry cannot reach the log or the blobs.',
    advice: 'Look at NATS',
  }),
  signInRefused: logEvent('registry.sign-in.refused', {
    level: 'info',
    fields: ['address', 'err'],
    says: 'what the identity provider answered signed nobody in',
    advice: 'If it goes on, compare the variables `SWITCHYARD_OIDC_…` with the settings of the provider',
  }),
  accessDenied: logEvent('registry.access.denied', {
    level: 'info',
    fields: ['actor', 'method', 'route', 'scope'],
    says: 'A request was refused, since its API key lacks a scope.',
  }),
}

/** Returns the functions that log and count the requests of the management API, and refused API keys. */
export function apiEvents(logger: Logger) {
  const meter = metrics.getMeter('@switchyard/registry')
  const requests = meter.createHistogram(SERVER_REQUEST_DURATION.name, SERVER_REQUEST_DURATION.options)
  const wrongKeys = meter.createCounter(WRONG_KEYS.name, WRONG_KEYS.options)
  return {
    /** `route` is the declared pattern, never the requested path. Nothing is logged. */
    requestAnswered(method: string, route: string, status: number, milliseconds: number): void {
      requests.record(milliseconds / 1000, {
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': status,
      })
    },
    requestFailed(method: string, path: string, error: unknown): void {
      LOGGED.requestFailed.write(logger, { method, path, err: error })
    },
    requestUnavailable(method: string, path: string, reason: string): void {
      LOGGED.requestUnavailable.write(
        logger,
        { method, path, reason },
        `a request was answered with 503: ${reason}`,
      )
    },
    signInRefused(address: string, error: Error): void {
      LOGGED.signInRefused.write(logger, { address, err: error })
    },
    accessDenied(actor: string, method: string, route: string, scope: string): void {
      LOGGED.accessDenied.write(
        logger,
        { actor, method, route, scope },
        `a request was refused: its API key lacks the scope "${scope}"`,
      )
    },
    /** Never logs the key itself: it may be a valid one with a typing mistake. */
    authenticationFailed(address: string, method: string, route: string, blockedForMs: number): void {
      const facts = { address, method, route, blockedForMs: Math.ceil(blockedForMs) }
      wrongKeys.add(1)
      if (blockedForMs === 0) LOGGED.authenticationFailed.write(logger, facts)
      else
        LOGGED.authenticationFailed.writeGrave(
          logger,
          facts,
          'too many requests had unknown API keys: further ones are answered with 429 for a while',
        )
    },
  }
}
