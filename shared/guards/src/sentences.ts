/**
 * Guards and their judgements in words: the same ones on the command line, in the log and in Studio. Pages
 * link this module, so it brings no schemas with it.
 */
import type { EmergencyStop, ErrorsGuard, Guards } from './guards.ts'
import type { GuardJudgement, Judgement } from './judgement.ts'
import { QUANTILE_NAMES } from './quantiles.ts'

/** Returns the text of guards, which parses to the same guards. */
export function printGuards(guards: Guards): string {
  const { errors, minimumRequests } = guards
  return [
    ...(errors === undefined ? [] : [`errors=${printErrors(errors)}`]),
    ...QUANTILE_NAMES.flatMap((name) => {
      const guard = guards[name]
      return guard === undefined ? [] : [`${name}=${guard.ratio}x`]
    }),
    ...(minimumRequests === undefined ? [] : [`requests=${minimumRequests}`]),
  ].join(',')
}

/** Returns the text of an emergency stop, which parses to the same one. */
export function printEmergencyStop({ errors }: EmergencyStop): string {
  return `errors=${errors.percent}%`
}

function printErrors(guard: ErrorsGuard): string {
  return 'points' in guard ? `+${guard.points}pt` : `${guard.ratio}x`
}

/** Returns a sentence for each test, without a full stop. */
export function describeJudgement({ guards, requests }: Judgement): readonly string[] {
  return guards.map((guard) => {
    const { tested, inside, control, reason } = guard
    const figure = tested.startsWith('errors') ? percentText : millisecondsText
    return `${tested}: ${figure(inside)} inside (${requests.inside} requests), ${figure(control)} outside (${requests.control}); ${WORDS[reason]}${details(guard)}`
  })
}

const WORDS: Readonly<Record<GuardJudgement['reason'], string>> = {
  exceeded: 'the limit is exceeded',
  kept: 'the limit is kept',
  unclear: 'unclear',
  'too-few-requests': 'too few requests to judge',
  'too-few-clusters': 'too few different keys to judge',
}

function details({ tested, reason, excess, requestsNeeded }: GuardJudgement): string {
  const { atLeast, atMost } = excess
  const above = (value: number): string =>
    tested.startsWith('errors') ? `${rounded(value * 100)} points` : `${rounded(value * 100)} %`
  if (reason === 'exceeded' && atLeast !== null) return ` by at least ${above(atLeast)}`
  if (reason === 'kept' && atMost !== null) return ` by at least ${above(-atMost)}`
  if (reason === 'unclear' && requestsNeeded !== null)
    return `, probably kept after about ${requestsNeeded} requests inside`
  return ''
}

/** Returns a rate from 0 to 1 in percent, or that there is none. */
export function percentText(rate: number | null): string {
  return rate === null ? 'nothing' : `${rounded(rate * 100)} %`
}

function millisecondsText(milliseconds: number | null): string {
  return milliseconds === null ? 'nothing' : `${rounded(milliseconds)} ms`
}

/** Three significant digits are more than a bound of this kind is exact to. */
function rounded(value: number): string {
  return String(Number(value.toPrecision(3)))
}
