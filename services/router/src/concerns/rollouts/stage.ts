/** Decides which composition a request is to get: the one of the flag that it names, or of a rollout. */
import type { RolloutTable } from '@switchyard/rollouts'
import type { FlagChoice } from '../../flags/flag-choice.ts'
import { NO_FLAG, requestedFlag } from '../../flags/requested-flag.ts'
import type { Arrived } from '../../request/arrived.ts'
import type { Decision, Visitor } from '../../request/decision.ts'
import { OperationOfBatch } from '../../request/operation-of-batch.ts'
import type { Asking } from '../../request/asking.ts'
import { askingOf, type Sender } from '../../request/request-property.ts'
import type { Stage } from '../../request/stage.ts'
import { type VisitorCookies, withoutVisitor } from './visitor-cookie.ts'

/** The parts that decide. */
export type DecidingParts = {
  /** The compositions that are served; `table` is null if nothing is served yet. */
  readonly generations: { readonly table: { readonly rollouts: RolloutTable<Asking> | null } | null }
  readonly config: { readonly flags: { readonly cookie: boolean } }
  /** Assigns cookies to visitors; null if the router does not. */
  readonly visitors: VisitorCookies | null
  /** Whether visitors are told apart by settings, whatever rollouts there are. */
  readonly areVisitorsTold: boolean
}

/** The choice of a composition, as the next stages know it. */
export type DecidedFlag = { readonly flag: FlagChoice }

const UNDECIDED: Decision = { choice: NO_FLAG, rollouts: null, asking: null, at: 0, visitor: null }

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
export function decisionOf(sender: Sender, parts: DecidingParts): Decision {
  const { request } = sender
  if (request instanceof OperationOfBatch && request.decision !== null) return request.decision
  const choice = requestedFlag(request.headers, parts.config.flags.cookie)
  const rollouts = parts.generations.table?.rollouts ?? null
  const visitor = takeVisitor(sender, rollouts, parts)
  if (rollouts === null && visitor === null && choice.from === 'none') return UNDECIDED
  if (rollouts === null || choice.from !== 'none') return { ...UNDECIDED, choice, rollouts, visitor }
  const asking = askingOf(sender, visitor?.id ?? null)
  const at = Date.now()
  return { choice: choiceOf(rollouts.decide(asking, at)), rollouts, asking, at, visitor }
}

/**
 * Reads who the visitor is, if anything asks for it. From then on the request has no such cookie: no subgraph
 * gets it, requests of different visitors are equal, and it is no credential that a foreign page could use.
 */
function takeVisitor(
  { request, client }: Sender,
  rollouts: RolloutTable<Asking> | null,
  { visitors, areVisitorsTold }: DecidingParts,
): Visitor | null {
  if (visitors === null) return null
  const { method, headers } = request
  const isAsked = areVisitorsTold || rollouts?.sources.some(({ kind }) => kind === 'visitor_cookie') === true
  const visitor = isAsked ? visitors.visitorOf({ method, headers, client }) : null
  if (headers.cookie !== undefined) {
    const rest = withoutVisitor(headers.cookie)
    if (rest === null) delete headers.cookie
    else headers.cookie = rest
  }
  return visitor
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
