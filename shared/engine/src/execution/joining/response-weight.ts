/**
 * The weight of a response, or of one part of it: about how many JSON values it holds, where sixteen
 * characters count as one more value. The weight tells the code that writes the response whether that takes
 * long, without reading all of it.
 */
import { CHARACTERS_PER_VALUE_BITS } from '../../json/json-weight.ts'
import type { ObjectShape, Plan, ShapeNode } from '../../plan/contract/plan.ts'

/**
 * An error with its message and extensions, both of which are cut to some kilobytes when they are received.
 */
const VALUES_PER_ERROR = 100

/** A response path of the greatest depth that an operation may have. */
const VALUES_PER_PATH = 64

/** The counted contents of a response, or of one part of it. */
export type ResponseContents = {
  /** The values of `data`, as `Completion.weight` counts them. */
  readonly values: number
  readonly errors: number
  /** Entries with a response path: announced and completed fragments, and objects with data. */
  readonly paths?: number
}

/** Returns the weight of a response. `keyWeight` is the weight of the longest response key of the plan. */
export function weightOf(keyWeight: number, { values, errors, paths = 0 }: ResponseContents): number {
  return (values + (errors + paths) * VALUES_PER_PATH) * keyWeight + errors * VALUES_PER_ERROR
}

/** The weight of the longest response key, at least 1: clients choose aliases as long as they like. */
export function keyWeightOf({ shape }: Plan): number {
  let longest = 0
  const seen = new Set<ObjectShape>()
  const visit = (node: ShapeNode): void => {
    if (node.kind === 'list') return visit(node.item)
    if (node.kind !== 'object' || seen.has(node)) return
    seen.add(node)
    for (const field of node.cases.flatMap(({ fields }) => fields)) {
      longest = Math.max(longest, field.key.length)
      if (field.kind === 'field') visit(field.node)
    }
  }
  visit(shape)
  return 1 + (longest >> CHARACTERS_PER_VALUE_BITS)
}
