/** Decides which composition a request is to get: the one of the flag that it names, or of a rollout. */
import type { RolloutTable } from '@switchyard/rollouts'
import type { FlagChoice } from '../../flags/flag-choice.ts'
import { NO_FLAG, requestedFlag } from '../../flags/requested-flag.ts'
import type { Arrived } from '../../request/arrived.ts'
import type { Decision } from '../../request/decision.ts'
import type { Exchange } from '../../request/exchange.ts'
import { OperationOfBatch } from '../../request/operation-of-batch.ts'
import type { Asking } from '../../request/asking.ts'
import { askingOf } from '../../request/request-property.ts'
import type { Stage } from '../../request/stage.ts'

/** The parts that decide. */
export type DecidingParts = {
  /** The compositions that are served; `table` is null if nothing is served yet. */
  readonly generations: { readonly table: { readonly rollouts: RolloutTable<Asking> | null } | null }
  readonly config: { readonly flags: { readonly cookie: boolean } }
}

/** The part of an exchange that decides. */
type DecidedRequest = Pick<Exchange, 'request' | 'client' | 'named' | 'identity'>

/** The choice of a composition, as the next stages know it. */
export type DecidedFlag = { readonly flag: FlagChoice }

const UNDECIDED: Decision = { choice: NO_FLAG, rollouts: null, asking: null, at: 0 }

/**
 * Decides once for each HTTP request, before it may join another one: two requests that get different
 * compositions must not be answered by one execution. Operations of a batch have the decision of the batch.
 */
export function decideFlag(parts: DecidingParts): Stage<Arrived, DecidedFlag> {
  return {
    waitsFor: null,
    run: ({ exchange }) => {
      const decision = decisionOf(exchange, parts)
      exchange.decide(decision)
      return { flag: decision.choice }
    },
  }
}

/** Decides about a request: by the flag that it names, and by the rollouts only if it names none. */
export function decisionOf(exchange: DecidedRequest, { generations, config }: DecidingParts): Decision {
  const { request } = exchange
  if (request instanceof OperationOfBatch && request.decision !== null) return request.decision
  const named = requestedFlag(request.headers, config.flags.cookie)
  const rollouts = generations.table?.rollouts ?? null
  if (named.from !== 'none') return { ...UNDECIDED, choice: named, rollouts }
  if (rollouts === null) return UNDECIDED
  const asking = askingOf(exchange)
  const at = Date.now()
  const decided = rollouts.decide(asking, at)
  return { choice: choiceOf(decided), rollouts, asking, at }
}

function choiceOf(decided: ReturnType<RolloutTable<Asking>['decide']>): FlagChoice {
  switch (decided.kind) {
    case 'none':
      return NO_FLAG
    case 'inside':
      return { from: 'rollout', name: decided.flag, by: decided }
    case 'control':
      return { from: 'rollout-control', by: decided }
    default:
      return decided satisfies never
  }
}
