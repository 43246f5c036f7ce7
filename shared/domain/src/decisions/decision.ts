/** The result of a command, and the few forms in which every rule answers. */
import { didYouMean, type Problem, problem, type RegistryEvent } from '@switchyard/contracts'
import { createsSomething, describeEvents } from '../state/describe-events.ts'
import type { NamespaceState } from '../state/namespace-state.ts'

export type Decision =
  | {
      readonly kind: 'events'
      readonly events: readonly RegistryEvent[]
      readonly message: string
      readonly created: boolean
    }
  | { readonly kind: 'unchanged'; readonly message: string }
  | { readonly kind: 'refused'; readonly problem: Problem }

export function decided(state: NamespaceState, ...events: readonly RegistryEvent[]): Decision {
  return {
    kind: 'events',
    events,
    message: describeEvents(events, state),
    created: createsSomething(events),
  }
}

/** `what` is a sentence without its end: `Feature flag "next" is enabled already`. */
export function unchanged(what: string): Decision {
  return { kind: 'unchanged', message: `${what}; nothing was changed.` }
}

export function refused(value: Problem): Decision {
  return { kind: 'refused', problem: value }
}

/** `what` names the thing with its article: `a federated graph "shop"`. */
export function existsAlready(state: NamespaceState, what: string): Decision {
  return refused(
    problem(
      'ALREADY_EXISTS',
      `There is ${what} in namespace "${state.namespace}" already. Nothing was changed.`,
    ),
  )
}

/**
 * Refuses a command because of something that does not exist. `what` names the thing without an article:
 * `federated graph "shop"`. `known` are the names of its kind; everyone who may change something here may
 * read all of them.
 */
export function notFound(
  state: NamespaceState,
  what: string,
  { name, known }: { readonly name: string; readonly known: Iterable<string> },
): Decision {
  return refused(
    problem(
      'NOT_FOUND',
      `There is no ${what} in namespace "${state.namespace}".${didYouMean(name, known)} Nothing was changed.`,
    ),
  )
}

/** The codes of refusals that name all faults of one thing. */
export type InvalidCode = 'FEATURE_FLAG_INVALID' | 'PREVIEW_INVALID' | 'ROLLOUT_INVALID'

/**
 * Refuses a command with all faults of what it asks for: the sentence names a single one, several are a list
 * beside it. `outcome` is a sentence without its end.
 */
export function invalid(code: InvalidCode, outcome: string, problems: readonly string[]): Decision {
  const [first] = problems
  const detail = `${outcome}, and nothing was changed${problems.length === 1 ? `. ${first}` : `: ${problems.length} problems.`}`
  return refused(problem(code, detail, { problems: [...problems] }))
}

export function sameSet(left: readonly string[], right: readonly string[]): boolean {
  const [one, other] = [new Set(left), new Set(right)]
  return one.size === other.size && [...one].every((item) => other.has(item))
}
