/**
 * The routes of OFREP, the OpenFeature Remote Evaluation Protocol: clients learn which composition a request
 * for GraphQL with the same headers gets. Such a request is let in, authenticated, limited, logged and
 * measured as one for GraphQL is.
 *
 * The protocol: https://github.com/open-feature/protocol/blob/main/service/openapi.yaml
 */
import type { Authentication } from '../../concerns/authentication/authentication.ts'
import { authenticate } from '../../concerns/authentication/stage.ts'
import { BrotliLine } from '../../concerns/compression/brotli-line.ts'
import { OfrepMetrics } from '../../concerns/ofrep/metrics.ts'
import { OfrepPaths } from '../../concerns/ofrep/paths.ts'
import type { RateLimits } from '../../concerns/rates/rate-limits.ts'
import { limitRate } from '../../concerns/rates/stages.ts'
import { HttpError } from '../../errors/http-error.ts'
import type { PathRoute } from '../../http/handler.ts'
import { JSON_TYPE } from '../../http/negotiate.ts'
import type { RequestSpans } from '../../observe/request-spans.ts'
import type { Arrived } from '../../request/arrived.ts'
import { type AnyStage, StageList } from '../../request/stage.ts'
import { type ArrivalParts, type Arrive, arrivalsAt } from '../arrivals.ts'
import { drive } from '../drive.ts'
import { checkTraffic, shedLoad } from '../stages/check-traffic.ts'
import { type ReadingParts, readText } from '../stages/read-text.ts'
import { visitorParts } from '../visitor-parts.ts'
import { evaluateAll, evaluateOne, type EvaluatingParts, findSender } from './evaluate-flags.ts'
import { OfrepAnswers } from './ofrep-answers.ts'

/** Bytes of the largest body. What clients send there is a context. */
const LARGEST_BODY = 16 * 1024

/** The parts that the routes are made from. */
export type OfrepRouteOptions = Omit<ArrivalParts, 'route' | 'spans'> &
  Omit<EvaluatingParts, 'answers' | 'paths' | 'metrics' | 'visitors' | 'areVisitorsTold'> &
  Omit<ReadingParts, 'answers' | 'brotli'> & {
    readonly authentication: Authentication | null
    readonly rates: RateLimits | null
    /** Makes the spans of the requests of a route. */
    readonly spansOf: (route: string) => RequestSpans
    /** Headers that subgraphs get to see beside those of the rules. */
    readonly handedOn: readonly string[]
  }

/** Creates the routes. */
export function createOfrepRoute(options: OfrepRouteOptions): PathRoute {
  const { config, traffic, authentication, rates } = options
  const paths = new OfrepPaths(config.basePath)
  const answers = new OfrepAnswers(config, paths, traffic, options.handedOn)
  const visitors = visitorParts(config, answers.headers)
  const own = { answers, brotli: new BrotliLine(), paths, metrics: new OfrepMetrics() }
  const parts = { ...options, ...visitors, ...own }
  const limit = Math.min(config.limits.bodySize, LARGEST_BODY)
  const first = new StageList<Arrived>()
    .check(authentication && authenticate(authentication))
    .check(rates && limitRate(rates))
    .add(readText(parts, limit))
    .add(findSender(parts))
  const arriveAt = (route: string) => arrivalsAt({ ...options, route, spans: options.spansOf(route) })
  const all = answerBy(first.check(evaluateAll(parts)).stages, arriveAt(paths.routes.all), parts)
  const one = answerBy(first.check(evaluateOne(parts)).stages, arriveAt(paths.routes.one), parts)
  return ({ path, search }, request, response) => {
    const asked = paths.of(path)
    if (asked === null) return false
    const answer = asked.kind === 'all' ? all : one
    answer({ request, response, type: JSON_TYPE, search })
    return true
  }
}

function answerBy(
  stages: readonly AnyStage[],
  arrive: Arrive,
  parts: EvaluatingParts,
): (received: Parameters<Arrive>[0]) => void {
  const { answers, config } = parts
  const allowed = config.cors.origins.length > 0 ? 'POST, OPTIONS' : 'POST'
  return (received) => {
    const arrived = arrive(received)
    const { exchange } = arrived
    try {
      if (answers.headers.preflight(exchange)) return
      if (received.request.method !== 'POST')
        throw new HttpError('METHOD_NOT_ALLOWED', 'Flags are asked for by POST.', { Allow: allowed })
      checkTraffic(parts)
      shedLoad(parts)
    } catch (error) {
      return answers.refuse(exchange, error)
    }
    drive(stages, arrived).catch((error: unknown) => answers.refuse(exchange, error))
  }
}
