/** Merges arguments and the fields of input types. */
import type { InputModel, InputType } from '../model/model.ts'
import type { MergeFacts } from '../graph/facts.ts'
import { mergeHead } from './merge-head.ts'
import type { Declared } from '../graph/declared.ts'
import type { MergedInput, MergedInputType } from './merged.ts'
import { narrowest } from '../graph/type-texts.ts'
import { declarationsByName } from '../graph/declarations.ts'

/**
 * The arguments that all declarations of a field have. A default that only some of the subgraphs give is not
 * published: it would be sent to those that have none. `isExternal` tells the declarations that give none.
 */
export function mergeArguments(
  declarations: readonly Declared<ReadonlyMap<string, InputModel>>[],
  isExternal: (at: number) => boolean,
  facts: MergeFacts,
): readonly MergedInput[] {
  const [first] = declarations
  if (first === undefined || declarations.every(({ model }) => model.size === 0)) return NONE
  return [...declarationsByName(declarations).values()].flatMap((found) => {
    if (found.length < declarations.length) return []
    const giving = found.filter(({ at }) => !isExternal(at))
    const merged = mergeInput(found, giving.length > 0 ? giving : found, facts)
    return merged === null ? [] : [{ ...merged, joins: NONE }]
  })
}

/** Merges the declarations of an input type. */
export function mergeInputType(
  declarations: readonly Declared<InputType>[],
  facts: MergeFacts,
): MergedInputType {
  const fields = declarations.map(({ at, model }) => ({ at, model: model.fields }))
  return {
    kind: 'input',
    ...mergeHead(declarations),
    at: declarations.map(({ at }) => at),
    fields: [...declarationsByName(fields).values()].flatMap((found) => {
      const merged = found.length < fields.length ? null : mergeInput(found, found, facts)
      return merged === null ? [] : [merged]
    }),
  }
}

const NONE: readonly never[] = []

function mergeInput(
  declarations: readonly Declared<InputModel>[],
  giving: readonly Declared<InputModel>[],
  { subtypes }: MergeFacts,
): MergedInput | null {
  const [first] = declarations
  if (first === undefined) return null
  const type =
    narrowest(
      declarations.map(({ model }) => model.type),
      subtypes,
    ) ?? first.model.type
  const isDefault = giving.every(({ model }) => model.defaultValue !== null)
  const differs = declarations.some(({ model }) => model.type !== type)
  return {
    ...mergeHead(declarations),
    type,
    defaultValue: isDefault ? (giving[0]?.model.defaultValue ?? null) : null,
    joins: differs
      ? declarations.map(({ at, model }) => ({ at, type: model.type === type ? null : model.type }))
      : NONE,
  }
}
