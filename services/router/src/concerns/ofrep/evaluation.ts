/**
 * Tells for one flag what the composition that a request gets says about it. At most one flag of a request is
 * on, since one composition answers a request.
 */
import type { FlagChoice } from '../../flags/flag-choice.ts'

/** The compositions of the flags that a router serves. */
export type ServedFlags = {
  get(flag: string): { readonly state: { readonly kind: CompositionKind } } | undefined
}
type CompositionKind = 'unbuilt' | 'building' | 'built' | 'damaged' | 'failed'

/**
 * The reason of an evaluation, in the words of OpenFeature: the request names a flag (`STATIC`); a rollout of
 * this flag decided by a percentage (`SPLIT`), or for its whole audience (`TARGETING_MATCH`); the router does
 * not serve the flag (`DISABLED`); none of these (`DEFAULT`).
 */
type Reason = 'STATIC' | 'SPLIT' | 'TARGETING_MATCH' | 'DEFAULT' | 'DISABLED'

/** The value of a flag for a request. */
export type Evaluated = {
  readonly key: string
  readonly value: boolean
  readonly variant: 'on' | 'off'
  readonly reason: Reason
}

/** The evaluation of a flag. It is null if neither the flag nor base answers at the moment. */
export type Evaluation = Evaluated | null

const WHOLE_AUDIENCE = 100

/** Evaluates a flag for a request whose composition is chosen. */
export function evaluate(flag: string, choice: FlagChoice, served: ServedFlags): Evaluation {
  const state = served.get(flag)?.state.kind ?? 'failed'
  if (state === 'failed') return off(flag, 'DISABLED')
  switch (choice.from) {
    case 'none':
      return off(flag, 'DEFAULT')
    case 'header':
    case 'cookie':
      // One that is not built yet answers as soon as it is: the request waits for it.
      if (choice.name !== flag) return off(flag, 'STATIC')
      return state === 'damaged' ? null : on(flag, 'STATIC')
    case 'rollout':
      // Base answers while the flag of a rollout is not built.
      if (choice.name !== flag || state !== 'built') return off(flag, 'DEFAULT')
      return on(flag, choice.by.percent === WHOLE_AUDIENCE ? 'TARGETING_MATCH' : 'SPLIT')
    case 'rollout-control':
      return off(flag, choice.by.flag === flag ? 'SPLIT' : 'DEFAULT')
    default:
      return choice satisfies never
  }
}

function on(key: string, reason: Reason): Evaluated {
  return { key, value: true, variant: 'on', reason }
}

function off(key: string, reason: Reason): Evaluated {
  return { key, value: false, variant: 'off', reason }
}
