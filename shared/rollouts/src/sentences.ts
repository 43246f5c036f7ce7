/**
 * Says in sentences how rollouts decide about a request: the same ones on the command line, on the page of a
 * trace and in the playground. Pages link this module, so it imports nothing but types.
 */
import type { RolloutOutcome } from './decision.ts'

/** A rollout, and what it came to for a request. */
export type ToldRollout = {
  readonly name: string
  readonly flag: string
  readonly percent: number
  readonly outcome: RolloutOutcome
  /** The key by which it decided; null if it did not, or needs none. */
  readonly key: { readonly source: string; readonly text: string; readonly bucket: number } | null
}

/** A condition in words, and what it came to. */
export type ToldCondition = {
  readonly text: string
  /** The values of the property; null if the request lacks it. */
  readonly seen: readonly string[] | null
  readonly holds: boolean
  /** The reason why it holds for nobody; null if it may hold. */
  readonly problem: string | null
}

/** Stands where a trace shows no value. */
const REDACTED = '[redacted]'

/** Names a rollout: `new-stock (flag new-stock, 5 percent)`. */
export function rolloutTitle({ name, flag, percent }: Omit<ToldRollout, 'outcome' | 'key'>): string {
  return `${name} (flag ${flag}, ${percent} percent)`
}

/** Says what a rollout came to. `details`: what else is known of that, such as when it expired. */
export function outcomeText({ outcome, key, percent }: ToldRollout, details = ''): string {
  const more = details === '' ? '' : ` (${details})`
  switch (outcome) {
    case 'inside':
    case 'control': {
      const side = outcome === 'inside' ? 'inside' : 'outside'
      if (key === null) return `${side}, as is everybody of its audience`
      const below = outcome === 'inside' ? 'below' : 'not below'
      const { bucket, source, text } = key
      const limit = Math.round(percent * 100)
      return `${side}: bucket ${bucket} of ${source} ${shownValue(text)} is ${below} ${limit}`
    }
    case 'other-audience':
      return `not for this request, since a condition does not hold${more}`
    case 'no-key':
      return `not for this request, which has no key${more}`
    case 'expired':
      return `passed over, since it has expired${more}`
    case 'unknown-flag':
      return `passed over, since routers do not have its flag${more}`
    case 'not-serving':
      return `passed over, since it serves nobody${more}`
    case 'keyless':
      return `passed over, since it has a percentage and no key${more}`
    case 'not-understood':
      return `not understood, so requests that may be of its audience get base${more}`
    case 'taken-back':
      return `taken back by a newer revision that is not served yet, so base answers${more}`
    default:
      return outcome satisfies never
  }
}

/** Says what a condition came to. */
export function conditionText({ text, seen, holds, problem }: ToldCondition): string {
  const values = seen === null ? 'it has none' : `it has ${seen.map(shownValue).join(', ') || 'no value'}`
  return `${text}: ${problem ?? (holds ? 'holds' : 'does not hold')} (${values})`
}

/** Says which composition a request gets that names no flag, by the last rollout that was looked at. */
export function decisionText(last: Pick<ToldRollout, 'name' | 'flag' | 'outcome'> | undefined): string {
  switch (last?.outcome) {
    case 'inside':
      return `The request gets feature flag "${last.flag}", by rollout "${last.name}".`
    case 'control':
      return `The request gets the base graph, since it is outside of rollout "${last.name}".`
    case 'not-understood':
      return `The request gets the base graph, since rollout "${last.name}" is not understood.`
    case 'taken-back':
      return `The request gets the base graph, since a newer revision takes rollout "${last.name}" back.`
    default:
      return 'The request gets the base graph, since no rollout is for it.'
  }
}

function shownValue(value: string): string {
  return value === REDACTED ? value : JSON.stringify(value)
}
