/** The rules for the keys that sign trace tokens. Pure, like `decide`. */
import { problem, type Problem, type SystemEvent } from '@switchyard/contracts'
import type { SystemState } from './system-state.ts'
import { unreachable } from './state/unreachable.ts'

type TraceKeyJwk = Extract<SystemEvent, { type: 'trace-key.created' }>['jwk']

export type TraceKeyCommand =
  /** Tells routers, through their manifests, to believe what this key signs. */
  | { readonly type: 'create-trace-key'; readonly jwk: TraceKeyJwk }
  | { readonly type: 'retire-trace-key'; readonly kid: string }

export type TraceKeyDecision =
  | { readonly kind: 'events'; readonly events: readonly SystemEvent[] }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'refused'; readonly problem: Problem }

/** Every manifest carries them all; a rotation needs two. */
const MAX_TRACE_KEYS = 10

export function decideTraceKey(state: SystemState, command: TraceKeyCommand): TraceKeyDecision {
  switch (command.type) {
    case 'create-trace-key':
      return createTraceKey(state, command.jwk)
    case 'retire-trace-key':
      return retireTraceKey(state, command.kid)
    default:
      return unreachable(command)
  }
}

function createTraceKey(state: SystemState, jwk: TraceKeyJwk): TraceKeyDecision {
  if (state.traceKeys.has(jwk.kid)) return { kind: 'unchanged' }
  if (state.retiredTraceKeys.has(jwk.kid)) {
    return refused(
      problem('ALREADY_EXISTS', `The trace key ${jwk.kid} was retired and cannot come back. Create another.`),
    )
  }
  if (state.traceKeys.size >= MAX_TRACE_KEYS) {
    return refused(
      problem(
        'LIMIT_EXCEEDED',
        `There are ${MAX_TRACE_KEYS} trace keys already, which every configuration of every router carries. Nothing was changed. Retire those that sign no more.`,
      ),
    )
  }
  return { kind: 'events', events: [{ type: 'trace-key.created', jwk }] }
}

function retireTraceKey(state: SystemState, kid: string): TraceKeyDecision {
  if (state.traceKeys.has(kid)) return { kind: 'events', events: [{ type: 'trace-key.retired', kid }] }
  if (state.retiredTraceKeys.has(kid)) return { kind: 'unchanged' }
  return refused(problem('NOT_FOUND', `There is no trace key of the id "${kid}". Nothing was changed.`))
}

function refused(value: Problem): TraceKeyDecision {
  return { kind: 'refused', problem: value }
}
