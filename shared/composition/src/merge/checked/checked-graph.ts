/** A graph as the rules about several subgraphs read it: what subgraphs declare, and what is made of it. */
import type { Finding } from '../../findings/finding.ts'
import type { EnumType, FieldsType, InputType } from '../../model/model.ts'
import { isExternal } from '../merge-field.ts'
import { type Graph } from '../graph.ts'
import type {
  Declared,
  MergedEnum,
  MergedField,
  MergedFieldsType,
  MergedGraph,
  MergedHead,
  MergedInputType,
} from '../merged.ts'
import { declarationsOfKind, declaredFields, hasFields, type FieldDeclaration } from '../declarations.ts'

/** The declarations of a graph, with its merged types. */
export type CheckedGraph = Graph & {
  readonly merged: MergedGraph
  readonly objects: readonly CheckedFieldsType[]
  readonly interfaces: readonly CheckedFieldsType[]
  readonly inputs: ReadonlyMap<string, CheckedType<InputType, MergedInputType>>
  readonly enums: ReadonlyMap<string, CheckedType<EnumType, MergedEnum>>
}

/** One rule about a graph. */
export type GraphRule = (graph: CheckedGraph) => Iterable<Finding>

/** A type with its declarations in the order of the subgraphs. */
export type CheckedType<Model, Merged> = {
  readonly name: string
  readonly declarations: readonly Declared<Model>[]
  readonly merged: Merged
}

/** An object type or an interface. The declarations of an interface may be interface objects. */
export type CheckedFieldsType = CheckedType<FieldsType, MergedFieldsType> & {
  readonly fields: ReadonlyMap<string, CheckedField>
}

/** A field with its declarations. */
export type CheckedField = {
  /** `Product.price` */
  readonly coordinate: string
  readonly name: string
  readonly declarations: readonly FieldDeclaration[]
  /** The declarations of subgraphs that resolve the field themselves. */
  readonly resolving: readonly FieldDeclaration[]
  /** Null for a field that nobody resolves and nobody needs. */
  readonly merged: MergedField | null
}

/** Puts the declarations beside the merged types. */
export function readCheckedGraph(graph: Graph, merged: MergedGraph): CheckedGraph {
  const objects: CheckedFieldsType[] = []
  const interfaces: CheckedFieldsType[] = []
  const inputs = new Map<string, CheckedType<InputType, MergedInputType>>()
  const enums = new Map<string, CheckedType<EnumType, MergedEnum>>()
  for (const type of merged.types.values()) {
    const { name } = type
    const all = graph.types.get(name) ?? []
    if (type.kind === 'object' || type.kind === 'interface') {
      const declarations = all.filter(hasFields)
      const fields = readFields(type, declarations, graph)
      const list = type.kind === 'object' ? objects : interfaces
      list.push({ name, declarations, merged: type, fields })
    }
    if (type.kind === 'input')
      inputs.set(name, { name, declarations: declarationsOfKind(all, 'input'), merged: type })
    if (type.kind === 'enum')
      enums.set(name, { name, declarations: declarationsOfKind(all, 'enum'), merged: type })
  }
  return { ...graph, merged, objects, interfaces, inputs, enums }
}

function readFields(
  type: MergedFieldsType,
  all: readonly Declared<FieldsType>[],
  { facts }: Graph,
): ReadonlyMap<string, CheckedField> {
  const merged = new Map(type.fields.map((field) => [field.name, field]))
  const found = new Map<string, CheckedField>()
  for (const [name, declarations] of declaredFields(all)) {
    const resolving = declarations.filter((one) => !isExternal(one, declarations, facts))
    const coordinate = `${type.name}.${name}`
    found.set(name, { coordinate, name, declarations, resolving, merged: merged.get(name) ?? null })
  }
  return found
}

/** True if clients do not see it. */
export function isHidden({ applied }: Pick<MergedHead, 'applied'>): boolean {
  return applied.isInaccessible
}
