/**
 * Hint: a `@provides` names fields that their owners do not share. Other composers refuse it, since two
 * subgraphs resolve the field then.
 */
import { Kind, type SelectionSetNode } from 'graphql'
import { graphFinding, type Finding } from '../findings/finding.ts'
import type { Graph } from '../graph/graph.ts'
import type { Declared } from '../graph/declared.ts'
import type { FieldModel, FieldsType, TypeModel } from '../model/model.ts'
import { hasFields } from '../graph/declarations.ts'
import { namedTypeOf } from '../model/names.ts'
import { keyNames } from './key-names.ts'
import { atName } from './places.ts'

/** Finds such provisions in fields of the type. */
export function* provisions(graph: Graph, owners: Owners, name: string): Iterable<Finding> {
  for (const { at, model: type } of graph.types.get(name).filter(hasFields))
    for (const field of type.fields.values())
      if (field.provides !== null) yield* ofProvision(graph, owners, { at, type: type.name, field })
}

type Provision = { readonly at: number; readonly type: string; readonly field: FieldModel }

function* ofProvision(graph: Graph, owners: Owners, { at, type, field }: Provision): Iterable<Finding> {
  if (field.provides === null) return
  const provided = new Map<string, ProvidedField>()
  const typeIn = (name: string) => graph.types.in(at, name)
  gatherProvided(typeIn, namedTypeOf(field.type), field.provides.set, provided)
  for (const [coordinate, one] of provided) {
    const others = owners.of(one).filter((owner) => owner.at !== at)
    if (others.length === 0) continue
    const facts = {
      field: `${type}.${field.name}`,
      subgraph: at,
      provided: coordinate,
      owners: others.map((owner) => owner.at),
    }
    yield graphFinding('PROVIDED_FIELD_NOT_SHAREABLE', facts, [
      ...others.map((owner) => atName(owner, { kind: 'not-shareable' })),
      { subgraph: at, node: field.provides.node, label: { kind: 'provided' } },
    ])
  }
}

/** A field that a selection names. */
type ProvidedField = { readonly type: string; readonly field: string }

/** Gathers the external fields that a selection on a type names, by their coordinates. */
function gatherProvided(
  typeIn: (name: string) => TypeModel | undefined,
  typeName: string,
  set: SelectionSetNode,
  found: Map<string, ProvidedField>,
): void {
  const type = typeIn(typeName)
  for (const node of set.selections) {
    if (node.kind === Kind.INLINE_FRAGMENT)
      gatherProvided(typeIn, node.typeCondition?.name.value ?? typeName, node.selectionSet, found)
    if (node.kind !== Kind.FIELD || (type?.kind !== 'object' && type?.kind !== 'interface')) continue
    const field = type.fields.get(node.name.value)
    if (field === undefined) continue
    if (field.isExternal) found.set(`${typeName}.${field.name}`, { type: typeName, field: field.name })
    if (node.selectionSet !== undefined)
      gatherProvided(typeIn, namedTypeOf(field.type), node.selectionSet, found)
  }
}

const MOST_OWNERS = 20

/**
 * Looks up the subgraphs that resolve a field and do not share it. They are told up to a limit: with more
 * than one of them the graph does not compose anyway.
 */
export class Owners {
  readonly #graph: Graph
  readonly #known = new Map<string, readonly Declared<FieldModel>[]>()

  constructor(graph: Graph) {
    this.#graph = graph
  }

  /** The declarations of these subgraphs. */
  of({ type, field }: ProvidedField): readonly Declared<FieldModel>[] {
    const declarations = this.#graph.types.get(type)
    const coordinate = `${type}.${field}`
    let found = this.#known.get(coordinate)
    if (found === undefined) {
      found = this.#find(declarations, field)
      this.#known.set(coordinate, found)
    }
    return found
  }

  #find(declarations: readonly Declared<TypeModel>[], field: string): readonly Declared<FieldModel>[] {
    const found: Declared<FieldModel>[] = []
    for (const { at, model } of declarations) {
      // In Federation 1 every field may be shared, and fields of interfaces are not resolved by themselves.
      if (model.kind !== 'object' || this.#graph.subgraphs[at]?.minor === null) continue
      const owned = model.fields.get(field)
      if (owned !== undefined && isUnshared(model, owned)) found.push({ at, model: owned })
      if (found.length === MOST_OWNERS) break
    }
    return found
  }
}

function isUnshared(type: FieldsType, { name, isExternal, isShareable }: FieldModel): boolean {
  return !isExternal && !isShareable && !keyNames(type).has(name)
}
