/**
 * Which known limit of stitching a wrong answer of the stitched gateway belongs to.
 *
 * This only names a mistake that was already shown to be the stitched gateway's: one server with the same values has
 * answered as the engine did. Hence it may look at what the question touches, and need not find the cause.
 */
import type { CompiledType, Graph, Plan, Sel } from '@switchyard/engine'
import type { ResponsePath, StitchingLimitId } from '@switchyard/second-opinion'
import { fieldsAt, type ResponseField } from './response-fields.ts'

export type LimitOf = (plan: Plan, path: ResponsePath) => StitchingLimitId | null

export function limitFinder(graph: Graph): LimitOf {
  const { types, roots } = graph.compiled
  const typeOf = (id: number): CompiledType | undefined => types[id]
  const edgesOf = ({ parent, name }: ResponseField) => {
    const owners = [typeOf(parent), ...(typeOf(parent)?.interfaces ?? []).map(typeOf)]
    return owners.flatMap((owner) => owner?.fields.find((field) => field.name === name)?.edges ?? [])
  }
  const isAbstract = (type: CompiledType | undefined) => type?.kind === 'interface' || type?.kind === 'union'
  const named = ({ parent, name }: ResponseField) => {
    const field = typeOf(parent)?.fields.find((candidate) => candidate.name === name)
    let ref = field?.type
    while (ref?.kind === 'list') ref = ref.item
    return ref?.kind === 'named' ? typeOf(ref.type) : undefined
  }
  const isSplitValue = ({ parent }: ResponseField) => {
    const type = typeOf(parent)
    const isRoot = parent === roots.query || parent === roots.mutation
    return (
      type?.kind === 'object' &&
      !isRoot &&
      type.presence.length > 1 &&
      type.presence.some(({ keys }) => keys.length === 0)
    )
  }
  const isBehindInterfaceObject = ({ parent }: ResponseField) => {
    const type = typeOf(parent)
    const owners = [type, ...(type?.interfaces ?? []).map(typeOf)]
    return owners.some((owner) => owner?.presence.some(({ interfaceObject }) => interfaceObject))
  }
  const requires = (field: ResponseField) => edgesOf(field).flatMap((edge) => edge.requires ?? [])
  const requiresAbstract = (field: ResponseField) =>
    requires(field).some(({ sel }) => hasFragments(sel) || crossesAbstract(typeOf(field.parent), sel))
  const crossesAbstract = (type: CompiledType | undefined, sel: Sel): boolean =>
    type !== undefined &&
    sel.some((item) => {
      if (item.kind === 'on') return true
      if (item.sub === null) return false
      const target = named({ parent: type.id, name: item.name })
      return isAbstract(target) || crossesAbstract(target, item.sub)
    })
  const isSharedMutation = (field: ResponseField) =>
    field.parent === roots.mutation && edgesOf(field).length > 1
  const isKeyedByLists = ({ parent }: ResponseField) => {
    const type = typeOf(parent)
    return type?.presence.some(({ keys }) => keys.some(({ sel }) => holdsList(type, sel))) === true
  }
  const holdsList = (type: CompiledType | undefined, sel: Sel): boolean =>
    type !== undefined &&
    sel.some((item) => {
      if (item.kind === 'on') return holdsList(typeOf(item.type), item.sub)
      if (item.sub === null) return false
      const ref = type.fields.find((field) => field.name === item.name)?.type
      return ref?.kind === 'list' || holdsList(named({ parent: type.id, name: item.name }), item.sub)
    })
  const isProvided = (field: ResponseField) =>
    edgesOf(field).some((edge) => edge.provides !== null || edge.external)

  const rules: readonly (readonly [StitchingLimitId, (field: ResponseField) => boolean])[] = [
    ['abstract-requires', requiresAbstract],
    ['interface-objects', isBehindInterfaceObject],
    ['requires-detours', (field) => requires(field).length > 0],
    ['provides', isProvided],
    ['values-below-entities', isSplitValue],
    ['shared-mutations', isSharedMutation],
    ['keys-with-lists', isKeyedByLists],
    ['abstract-nulls', (field) => isAbstract(named(field)) || isAbstract(typeOf(field.parent))],
  ]
  return (plan, path) => {
    const { along, below } = fieldsAt(plan, path)
    // What is nearest to the place says most about it.
    for (const fields of [along.slice(-1), below, along]) {
      for (const [limit, applies] of rules) if (fields.some(applies)) return limit
    }
    return null
  }
}

function hasFragments(sel: Sel): boolean {
  return sel.some((item) => item.kind === 'on' || (item.sub !== null && hasFragments(item.sub)))
}
