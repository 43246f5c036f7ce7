/**
 * Tells in a trace how rollouts decided about its request, without what the trace hides elsewhere.
 *
 * Values of properties are shown by the rules of the trace: of headers those that are allowed, of claims
 * those that the trace tells of the token anyway, and never the address. What conditions compare with is left
 * out: together with the outcome it would tell the hidden value.
 */
import type { TraceRollout } from '@switchyard/request-trace'
import { rolloutSourceOf } from '@switchyard/contracts'
import {
  type ExplainedCondition,
  type ExplainedRollout,
  type PropertyValue,
  type RequestKey,
  testOf,
} from '@switchyard/rollouts'
import type { Decision } from '../../request/decision.ts'
import type { RedactionRules } from '../cleaning/redaction-rules.ts'
import { REDACTED } from '../cleaning/spans.ts'

/** Characters of a value, and values of a property that has several. */
export const LONGEST_VALUE = 256
const MOST_VALUES = 10
/** Claims that a trace tells of a token. */
export const TOLD_CLAIMS: ReadonlySet<string> = new Set(['iss', 'sub'])

/** Returns the rollouts that decided; null if none was looked at. */
export function tracedRollouts(
  decision: Decision | null,
  rules: RedactionRules,
): readonly TraceRollout[] | null {
  if (decision === null || decision.rollouts === null || decision.asking === null) return null
  const { rollouts } = decision.rollouts.explain(decision.asking, decision.at)
  return rollouts.map((rollout) => tracedRollout(rollout, rules))
}

function tracedRollout(
  { rollout, flag, percent, outcome, conditions, key }: ExplainedRollout,
  rules: RedactionRules,
): TraceRollout {
  return {
    name: rollout,
    flag,
    percent,
    outcome,
    ...(conditions.length > 0 && {
      conditions: conditions.map((condition) => tracedCondition(condition, rules)),
    }),
    ...(key !== null && { key: tracedKey(key, rules) }),
  }
}

function tracedCondition({ condition, seen, holds, problem }: ExplainedCondition, rules: RedactionRules) {
  const { name, isNegated } = testOf(condition)
  const values = shownValues(condition.on, seen, rules)
  return {
    on: condition.on,
    test: name,
    ...(isNegated && { not: true as const }),
    ...(values !== null && { seen: values }),
    holds,
    ...(problem !== null && { problem: true as const }),
  }
}

function tracedKey({ source, text, bucket }: RequestKey, rules: RedactionRules) {
  const [value = REDACTED] = shownValues(source, text, rules) ?? []
  return { source, value, bucket }
}

function shownValues(on: string, value: PropertyValue, rules: RedactionRules): readonly string[] | null {
  if (value === null) return null
  const values = typeof value === 'string' ? [value] : value.slice(0, MOST_VALUES)
  const isShown = mayBeShown(on, rules)
  return values.map((one) => (isShown ? one.slice(0, LONGEST_VALUE) : REDACTED))
}

function mayBeShown(on: string, { isHeaderAllowed }: RedactionRules): boolean {
  const source = rolloutSourceOf(on)
  switch (source?.kind) {
    case 'header':
      return isHeaderAllowed(source.name)
    case 'cookie':
      return isHeaderAllowed('cookie')
    case 'claim':
      return typeof source.path === 'string' && TOLD_CLAIMS.has(source.path)
    case 'client':
    case 'client_version':
      return true
    default:
      return false
  }
}
