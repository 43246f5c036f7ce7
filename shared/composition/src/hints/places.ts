/** The places that hints about several subgraphs point at. */
import type { NameNode } from 'graphql'
import type { Label } from '../catalogue/labels.ts'
import type { GraphPlace } from '../findings/finding.ts'
import type { Declared } from '../graph/declared.ts'
import type { FieldModel, InputModel, TypeModel } from '../model/model.ts'

/** The name of something that is declared. */
export function atName(
  { at, model }: Declared<{ readonly node: { readonly name: NameNode } }>,
  label: Label,
): GraphPlace {
  return { subgraph: at, node: model.node.name, label }
}

/** The name in the first definition of a type, or in its first extension if it has no definition. */
export function atTypeName({ at, model }: Declared<TypeModel>, label: Label): readonly GraphPlace[] {
  const part = model.parts.find(({ kind }) => kind.endsWith('Definition')) ?? model.parts[0]
  return part === undefined ? [] : [{ subgraph: at, node: part.name, label }]
}

/** The type of a field, an argument or an input field. */
export function atTypeReference({ at, model }: Declared<FieldModel | InputModel>): GraphPlace {
  const label = { kind: 'type', type: model.type, isExternal: false } as const
  return { subgraph: at, node: model.node.type, label }
}
