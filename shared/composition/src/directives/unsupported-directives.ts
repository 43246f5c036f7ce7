/**
 * The treatment of federation directives that Switchyard does not carry out.
 *
 * It depends on what an answer would be worth. A field that only such a directive can resolve is refused. A
 * directive has no effect, with a hint, if no client can mistake its absence for a wrong answer.
 */
import type { SpecifiedDirective } from './specified-directives.ts'

const CONTEXTS =
  'values cannot be passed from an ancestor to a field argument. Fetch the value with @requires from the same entity, or pass it as a client argument.'
const CONNECTORS =
  'connectors are not run by the router, so nobody would resolve what they resolve. Serve these fields from a subgraph of their own.'
const CACHING = 'the router does not cache responses, so there is nothing that a tag could invalidate.'

/**
 * The refused directives, with the reason and the alternative. `connect` stands for every directive of
 * connectors, in any version of theirs.
 */
export const REFUSED_DIRECTIVES: ReadonlyMap<string, string> = new Map([
  ['context', CONTEXTS],
  ['fromContext', CONTEXTS],
  ['connect', CONNECTORS],
  ['source', CONNECTORS],
])

/** They say who may see a field. Routers enforce them, unless the graph allows that nobody does. */
export const AUTHORIZATION_DIRECTIVES: ReadonlySet<string> = new Set([
  'authenticated',
  'requiresScopes',
  'policy',
])

/** The directives without effect, each with the reason that its hint gives. */
export const DIRECTIVES_WITHOUT_EFFECT: ReadonlyMap<string, string> = new Map([['cacheTag', CACHING]])

/** True for `@authenticated`, `@requiresScopes` and `@policy`. */
export function isAuthorization({ specification, name }: SpecifiedDirective): boolean {
  return specification === 'federation' && AUTHORIZATION_DIRECTIVES.has(name)
}

/** Returns the reason why a directive is refused, or null if it is not. */
export function reasonToRefuse({ specification, name }: SpecifiedDirective): string | null {
  if (specification === 'connect') return CONNECTORS
  return (specification === 'federation' ? REFUSED_DIRECTIVES.get(name) : undefined) ?? null
}

/** Returns the reason why a directive has no effect, or null if it is carried out or refused. */
export function reasonWithoutEffect({ specification, name }: SpecifiedDirective): string | null {
  return (specification === 'federation' ? DIRECTIVES_WITHOUT_EFFECT.get(name) : undefined) ?? null
}
