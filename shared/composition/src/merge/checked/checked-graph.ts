/** A graph as the rules about several subgraphs read it: what subgraphs declare, and what is made of it. */
import type { Finding } from '../../findings/finding.ts'
import type { EnumType, FieldsType, InputType, SubgraphModel, TypeModel } from '../../model/model.ts'
import { isExternal } from '../merge-field.ts'
import type { MergeFacts } from '../../graph/facts.ts'
import type { Graph } from '../../graph/graph.ts'
import type { GraphTypes } from '../../graph/graph-types.ts'
import type { Declared } from '../../graph/declared.ts'
import {
  isFieldsType,
  type MergedEnum,
  type MergedField,
  type MergedFieldsType,
  type MergedGraph,
  type MergedHead,
  type MergedInputType,
  type MergedScalar,
  type MergedType,
  type MergedUnion,
} from '../merged.ts'
import {
  declarationsOfKind,
  declaredFields,
  hasFields,
  type FieldDeclaration,
} from '../../graph/declarations.ts'

/** One rule about a whole graph. */
export type GraphRule = (graph: CheckedGraph) => Iterable<Finding>

/**
 * One rule about a type. It learns of other types through the graph alone, so that it is known what its
 * findings depend on.
 */
export type TypeRule = (type: CheckedType, graph: CheckedGraph) => Iterable<Finding>

/** A type with its declarations in the order of the subgraphs. */
export type CheckedType = CheckedFieldsType | CheckedInput | CheckedEnum | CheckedUnion | CheckedScalar

type Checked<Model, Merged> = {
  readonly name: string
  readonly declarations: readonly Declared<Model>[]
  readonly merged: Merged
}

/** An object type or an interface. The declarations of an interface may be interface objects. */
export type CheckedFieldsType = Checked<FieldsType, MergedFieldsType> & {
  readonly kind: 'object' | 'interface'
  readonly fields: ReadonlyMap<string, CheckedField>
}
/** An input type. */
export type CheckedInput = Checked<InputType, MergedInputType> & { readonly kind: 'input' }
/** An enum. */
export type CheckedEnum = Checked<EnumType, MergedEnum> & { readonly kind: 'enum' }
/** A union. */
export type CheckedUnion = Checked<TypeModel, MergedUnion> & { readonly kind: 'union' }
/** A scalar. */
export type CheckedScalar = Checked<TypeModel, MergedScalar> & { readonly kind: 'scalar' }

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

/** Looks up types with what is made of them. Every look-up is noted as a read of the type. */
export class CheckedGraph {
  readonly subgraphs: readonly SubgraphModel[]
  readonly facts: MergeFacts
  readonly types: GraphTypes
  readonly merged: MergedGraph
  readonly #known = new Map<string, CheckedType | null>()

  constructor({ subgraphs, facts, types }: Graph, merged: MergedGraph) {
    this.subgraphs = subgraphs
    this.facts = facts
    this.types = types
    this.merged = merged
  }

  /** The type; null if there is none, or if nothing is left of it. */
  type(name: string): CheckedType | null {
    const declarations = this.types.get(name)
    let found = this.#known.get(name)
    if (found === undefined) {
      found = this.#read(name, declarations)
      this.#known.set(name, found)
    }
    return found
  }

  /** The merged type. */
  mergedType(name: string): MergedType | undefined {
    this.types.of(name)
    return this.merged.types.get(name)
  }

  /** The interface of this name. */
  interface(name: string): CheckedFieldsType | null {
    const found = this.type(name)
    return found?.kind === 'interface' ? found : null
  }

  #read(name: string, all: readonly Declared<TypeModel>[]): CheckedType | null {
    const merged = this.merged.types.get(name)
    if (merged === undefined) return null
    if (isFieldsType(merged)) {
      const declarations = all.filter(hasFields)
      const fields = readFields(merged, declarations, this.facts)
      return { kind: merged.kind, name, declarations, merged, fields }
    }
    if (merged.kind === 'input')
      return { kind: merged.kind, name, declarations: declarationsOfKind(all, 'input'), merged }
    if (merged.kind === 'enum')
      return { kind: merged.kind, name, declarations: declarationsOfKind(all, 'enum'), merged }
    if (merged.kind === 'union') return { kind: merged.kind, name, declarations: all, merged }
    return { kind: merged.kind, name, declarations: all, merged }
  }
}

function readFields(
  type: MergedFieldsType,
  all: readonly Declared<FieldsType>[],
  facts: MergeFacts,
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

/** True for an object type or an interface. */
export function isChecked(type: CheckedType | null): type is CheckedFieldsType {
  return type?.kind === 'object' || type?.kind === 'interface'
}

/** True if clients do not see it. */
export function isHidden({ applied }: Pick<MergedHead, 'applied'>): boolean {
  return applied.isInaccessible
}
