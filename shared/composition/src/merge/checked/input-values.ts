/** How declarations of one argument or input field differ between subgraphs. */
import { print } from 'graphql'
import type { InputModel } from '../../model/model.ts'
import { graphFinding, type Finding, type GraphPlace } from '../../findings/finding.ts'
import type { Declared } from '../../graph/declared.ts'
import { narrowest, type Subtypes } from '../../graph/type-texts.ts'
import { nameOf, place, typeOf } from './places.ts'

/** True for an argument or input field that has to be given. */
export function isRequired({ type, defaultValue }: Pick<InputModel, 'type' | 'defaultValue'>): boolean {
  return type.endsWith('!') && defaultValue === null
}

/** The place where a value is required. */
export function requiredAt({ at, model }: Declared<InputModel>): GraphPlace {
  return place(at, model.node.type, { kind: 'required' })
}

/** The declarations of a type or field in subgraphs that are not among others. */
export function missingAt<Model>(
  all: readonly Declared<Model>[],
  having: readonly Declared<unknown>[],
): readonly Declared<Model>[] {
  const known = new Set(having.map(({ at }) => at))
  return all.filter(({ at }) => !known.has(at))
}

/** Something that subgraphs say differently, with the subgraphs that say so. */
export type Told = { readonly text: string; readonly at: readonly number[] }

/** The types that subgraphs declare. */
export function typesOf(declared: readonly Declared<{ readonly type: string }>[]): readonly Told[] {
  return toldBy(declared, ({ type }) => type)
}

function toldBy<Model>(
  declared: readonly Declared<Model>[],
  textOf: (model: Model) => string,
): readonly Told[] {
  const groups = Map.groupBy(declared, ({ model }) => textOf(model))
  return [...groups].map(([text, found]) => ({ text, at: found.map(({ at }) => at) }))
}

/** The codes of arguments or of input fields that differ. */
type DifferenceCodes = {
  readonly type: 'FIELD_TYPE_MISMATCH' | 'FIELD_ARGUMENT_TYPE_MISMATCH'
  readonly default: 'INPUT_FIELD_DEFAULT_MISMATCH' | 'FIELD_ARGUMENT_DEFAULT_MISMATCH'
}

/** Finds types of one argument or input field that do not fit, and defaults that differ. */
export function* compareInputs(
  coordinate: string,
  declared: readonly Declared<InputModel>[],
  subtypes: Subtypes,
  codes: DifferenceCodes,
): Iterable<Finding> {
  const types = declared.map(({ model }) => model.type)
  if (narrowest(types, subtypes) === null) {
    const places = declared.map((one) => typeOf(one, false))
    yield graphFinding(codes.type, { coordinate, types: typesOf(declared) }, places)
  }
  const given = defaultsOf(declared)
  if (given !== null) yield graphFinding(codes.default, { coordinate, defaults: given.values }, given.places)
}

/** The defaults that subgraphs give, where these differ; null if they do not. */
function defaultsOf(
  declared: readonly Declared<InputModel>[],
): { readonly values: readonly Told[]; readonly places: readonly GraphPlace[] } | null {
  const giving = declared.filter(({ model }) => model.defaultValue !== null)
  if (giving.length < 2) return null
  const values = toldBy(giving, ({ defaultValue }) => (defaultValue === null ? '' : print(defaultValue)))
  if (values.length < 2) return null
  const places = declared.map((one) => {
    const { defaultValue } = one.model
    return defaultValue === null
      ? nameOf(one, { kind: 'no-default' })
      : place(one.at, defaultValue, { kind: 'default', value: print(defaultValue) })
  })
  return { values, places }
}
