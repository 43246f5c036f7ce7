/**
 * Rule: who may see a field may see what it requires. Otherwise the value of a protected field would come to
 * somebody who may not see it.
 */
import { Kind, type FieldNode, type SelectionSetNode } from 'graphql'
import { graphFinding, type Finding, type GraphPlace } from '../../../findings/finding.ts'
import { namedTypeOf } from '../../../model/names.ts'
import { addAccess } from '../../access.ts'
import type { MergedAccess, MergedField, MergedType } from '../../merged.ts'
import type { CheckedField, CheckedFieldsType, CheckedGraph, TypeRule } from '../../checked/checked-graph.ts'
import { appliedAt } from '../../checked/places.ts'

/** Finds fields with `@requires` that demand less than what they require. */
export const requiredAccess: TypeRule = function* requiredAccess(type, graph) {
  if (type.kind !== 'object') return
  const walk = new Walk(graph)
  for (const field of type.fields.values()) {
    const requiring = field.declarations.filter(({ model }) => model.requires !== null)
    if (requiring.length > 0 && field.merged !== null) yield* checkField(walk, type, field, field.merged)
  }
}

function* checkField(
  walk: Walk,
  type: CheckedFieldsType,
  { coordinate, declarations }: CheckedField,
  merged: MergedField,
): Iterable<Finding> {
  const granted = addAccess(type.merged.applied.access, merged.applied.access)
  for (const one of declarations) {
    const { requires } = one.model
    if (requires === null) continue
    const lacking = walk.findLacking(requires.set, type.merged, granted)
    if (lacking === null) continue
    const places = [...appliedAt(one, 'requires'), ...walk.protections(lacking)]
    yield graphFinding(
      'MISSING_TRANSITIVE_AUTH_REQUIREMENTS',
      { field: coordinate, at: one.at, required: lacking },
      places,
    )
    return
  }
}

type Level = { readonly set: SelectionSetNode; readonly type: MergedType }

/** Walks selections over the merged graph. */
class Walk {
  readonly #graph: CheckedGraph
  readonly #fields = new Map<string, ReadonlyMap<string, MergedField>>()

  constructor(graph: CheckedGraph) {
    this.#graph = graph
  }

  /** The first type or field of a selection that demands more than is granted: `T` or `T.x`. */
  findLacking(selection: SelectionSetNode, start: MergedType, granted: MergedAccess): string | null {
    // A list of its own instead of recursion: selections of strangers may be nested deeply.
    const left: Level[] = [{ set: selection, type: start }]
    for (let level = left.pop(); level !== undefined; level = left.pop()) {
      const { set, type } = level
      if (!isGranted(type, granted)) return type.name
      const inner: Level[] = []
      for (const node of set.selections) {
        if (node.kind === Kind.INLINE_FRAGMENT) {
          const target = this.#type(node.typeCondition?.name.value ?? type.name)
          if (target !== undefined) inner.push({ set: node.selectionSet, type: target })
        }
        if (node.kind !== Kind.FIELD || node.name.value === '__typename') continue
        const lacking = this.#enter(node, type, granted, inner)
        if (lacking !== null) return lacking
      }
      left.push(...inner.toReversed())
    }
    return null
  }

  #enter(node: FieldNode, type: MergedType, granted: MergedAccess, inner: Level[]): string | null {
    const field = this.#field(type, node.name.value)
    if (field === undefined) return null
    const returned = this.#type(namedTypeOf(field.type))
    const isAllowed = isGranted(field, granted) && (returned === undefined || isGranted(returned, granted))
    if (!isAllowed) return `${type.name}.${field.name}`
    if (node.selectionSet !== undefined && returned !== undefined)
      inner.push({ set: node.selectionSet, type: returned })
    return null
  }

  #type(name: string): MergedType | undefined {
    return this.#graph.mergedType(name)
  }

  #field(type: MergedType, name: string): MergedField | undefined {
    if (type.kind !== 'object' && type.kind !== 'interface') return undefined
    let fields = this.#fields.get(type.name)
    if (fields === undefined) {
      fields = new Map(type.fields.map((field) => [field.name, field]))
      this.#fields.set(type.name, fields)
    }
    return fields.get(name)
  }

  /** The places of the directives that protect a type or a field. */
  protections(coordinate: string): readonly GraphPlace[] {
    const [type = '', field] = coordinate.split('.')
    return this.#graph.types.get(type).flatMap(({ at, model }) => {
      if (field === undefined) return PROTECTIONS.flatMap((name) => appliedAt({ at, model }, name))
      const found =
        model.kind === 'object' || model.kind === 'interface' ? model.fields.get(field) : undefined
      return found === undefined ? [] : PROTECTIONS.flatMap((name) => appliedAt({ at, model: found }, name))
    })
  }
}

const PROTECTIONS = ['authenticated', 'requiresScopes', 'policy'] as const

type Protected = { readonly applied: { readonly access: MergedAccess } }

/** Each alternative that is demanded has to be among what is granted together. */
function isGranted({ applied: { access } }: Protected, granted: MergedAccess): boolean {
  if (access.isAuthenticated && !granted.isAuthenticated) return false
  const isCovered = (demanded: readonly string[], given: MergedAccess['scopes']) =>
    given.some((one) => demanded.every((name) => one.includes(name)))
  return (
    access.scopes.every((one) => isCovered(one, granted.scopes)) &&
    access.policies.every((one) => isCovered(one, granted.policies))
  )
}
