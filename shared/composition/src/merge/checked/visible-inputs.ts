/** The arguments and input fields that the merged graph has, apart from those of hidden types and fields. */
import type { InputModel } from '../../model/model.ts'
import type { Declared } from '../../graph/declared.ts'
import type { MergedInput } from '../merged.ts'
import {
  isHidden,
  isChecked,
  type CheckedField,
  type CheckedType,
  type CheckedInput,
} from './checked-graph.ts'

/** An argument of a visible field, or a field of a visible input type. It may be hidden itself. */
export type InputOfVisible = {
  /** `Query.product(id:)` or `Filter.name`. */
  readonly coordinate: string
  readonly merged: MergedInput
  /** Reads the declarations of the subgraphs that have it. */
  readonly declarations: () => readonly Declared<InputModel>[]
}

/** The arguments of fields that are seen, or the input fields, of a type that is seen. */
export function* visibleInputs(type: CheckedType): Iterable<InputOfVisible> {
  if (isHidden(type.merged)) return
  if (type.kind === 'input') yield* inputFieldsOf(type)
  if (isChecked(type)) for (const field of type.fields.values()) yield* argumentsOfField(field)
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

function* inputFieldsOf({ name, declarations, merged }: CheckedInput): Iterable<InputOfVisible> {
  for (const one of merged.fields)
    yield {
      coordinate: `${name}.${one.name}`,
      merged: one,
      declarations: () => declarations.flatMap(({ at, model }) => declared(at, model.fields.get(one.name))),
    }
}

function declared(at: number, model: InputModel | undefined): readonly Declared<InputModel>[] {
  return model === undefined ? [] : [{ at, model }]
}
