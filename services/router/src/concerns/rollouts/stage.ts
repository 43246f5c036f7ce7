/** Decides which composition a request is to get: the one of the flag that it names, or of a rollout. */
import type { Rollouts } from '@switchyard/rollouts'
import type { FlagChoice } from '../../flags/flag-choice.ts'
import { NO_FLAG, type RequestedFlag, requestedFlag } from '../../flags/requested-flag.ts'
import type { Arrived } from '../../request/arrived.ts'
import { type Decision, NO_STAND_IN, type Visitor } from '../../request/decision.ts'
import type { FoundStandIn } from '../../request/in-place-of.ts'
import { OperationOfSocket } from '../../request/event-sink.ts'
import { OperationOfBatch } from '../../request/operation-of-batch.ts'
import type { Asking } from '../../request/asking.ts'
import { askingOf, type Sender } from '../../request/request-property.ts'
import type { Stage } from '../../request/stage.ts'
import { type VisitorCookies, withoutVisitor } from './visitor-cookie.ts'

/** The parts that decide. */
export type DecidingParts = {
  /** The compositions that are served; `table` is null if nothing is served yet. */
  readonly generations: { readonly table: { readonly rollouts: Rollouts<Asking> | null } | null }
  readonly config: { readonly flags: { readonly cookie: boolean } }
  /** Assigns cookies to visitors; null if the router does not. */
  readonly visitors: VisitorCookies | null
  /** Whether visitors are told apart by settings, whatever rollouts there are. */
  readonly areVisitorsTold: boolean
}

/** A request, and the stand-in that it asks for. */
type ArrivedForOne = Arrived & { readonly standIn: FoundStandIn }

/** The choice of a composition, as the next stages know it. */
export type DecidedFlag = { readonly flag: FlagChoice }

const UNDECIDED: Decision = {
  choice: NO_FLAG,
  rollouts: null,
  asking: null,
  at: 0,
  visitor: null,
  standIn: NO_STAND_IN,
}

/**
 * Decides once for each HTTP request, before it may join another one: two requests that get different
 * compositions must not be answered by one execution. Operations of a batch have the decision of the batch.
 */
export function decideFlag(parts: DecidingParts): Stage<ArrivedForOne, DecidedFlag> {
  return {
    waitsFor: null,
    run: ({ exchange, standIn }) => {
      const decision =
        standIn.kind === 'found' ? decisionFor(standIn, exchange, parts) : decisionOf(exchange, parts)
      exchange.decide(standIn.kind === 'ignored' ? { ...decision, standIn } : decision)
      return { flag: decision.choice }
    },
  }
}

/** Decides about a request: by the flag that it names, and by the rollouts only if it names none. */
export function decisionOf(sender: Sender, parts: DecidingParts): Decision {
  const { request } = sender
  if (request instanceof OperationOfBatch && request.decision !== null) return request.decision
  const choice = requestedFlag(request.headers, parts.config.flags.cookie)
  return decided(sender, choice, takeVisitor(sender, parts), parts)
}

/** Decides again about a request that was decided before, and that is still answered. */
export function decideAgain(
  exchange: Sender & { readonly decision: Decision | null },
  { generations }: Pick<DecidingParts, 'generations'>,
): FlagChoice {
  const { choice, asking, visitor } = exchange.decision ?? UNDECIDED
  if (choice.from !== 'none' && choice.from !== 'rollout' && choice.from !== 'rollout-control') return choice
  const rollouts = generations.table?.rollouts ?? null
  if (rollouts === null) return NO_FLAG
  return choiceOf(rollouts.decide(asking ?? askingOf(exchange, visitor?.id ?? null), Date.now()))
}

/**
 * Decides about a request for its stand-in, unless the request itself names a flag. Cookies of visitors are
 * assigned to its own sender, and hidden from subgraphs, as without a stand-in.
 */
function decisionFor(
  { given, sender }: Extract<FoundStandIn, { kind: 'found' }>,
  exchange: Sender,
  parts: DecidingParts,
): Decision {
  const { cookie } = parts.config.flags
  const own = requestedFlag(exchange.request.headers, cookie)
  const isOverruled = own.from !== 'none'
  const ownVisitor = takeVisitor(exchange, parts)
  const visitor = given.headers === null ? ownVisitor : takeVisitor(sender, parts)
  const choice = isOverruled ? own : requestedFlag(sender.request.headers, cookie)
  const decision = decided(sender, choice, visitor, parts)
  const asking = decision.asking ?? askingOf(sender, visitor?.id ?? null)
  return { ...decision, visitor: ownVisitor, standIn: { kind: 'used', given, asking, isOverruled } }
}

function decided(
  sender: Sender,
  choice: RequestedFlag,
  visitor: Visitor | null,
  parts: DecidingParts,
): Decision {
  const rollouts = parts.generations.table?.rollouts ?? null
  if (rollouts === null && visitor === null && choice.from === 'none') return UNDECIDED
  if (rollouts === null || choice.from !== 'none') return { ...UNDECIDED, choice, rollouts, visitor }
  const asking = askingOf(sender, visitor?.id ?? null)
  const at = Date.now()
  return { ...UNDECIDED, choice: choiceOf(rollouts.decide(asking, at)), rollouts, asking, at, visitor }
}

/**
 * Reads who the visitor is, if anything asks for it. From then on the request has no such cookie: no subgraph
 * gets it, requests of different visitors are equal, and it is no credential that a foreign page could use.
 */
function takeVisitor(
  { request, client }: Sender,
  { visitors, areVisitorsTold, generations }: DecidingParts,
): Visitor | null {
  if (visitors === null) return null
  const rollouts = generations.table?.rollouts ?? null
  const { headers } = request
  // No answer on a WebSocket sets a cookie, so a visitor is never new there.
  const method = request instanceof OperationOfSocket ? 'GET' : request.method
  const isAsked = areVisitorsTold || rollouts?.sources.some(({ kind }) => kind === 'visitor_cookie') === true
  const visitor = isAsked ? visitors.visitorOf({ method, headers, client }) : null
  if (headers.cookie !== undefined) {
    const rest = withoutVisitor(headers.cookie)
    if (rest === null) delete headers.cookie
    else headers.cookie = rest
  }
  return visitor
}

function choiceOf(decided: ReturnType<Rollouts<Asking>['decide']>): FlagChoice {
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
