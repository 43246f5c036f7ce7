import type { FetchId, PositionId, TypeId } from '../../ids/ids.ts'
import type {
  Fetch,
  FetchPart,
  ObjectShape,
  Plan,
  Position,
  RepresentationCase,
  RepresentationInput,
  ShapeField,
  ShapeNode,
} from '../../plan/contract/plan.ts'
import { keyWeightOf } from './response-weight.ts'

/** Look-ups derived from a plan, the same for every request that uses it. */
export type PreparedPlan = {
  readonly plan: Plan
  /** The fetches that wait for each fetch. */
  readonly dependents: readonly (readonly FetchId[])[]
  /** The inputs of all fetches, from which representations are made. */
  readonly inputs: readonly { readonly fetch: Fetch; readonly input: RepresentationInput }[]
  /** The positions directly below each position. */
  readonly children: readonly (readonly Position[])[]
  /**
   * The shapes that describe the client's fields of each position. There are several when fields were split
   * by type above.
   */
  readonly shapes: readonly (readonly ObjectShape[])[]
  /** The number of lists around each position's objects according to the schema. */
  readonly listDepths: readonly number[]
  /** The weight of the longest response key, see `weightOf`. */
  readonly keyWeight: number
  /** The request body of each fetch up to its first variable. */
  readonly bodyPrefixes: readonly string[]
  /**
   * The first of several parts that ask about the same objects by the same keys, for each such part. These
   * parts send the same representations.
   */
  readonly alike: ReadonlyMap<EntitiesPart, EntitiesPart>
}

/** An `_entities` field of a fetch. */
export type EntitiesPart = Extract<FetchPart, { readonly kind: 'entities' }>

const prepared = new WeakMap<Plan, PreparedPlan>()

/** Computed once per plan. */
export function preparePlan(plan: Plan): PreparedPlan {
  const known = prepared.get(plan)
  if (known !== undefined) return known
  const dependents: FetchId[][] = plan.fetches.map(() => [])
  for (const fetch of plan.fetches) for (const id of fetch.after) dependents[id]?.push(fetch.id)
  const inputs = plan.fetches.flatMap((fetch) =>
    fetch.parts.flatMap((part) =>
      part.kind === 'entities' ? part.inputs.map((input) => ({ fetch, input })) : [],
    ),
  )
  const children: Position[][] = plan.positions.map(() => [])
  for (const position of plan.positions) children[position.parent]?.push(position)
  const shapes: ObjectShape[][] = plan.positions.map(() => [])
  const listDepths: number[] = plan.positions.map(() => 0)
  collectShapes(plan.shape, shapes, listDepths, new Set())
  const bodyPrefixes = plan.fetches.map(({ document, operationName }) => {
    const name = operationName === null ? '' : `,"operationName":${JSON.stringify(operationName)}`
    return `{"query":${JSON.stringify(document)}${name},"variables":{`
  })
  const alike = partsAlike(plan)
  const keyWeight = keyWeightOf(plan)
  const result = { plan, dependents, inputs, children, shapes, listDepths, keyWeight, bodyPrefixes, alike }
  prepared.set(plan, result)
  return result
}

/**
 * Only where the types of the objects are known from the plan: those that subgraphs tell may be known to the
 * later of two fetches, and not to the earlier.
 */
function partsAlike({ fetches, positions }: Plan): ReadonlyMap<EntitiesPart, EntitiesPart> {
  const alike = new Map<EntitiesPart, EntitiesPart>()
  const firsts = new Map<string, EntitiesPart>()
  const isTyped = (at: PositionId, cases: readonly RepresentationCase[]): boolean =>
    positions[at]?.objectType !== null &&
    cases.every(({ fields }) =>
      fields.every((field) => field.kind === 'leaf' || isTyped(field.position, field.cases)),
    )
  for (const part of fetches.flatMap(({ parts }) => parts)) {
    if (part.kind === 'root' || !part.inputs.every(({ at, cases }) => isTyped(at, cases))) continue
    const asked = JSON.stringify(part.inputs.map(({ at, cases }) => [at, cases]))
    const first = firsts.get(asked)
    if (first === undefined) firsts.set(asked, part)
    else alike.set(first, first).set(part, first)
  }
  return alike
}

/**
 * Cases of a shape may share what is below them, so a walk that does not know where it was is exponential in
 * the depth.
 */
function collectShapes(
  shape: ObjectShape,
  into: ObjectShape[][],
  listDepths: number[],
  seen: Set<ObjectShape>,
): void {
  if (seen.has(shape)) return
  seen.add(shape)
  into[shape.position]?.push(shape)
  for (const { fields } of shape.cases) {
    for (const field of fields) {
      if (field.kind !== 'field') continue
      const node = objectIn(field.node)
      if (node === null) continue
      listDepths[node.position] = listDepth(field.node)
      collectShapes(node, into, listDepths, seen)
    }
  }
}

/** The shape of the objects in a value; null if it has leaves. */
export function objectIn(node: ShapeNode): ObjectShape | null {
  let inner = node
  while (inner.kind === 'list') inner = inner.item
  return inner.kind === 'object' ? inner : null
}

/** How many lists are around the objects or leaves of a value. */
export function listDepth(node: ShapeNode): number {
  return node.kind === 'list' ? 1 + listDepth(node.item) : 0
}

/** The fields that the client selected on an object of this runtime type. */
export function fieldsFor(shape: ObjectShape, type: TypeId): readonly ShapeField[] {
  for (const { types, fields } of shape.cases) if (types === null || types.includes(type)) return fields
  return []
}

/** Whether the client can tell the runtime type of an object, by `__typename` or by the fields it has. */
export function showsType({ cases: [only, ...others] }: ObjectShape): boolean {
  if (only === undefined || others.length > 0 || only.types !== null) return true
  return only.fields.some(({ kind }) => kind === 'typename')
}

/** Fields of a position that may be on an object of this type; of any type where it is not known (-1). */
export function possibleFields(
  plan: PreparedPlan,
  position: PositionId,
  type: TypeId,
): readonly ShapeField[] {
  return (plan.shapes[position] ?? []).flatMap((shape) =>
    type < 0 ? shape.cases.flatMap(({ fields }) => fields) : fieldsFor(shape, type),
  )
}
