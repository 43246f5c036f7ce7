/** Gathers what subgraphs declare of one type, by kind and by name. */
import type { FieldModel, FieldsType, TypeModel } from '../model/model.ts'
import type { Declared } from './declared.ts'

/** A field with the type that it stands in. */
export type FieldDeclaration = Declared<FieldModel> & { readonly type: FieldsType }

/** True for a declaration of an object type or an interface. */
export function hasFields(one: Declared<TypeModel>): one is Declared<FieldsType> {
  return one.model.kind === 'object' || one.model.kind === 'interface'
}

/** The declarations of one kind. */
export function declarationsOfKind<Kind extends TypeModel['kind']>(
  declarations: readonly Declared<TypeModel>[],
  kind: Kind,
): readonly Declared<Extract<TypeModel, { kind: Kind }>>[] {
  return declarations.filter(
    (one): one is Declared<Extract<TypeModel, { kind: Kind }>> => one.model.kind === kind,
  )
}

/** The declarations of each argument, or of each input field, in the order of the subgraphs. */
export function declarationsByName<Model>(
  declarations: readonly Declared<ReadonlyMap<string, Model>>[],
): ReadonlyMap<string, readonly Declared<Model>[]> {
  const found = new Map<string, Declared<Model>[]>()
  for (const { at, model: all } of declarations)
    for (const [name, model] of all) {
      const known = found.get(name)
      if (known === undefined) found.set(name, [{ at, model }])
      else known.push({ at, model })
    }
  return found
}

/** The declarations of each field of a type, in the order of the subgraphs. */
export function declaredFields(
  declarations: readonly Declared<FieldsType>[],
): ReadonlyMap<string, readonly FieldDeclaration[]> {
  const byName = new Map<string, FieldDeclaration[]>()
  for (const { at, model: type } of declarations)
    for (const [name, model] of type.fields) {
      const known = byName.get(name)
      if (known === undefined) byName.set(name, [{ at, model, type }])
      else known.push({ at, model, type })
    }
  return byName
}
