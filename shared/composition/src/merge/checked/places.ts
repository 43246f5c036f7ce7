/** The places of what several subgraphs declare. */
import type { ASTNode, NameNode, TypeNode } from 'graphql'
import type { Label } from '../../catalogue/labels.ts'
import type { GraphPlace } from '../../findings/finding.ts'
import type { Applied, TypeModel } from '../../model/model.ts'
import { appliedTo } from '../../model/read-types.ts'
import type { Declared } from '../../graph/declared.ts'

/** The place of a node in the subgraph at a position. */
export function place(subgraph: number, node: ASTNode, label?: Label): GraphPlace {
  return label === undefined ? { subgraph, node } : { subgraph, node, label }
}

/** The names of a type, at its definition and its extensions in one subgraph. */
export function namesOf({ at, model }: Declared<TypeModel>, label?: Label): readonly GraphPlace[] {
  return model.parts.map(({ name }) => place(at, name, label))
}

/** The first of these names. An extension says no more about what is missing. */
export function firstNameOf(one: Declared<TypeModel>, label?: Label): readonly GraphPlace[] {
  return namesOf(one, label).slice(0, 1)
}

type Named = { readonly applied: readonly Applied[]; readonly node: { readonly name: NameNode } }

/** The name of a field, an argument, an input field or an enum value. */
export function nameOf({ at, model }: Declared<Named>, label?: Label): GraphPlace {
  return place(at, model.node.name, label)
}

/** The type that a field, an argument or an input field has in one subgraph: `Int here`. */
export function typeOf(
  { at, model }: Declared<{ readonly type: string; readonly node: { readonly type: TypeNode } }>,
  isExternal: boolean,
): GraphPlace {
  return place(at, model.node.type, { kind: 'type', type: model.type, isExternal })
}

/** The application of a directive, if there is one. */
export function appliedAt(
  { at, model }: Declared<{ readonly applied: readonly Applied[] }>,
  directive: string,
  label?: Label,
): readonly GraphPlace[] {
  const node = appliedTo(model.applied, directive)
  return node === undefined ? [] : [place(at, node, label)]
}

/** The application of a directive, or the name of a declaration that does not have it. */
export function appliedOrName(one: Declared<Named>, directive: string): GraphPlace {
  return appliedAt(one, directive)[0] ?? nameOf(one)
}
