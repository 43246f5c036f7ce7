import { metrics } from '@opentelemetry/api'
import { declareCounter, declareHistogram, HTTP_DURATIONS, type Logger } from '@switchyard/service-kit'

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
      logger.error(
        { event: 'registry.request.failed', method, path, err: error },
        'a request failed because of a defect, and was answered with 500',
      )
    },
    requestUnavailable(method: string, path: string, reason: string): void {
      logger.warn(
        { event: 'registry.request.unavailable', method, path, reason },
        `a request was answered with 503: ${reason}`,
      )
    },
    accessDenied(actor: string, method: string, route: string, scope: string): void {
      logger.info(
        { event: 'registry.access.denied', actor, method, route, scope },
        `a request was refused: its API key lacks the scope "${scope}"`,
      )
    },
    /** Never logs the key itself: it may be a valid one with a typing mistake. */
    authenticationFailed(address: string, method: string, route: string, blockedForMs: number): void {
      const facts = {
        event: 'registry.authentication.failed',
        address,
        method,
        route,
        blockedForMs: Math.ceil(blockedForMs),
      }
      wrongKeys.add(1)
      if (blockedForMs === 0) logger.info(facts, 'a request had an unknown API key')
      else
        logger.warn(
          facts,
          'too many requests had unknown API keys: further ones are answered with 429 for a while',
        )
    },
  }
}
