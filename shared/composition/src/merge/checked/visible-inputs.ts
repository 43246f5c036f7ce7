/** The arguments and input fields that the merged graph has, apart from those of hidden types and fields. */
import type { InputModel } from '../../model/model.ts'
import type { Declared, MergedInput } from '../merged.ts'
import { isHidden, type CheckedField, type CheckedFieldsType, type CheckedGraph } from './checked-graph.ts'

/** An argument of a visible field, or a field of a visible input type. It may be hidden itself. */
export type InputOfVisible = {
  /** `Query.product(id:)` or `Filter.name`. */
  readonly coordinate: string
  readonly merged: MergedInput
  /** Reads the declarations of the subgraphs that have it. */
  readonly declarations: () => readonly Declared<InputModel>[]
}

/** The arguments of the fields of these types that are seen. */
export function* argumentsOf(types: readonly CheckedFieldsType[]): Iterable<InputOfVisible> {
  for (const { fields, merged } of types)
    if (!isHidden(merged)) for (const field of fields.values()) yield* argumentsOfField(field)
}

function* argumentsOfField({ coordinate, declarations, merged }: CheckedField): Iterable<InputOfVisible> {
  if (merged === null || isHidden(merged)) return
  for (const one of merged.arguments)
    yield {
      coordinate: `${coordinate}(${one.name}:)`,
      merged: one,
      declarations: () =>
        declarations.flatMap(({ at, model }) => declared(at, model.arguments.get(one.name))),
    }
}

/** The fields of input types that are seen. */
export function* inputFieldsOf({ inputs }: CheckedGraph): Iterable<InputOfVisible> {
  for (const { name, declarations, merged } of inputs.values())
    for (const one of isHidden(merged) ? [] : merged.fields)
      yield {
        coordinate: `${name}.${one.name}`,
        merged: one,
        declarations: () => declarations.flatMap(({ at, model }) => declared(at, model.fields.get(one.name))),
      }
}

function declared(at: number, model: InputModel | undefined): readonly Declared<InputModel>[] {
  return model === undefined ? [] : [{ at, model }]
}
