/**
 * Finds types that are entities in one subgraph and have no `@key` in another one.
 *
 * Fields of a key need no `@shareable`, so a forgotten `@key` shows as a field that several subgraphs
 * resolve. An author who only follows that message marks the key as shareable, and has two unrelated types of
 * one name.
 */
import { Kind, print } from 'graphql'
import type { SdlLocation } from '../contract/composition-result.ts'
import { argument } from '../federation/federation-link.ts'
import { fieldSetOf, topLevelFields } from '../subgraph/field-sets.ts'
import { federationDirectives } from '../subgraph/subgraph.ts'
import { at, type Located } from './place.ts'
import { firstName, type Scope } from './rule.ts'

/** A type that has a key in some of the subgraphs that resolve one field, but not in all of them. */
export type ForgottenKey = {
  readonly type: string
  /** `Product.id`, where this field is resolved by several subgraphs. */
  readonly field: string
  /** The subgraphs in which the type has no key. */
  readonly without: Scope
  /** A subgraph in which the type has a key. */
  readonly owner: Located
  /** The key there: one that the others have the fields of, if there is one. */
  readonly key: {
    readonly text: string
    readonly places: readonly SdlLocation[]
    /** The field is part of it. */
    readonly isOfField: boolean
    /** Subgraphs that lack the key lack a field of it, too. */
    readonly isIncomplete: boolean
  }
}

/** Null if the type has a key in all of these subgraphs or in none of them. */
export function forgottenKey(resolving: Scope, field: string): ForgottenKey | null {
  const [type = '', name = ''] = field.split('.')
  const keysIn = ({ subgraph }: Located) => {
    const found = subgraph.types.get(type)
    return found === undefined ? [] : federationDirectives(subgraph, found, 'key')
  }
  const without = resolving.filter((one) => keysIn(one).length === 0 && one.subgraph.types.has(type))
  const keys = resolving.flatMap((owner) =>
    keysIn(owner).map((node) => {
      const fields = topLevelFields(fieldSetOf(node)).map((one) => one.name.value)
      const missing = without.flatMap(({ subgraph }) =>
        fields.filter((one) => subgraph.types.get(type)?.fields.has(one) !== true),
      )
      const set = argument(node, 'fields')
      const text = `@key(fields: ${set?.kind === Kind.STRING ? print({ ...set, block: false }) : '""'})`
      const key = {
        text,
        places: at(owner, node),
        isOfField: fields.includes(name),
        isIncomplete: missing.length > 0,
      }
      return { owner, key, missing: missing.length }
    }),
  )
  const [best] = keys.sort(
    (a, b) => a.missing - b.missing || Number(b.key.isOfField) - Number(a.key.isOfField),
  )
  if (without.length === 0 || best === undefined) return null
  return { type, field, without, owner: best.owner, key: best.key }
}

/** Returns a sentence that tells where the key is missing, and one that tells what to change. */
export function adviceOnForgottenKey({ type, field, without, owner, key }: ForgottenKey): string {
  const lacking = without.map(({ name }) => `"${name}"`).join(', ')
  const subgraphs = `subgraph${without.length === 1 ? '' : 's'} ${lacking}`
  const withFields = key.isIncomplete ? ', with the fields that it selects,' : ''
  const shareable = key.isOfField ? '' : `, and mark "${field}" @shareable wherever it is resolved`
  return `"${type}" has no @key in ${subgraphs}, while it has ${key.text} in subgraph "${owner.name}". If both mean the same entity, add ${key.text}${withFields} to "${type}" in ${subgraphs}${shareable}.`
}

/** Returns the places where the key is, and those where it is missing. */
export function placesOfForgottenKey({ type, without, key }: ForgottenKey): readonly SdlLocation[] {
  return [
    ...key.places.map((place) => ({ ...place, label: `the @key of "${type}"` })),
    ...firstName(without, type, `"${type}" has no @key here`),
  ]
}
