/** Finds the fields on and below a path of the response, and the fetches that gave their values. */
import type { FetchId, Plan, ShapeField, ShapeNode, TypeId } from '@switchyard/engine'
import type { ResponsePath } from '@switchyard/second-opinion'

/** A field by the type that it is selected on. */
export type ResponseField = { readonly parent: TypeId; readonly name: string }

/** The fields that a value of the response is made of. */
export type FieldsAt = {
  /**
   * The fields from the root to the path. One key has several fields if the runtime type decides which it is.
   */
  readonly along: readonly ResponseField[]
  /** The fields that the value at the path consists of. */
  readonly below: readonly ResponseField[]
  /** The fetches that give the last field of the path. Empty if the path is the root. */
  readonly fetches: readonly FetchId[]
}

/** The fields at a path, by the plan that the response is from. */
export function fieldsAt(plan: Plan, path: ResponsePath): FieldsAt {
  const along: ResponseField[] = []
  let nodes: readonly ShapeNode[] = [plan.shape]
  let last: readonly ShapeField[] = []
  for (const key of path) {
    if (typeof key === 'number') {
      nodes = nodes.flatMap((node) => (node.kind === 'list' ? [node.item] : []))
      continue
    }
    last = nodes.flatMap(objectFields).filter((field) => field.key === key)
    along.push(...last.flatMap(asField))
    nodes = last.flatMap((field) => (field.kind === 'field' ? [field.node] : []))
  }
  return {
    along,
    below: nodes.flatMap(fieldsBelow),
    fetches: [...new Set(last.flatMap((field) => (field.kind === 'field' ? [field.fetch] : [])))],
  }
}

function fieldsBelow(node: ShapeNode): readonly ResponseField[] {
  return objectFields(node).flatMap((field) => [
    ...asField(field),
    ...(field.kind === 'field' ? fieldsBelow(field.node) : []),
  ])
}

function objectFields(node: ShapeNode): readonly ShapeField[] {
  if (node.kind === 'list') return objectFields(node.item)
  return node.kind === 'object' ? node.cases.flatMap(({ fields }) => fields) : []
}

function asField(field: ShapeField): readonly ResponseField[] {
  return field.kind === 'field' ? [{ parent: field.parentType, name: field.name }] : []
}
