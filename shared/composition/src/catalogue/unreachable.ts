/** The entry about fields that clients may ask for and no subgraph can resolve. */
import type { PathStep, UnreachableReason } from '../contract/composition-result.ts'
import { entry, quotedList, type NameOf } from './entry.ts'

/** Why a subgraph does not have a field: `own-key` is one that it marks `@external` and has in a `@key`. */
export type MissingFrom = 'absent' | 'external' | 'own-key' | 'unresolved'

/** Why a path ends. `subgraph` is where it has come to, and `target` where it cannot go on. */
export type UnreachableCause = { readonly subgraph: number } & (
  | { readonly kind: 'external'; readonly field: string; readonly isOwnKey: boolean }
  | {
      readonly kind: 'requires'
      readonly field: string
      readonly missing: string
      /** The fields from `missing` on that require each other up to `field`; empty if they form no circle. */
      readonly circle: readonly string[]
    }
  | {
      readonly kind: 'no-key'
      readonly target: number
      readonly type: string
      /** Null if the target does not have the field. */
      readonly field: string | null
    }
  | { readonly kind: 'not-resolvable'; readonly target: number; readonly key: string }
  | {
      readonly kind: 'key-needs'
      readonly target: number
      readonly key: string
      readonly missing: string
      readonly why: MissingFrom
    }
  | { readonly kind: 'unknown-type'; readonly type: string }
  | { readonly kind: 'nowhere'; readonly field: string }
  | { readonly kind: 'not-alone'; readonly field: string; readonly missing: string }
)

/** A field that cannot be resolved, with the path to it and why the path ends. */
export type UnreachableFacts = {
  readonly operation: string
  /** The last step is the field. Its subgraph is null. */
  readonly path: readonly { readonly coordinate: string; readonly subgraph: number | null }[]
  readonly reasons: readonly UnreachableCause[]
  /** Further fields that cannot be resolved, for a reason that is the same mistake. */
  readonly also: readonly string[]
}

export const UNREACHABLE = {
  SATISFIABILITY_UNDECIDED: entry<object>(
    'Whether every field can be reached takes more steps than a composition may take',
    'It is the number of keys and requirements that build on each other: let fewer of them do so.',
    () =>
      'Whether every field can be reached takes more steps than a composition may take; let fewer keys and requirements build on each other.',
  ),
  SATISFIABILITY_ERROR: entry<UnreachableFacts>(
    'A field of the supergraph cannot be reached by every path',
    'Usually a missing `@key`, or a field that should be `@shareable`. Fields that return `Query` are not reported: any subgraph can be asked for its root fields at any time.',
    ({ path, reasons, also }, nameOf) =>
      [
        headline(path, also, nameOf),
        ...reasons.map((one) => `- from subgraph "${nameOf(one.subgraph)}": ${reasonText(one, nameOf)}.`),
      ].join('\n'),
  ),
}

/** The path and the reasons with names, as errors have them beside their message. */
export function nameParts(
  { operation, path, reasons }: UnreachableFacts,
  nameOf: NameOf,
): {
  readonly operation: string
  readonly path: readonly PathStep[]
  readonly reasons: readonly UnreachableReason[]
} {
  return {
    operation,
    path: path.map(({ coordinate, subgraph }) => ({
      coordinate,
      subgraph: subgraph === null ? null : nameOf(subgraph),
    })),
    reasons: reasons.map((one) => ({
      subgraph: nameOf(one.subgraph),
      target: 'target' in one ? nameOf(one.target) : null,
      reason: reasonText(one, nameOf),
    })),
  }
}

/** How many of the further fields are named. */
const NAMED = 10

function alsoText(also: readonly string[]): string {
  if (also.length === 0) return ''
  const named = also.slice(0, NAMED)
  const more = also.length - named.length
  const list =
    more === 0 ? quotedList(named) : `${named.map((one) => `"${one}"`).join(', ')} and ${more} more`
  return `, and for the same reason neither can ${list}`
}

function headline(path: UnreachableFacts['path'], also: readonly string[], nameOf: NameOf): string {
  const taken = path
    .slice(0, -1)
    .map(({ coordinate, subgraph }) =>
      subgraph === null ? coordinate : `${coordinate} (${nameOf(subgraph)})`,
    )
  return `"${path.at(-1)?.coordinate ?? ''}" cannot be resolved${taken.length === 0 ? '' : ` on the path ${taken.join(' → ')}`}${alsoText(also)}:`
}

/** One reason, without the subgraph that it is about and without a full stop. */
function reasonText(cause: UnreachableCause, nameOf: NameOf): string {
  switch (cause.kind) {
    case 'external': {
      const text = `"${cause.field}" is @external there`
      return cause.isOwnKey ? text + ownKeyText(nameOf(cause.subgraph)) : text
    }
    case 'requires':
      return requiresText(cause)
    case 'no-key': {
      const has = cause.field === null ? 'has no' : `has "${cause.field}", but no`
      return `subgraph "${nameOf(cause.target)}" ${has} @key on "${cause.type}" to be entered by`
    }
    case 'not-resolvable':
      return `the @key(fields: "${cause.key}") of subgraph "${nameOf(cause.target)}" is "resolvable: false"`
    case 'key-needs': {
      const key = `the @key(fields: "${cause.key}") of subgraph "${nameOf(cause.target)}"`
      return `${key} needs "${cause.missing}", which ${missingText(cause.why, nameOf(cause.subgraph))}`
    }
    case 'unknown-type':
      return `no subgraph that can be reached tells the runtime type of "${cause.type}"`
    case 'nowhere':
      return `no subgraph that can be reached resolves "${cause.field}"`
    case 'not-alone':
      return `one subgraph has to answer "${cause.field}" alone, and this one cannot resolve "${cause.missing}"`
    default:
      return cause satisfies never
  }
}

function missingText(why: MissingFrom, subgraph: string): string {
  switch (why) {
    case 'absent':
      return `subgraph "${subgraph}" does not have`
    case 'external':
      return `is @external in subgraph "${subgraph}"`
    case 'own-key':
      return `is @external in subgraph "${subgraph}"${ownKeyText(subgraph)}`
    case 'unresolved':
      return `subgraph "${subgraph}" cannot resolve`
    default:
      return why satisfies never
  }
}

/** A subgraph that marks its own key as external takes objects by it, but cannot tell it to others. */
function ownKeyText(subgraph: string): string {
  return ` although a @key there names it, so "${subgraph}" cannot tell the key of its own objects; remove @external`
}

function requiresText({ field, missing, circle }: Extract<UnreachableCause, { kind: 'requires' }>): string {
  if (circle.length === 0) return `"${field}" requires "${missing}", which cannot be fetched for it`
  const chain = circle.map((one) => `requires "${one}"`).join(', which ')
  return `"${field}" ${chain}, which cannot be fetched without "${field}" itself. One of the fields of this circle has to be resolved without @requires`
}
