/**
 * The last stages of a request of OFREP: which composition a request for GraphQL would get, and what that
 * says about flags. All of it is read from one table at one moment.
 */
import { ClientIdentification } from '../../concerns/client-names/client-identification.ts'
import { contextOf, standInOfContext } from '../../concerns/ofrep/context.ts'
import { evaluate, type Evaluation } from '../../concerns/ofrep/evaluation.ts'
import { failureOf } from '../../concerns/ofrep/failure.ts'
import type { OfrepMetrics } from '../../concerns/ofrep/metrics.ts'
import type { OfrepPaths } from '../../concerns/ofrep/paths.ts'
import { decisionOf, type DecidingParts } from '../../concerns/rollouts/stage.ts'
import type { RouterConfig } from '../../config/router-config.ts'
import { HttpError } from '../../errors/http-error.ts'
import { notAvailable } from '../../generations/generations.ts'
import { targetOf } from '../../http/target.ts'
import type { Arrived } from '../../request/arrived.ts'
import type { Exchange } from '../../request/exchange.ts'
import { inPlaceOf } from '../../request/in-place-of.ts'
import type { Sender } from '../../request/request-property.ts'
import type { Stage } from '../../request/stage.ts'
import type { Tracing } from '../../tracing/recorder/tracing.ts'
import { type TraceVerdict, traceTokenInvalid } from '../../tracing/trace-gate.ts'
import { nothingServed, type TrafficParts } from '../stages/check-traffic.ts'
import type { Text } from '../stages/read-text.ts'
import type { OfrepAnswers } from './ofrep-answers.ts'

/** The parts that evaluate flags. */
export type EvaluatingParts = TrafficParts &
  Pick<DecidingParts, 'visitors' | 'areVisitorsTold'> & {
    readonly config: RouterConfig
    readonly tracing: Tracing
    readonly answers: OfrepAnswers
    readonly paths: OfrepPaths
    readonly metrics: OfrepMetrics
  }

/** The sender by whose properties flags are evaluated. */
type WithSender = { readonly sender: Sender }

/**
 * Finds out who asks: the request itself, or what the context says if the request carries a trace token.
 * Returns a promise only while a token is checked. Throws, or rejects with, HttpError.
 */
export function findSender({
  config,
  tracing,
  ...parts
}: EvaluatingParts): Stage<Arrived & Text, WithSender> {
  const { nameHeaders, versionHeaders } = config.clientIdentification
  const identification = new ClientIdentification(nameHeaders, versionHeaders)
  return {
    waitsFor: null,
    run: ({ exchange, search, text }) => {
      const context = contextOf(text)
      const { table } = parts.generations
      if (table === null) throw nothingServed(parts)
      const found = (verdict: TraceVerdict): WithSender => {
        if (verdict.kind === 'refused') throw traceTokenInvalid(verdict)
        if (verdict.kind === 'off') return { sender: exchange }
        const standIn = standInOfContext(context)
        if (standIn.claims === null && standIn.headers === null) return { sender: exchange }
        return { sender: inPlaceOf(exchange, standIn, (headers) => identification.of(headers)) }
      }
      const verdict = tracing.admit(exchange.request.headers, search, table)
      return verdict instanceof Promise ? verdict.then(found) : found(verdict)
    },
  }
}

/** Answers for all flags of the settings. */
export function evaluateAll(parts: EvaluatingParts): Stage<Arrived & WithSender> {
  const { answers, config, metrics } = parts
  return {
    waitsFor: null,
    run: ({ exchange, sender }) => {
      const evaluationOf = evaluationsFor(exchange, sender, parts)
      const flags = config.ofrep.flags.map((flag) => {
        const evaluation = evaluationOf(flag)
        if (evaluation === null) return failureOf(notAvailable(), flag)
        metrics.evaluated(evaluation)
        return evaluation
      })
      answers.replyTagged(exchange, { flags })
      return undefined
    },
  }
}

/**
 * Answers for one flag. Throws HttpError if it is not in the settings, without looking whether it exists.
 */
export function evaluateOne(parts: EvaluatingParts): Stage<Arrived & WithSender> {
  const { answers, paths, metrics } = parts
  const flags: ReadonlySet<string> = new Set(parts.config.ofrep.flags)
  return {
    waitsFor: null,
    run: ({ exchange, sender }) => {
      const path = paths.of(targetOf(exchange.request).path)
      const flag = path?.kind === 'one' ? path.key : ''
      if (!flags.has(flag)) throw new HttpError('FLAG_NOT_FOUND', 'This router knows no such flag.')
      const evaluation = evaluationsFor(exchange, sender, parts)(flag)
      if (evaluation === null) throw notAvailable()
      metrics.evaluated(evaluation)
      answers.reply(exchange, { status: 200, body: evaluation })
      return undefined
    },
  }
}

/** Decides about the request, and returns a function that evaluates flags by that. Throws HttpError. */
function evaluationsFor(
  exchange: Exchange,
  sender: Sender,
  parts: EvaluatingParts,
): (flag: string) => Evaluation {
  const { table } = parts.generations
  if (table === null) throw nothingServed(parts)
  exchange.report.enter('choose')
  const decision = decisionOf(sender, parts)
  // Caches are told what the answer depends on, as they are for GraphQL.
  if (sender === exchange) exchange.decide(decision)
  return (flag) => evaluate(flag, decision.choice, table.flags)
}
