/** How declarations of one argument or input field differ between subgraphs. */
import { print } from 'graphql'
import type { InputModel } from '../../model/model.ts'
import type { GraphPlace } from '../../findings/finding.ts'
import type { Declared } from '../merged.ts'
import { nameOf, place } from './places.ts'

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

/** The defaults that subgraphs give, where these differ; null if they do not. */
export function defaultsOf(
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
