/**
 * Finds types that are entities in one subgraph and have no `@key` in another one.
 *
 * Fields of a key need no `@shareable`, so that a forgotten `@key` shows as a field that several subgraphs
 * resolve. An author who only follows that message marks the key as shareable, and has two unrelated types of
 * one name.
 */
import type { ForgottenKeyFacts } from '../../../catalogue/sharing.ts'
import type { GraphPlace } from '../../../findings/finding.ts'
import type { FieldsType, Key } from '../../../model/model.ts'
import { topLevelFields } from '../../../model/field-sets.ts'
import type { Declared } from '../../../graph/declared.ts'
import type { CheckedFieldsType } from '../../checked/checked-graph.ts'
import { firstNameOf, place } from '../../checked/places.ts'

/** A key that other subgraphs lack. */
export type ForgottenKey = {
  readonly facts: ForgottenKeyFacts
  readonly owner: number
  readonly key: Key
}

/**
 * The key that subgraphs at `resolving`, which resolve the field, have forgotten. Null if the type has a key
 * in all of them or in none.
 */
export function forgottenKey(
  type: CheckedFieldsType,
  field: string,
  resolving: readonly number[],
): ForgottenKey | null {
  const among = new Set(resolving)
  const declarations = type.declarations.filter(({ at }) => among.has(at))
  const without = declarations.filter(({ model }) => model.keys.length === 0)
  if (without.length === 0) return null
  const candidates = declarations.flatMap(({ at, model }) =>
    model.keys.map((key) => readCandidate(at, key, field, without)),
  )
  const [best] = candidates.sort((a, b) => a.missing - b.missing || Number(b.isOfField) - Number(a.isOfField))
  if (best === undefined) return null
  const { owner, key, isOfField, missing } = best
  const facts = {
    type: type.name,
    key: key.fields.text,
    owner,
    without: without.map(({ at }) => at),
    isOfField,
    isIncomplete: missing > 0,
  }
  return { facts, owner, key }
}

type Candidate = {
  readonly owner: number
  readonly key: Key
  readonly isOfField: boolean
  /** How many of its fields are missing where the key is. */
  readonly missing: number
}

function readCandidate(
  owner: number,
  key: Key,
  field: string,
  without: readonly Declared<FieldsType>[],
): Candidate {
  const names = topLevelFields(key.fields.set).map(({ name }) => name.value)
  const missing = without.flatMap(({ model }) => names.filter((name) => !model.fields.has(name)))
  return { owner, key, isOfField: names.includes(field), missing: missing.length }
}

/** The places where the key is, and those where it is missing. */
export function placesOfForgottenKey(
  { declarations, name: type }: CheckedFieldsType,
  { facts, owner, key }: ForgottenKey,
): readonly GraphPlace[] {
  const without = new Set(facts.without)
  return [
    place(owner, key.node, { kind: 'key-of', type }),
    ...declarations
      .filter(({ at }) => without.has(at))
      .flatMap((one) => firstNameOf(one, { kind: 'no-key-of', type })),
  ]
}
