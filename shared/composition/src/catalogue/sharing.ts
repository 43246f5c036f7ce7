/** The entry about fields that several subgraphs resolve. */
import { entry, quotedList, type NameOf } from './entry.ts'
import { subgraphsAt } from './subgraph-names.ts'

/** A key that a type has in one of the subgraphs that resolve one field, and not in others. */
export type ForgottenKeyFacts = {
  readonly type: string
  /** `id organization { id }` */
  readonly key: string
  /** The subgraph in which the type has the key. */
  readonly owner: number
  readonly without: readonly number[]
  /** The field is part of the key. */
  readonly isOfField: boolean
  /** Subgraphs that lack the key lack a field of it, too. */
  readonly isIncomplete: boolean
}

type ResolverFacts = {
  readonly at: number
  readonly isShared: boolean
  /** The interface of the interface object through which the field is resolved. */
  readonly through: string | null
}

type Facts = { readonly field: string } & (
  | {
      readonly kind: 'field'
      readonly resolvers: readonly ResolverFacts[]
      readonly forgotten: ForgottenKeyFacts | null
    }
  | { readonly kind: 'overrides'; readonly at: readonly number[] }
  | { readonly kind: 'subscription'; readonly at: readonly number[] }
)

export const SHARING = {
  INVALID_FIELD_SHARING: entry<Facts>(
    'A field is resolved by several subgraphs, and not all say `@shareable`',
    'Also of two subgraphs that take one field over by `@override`, and of a forgotten `@key`, which the message then names. Mark the field in all of them, or keep it in one.',
    (facts, nameOf) => {
      const { field } = facts
      if (facts.kind === 'subscription')
        return `A subscription is resolved by one subgraph, which keeps the stream: "${field}" is in ${subgraphsAt(facts.at, nameOf)}. Keep it in one of them.`
      if (facts.kind === 'overrides')
        return `${quotedNames(facts.at, nameOf)} both take over field "${field}" by @override. Mark it @shareable in them, or keep one.`
      return sharedField(field, facts.resolvers, facts.forgotten, nameOf)
    },
  ),
}

function quotedNames(at: readonly number[], nameOf: NameOf): string {
  return `Subgraphs ${quotedList(at.map(nameOf))}`
}

function sharedField(
  field: string,
  resolvers: readonly ResolverFacts[],
  forgotten: ForgottenKeyFacts | null,
  nameOf: NameOf,
): string {
  const alone = resolvers.filter(({ isShared }) => !isShared).map(({ at }) => at)
  const which =
    alone.length === resolvers.length
      ? 'none of them marks it'
      : `${subgraphsAt(alone, nameOf)} ${alone.length === 1 ? 'does' : 'do'} not mark it`
  const sentence = `Field "${field}" is resolved by subgraphs ${resolverList(resolvers, field, nameOf)}, and ${which} @shareable.`
  return `${sentence} ${forgotten === null ? 'If all give the same value, mark it in all of them; if not, keep it in one.' : adviceOn(forgotten, field, nameOf)}`
}

function resolverList(resolvers: readonly ResolverFacts[], field: string, nameOf: NameOf): string {
  const name = field.slice(field.indexOf('.') + 1)
  const texts = resolvers.map(({ at, through }) => {
    const owner = through === null ? '' : ` (through the interface object "${through}.${name}")`
    return `"${nameOf(at)}"${owner}`
  })
  return `${texts.slice(0, -1).join(', ')} and ${texts.at(-1) ?? ''}`
}

/** Tells where the key is missing, and what to change. */
function adviceOn(
  { type, key, owner, without, isOfField, isIncomplete }: ForgottenKeyFacts,
  field: string,
  nameOf: NameOf,
): string {
  const lacking = subgraphsAt(without, nameOf)
  const text = `@key(fields: "${key}")`
  const withFields = isIncomplete ? ', with the fields that it selects,' : ''
  const shareable = isOfField ? '' : `, and mark "${field}" @shareable wherever it is resolved`
  return `"${type}" has no @key in ${lacking}, while it has ${text} in subgraph "${nameOf(owner)}". If both mean the same entity, add ${text}${withFields} to "${type}" in ${lacking}${shareable}.`
}
