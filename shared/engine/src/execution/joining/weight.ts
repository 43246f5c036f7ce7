/**
 * How large a response is, or a part of one, about: values of JSON, of which sixteen characters count for one. Whoever writes it
 * learns from this whether that takes long, without looking at all of it.
 */
import { JsonText } from '../../json/json-text.ts'
import type { ObjectShape, Plan, ShapeNode } from '../../plan/plan.ts'

export const CHARACTERS_PER_VALUE_BITS = 4

/** Messages and extensions of subgraphs are cut to some kilobytes. */
const VALUES_PER_ERROR = 100

/** Fields may be nested so deep, and a path may name each of them. */
const VALUES_PER_PATH = 64

export type Contents = {
  /** What completion came to. */
  readonly values: number
  readonly errors: number
  /** Entries with a path: of objects, and of announced and completed fragments. */
  readonly paths?: number
}

/** `keyWeight`: of the longest response key. */
export function weightOf(keyWeight: number, { values, errors, paths = 0 }: Contents): number {
  return (values + (errors + paths) * VALUES_PER_PATH) * keyWeight + errors * VALUES_PER_ERROR
}

/** Values that one response key counts for, at most: clients choose response keys as long as they like. */
export function keyWeightOf({ shape }: Plan): number {
  let longest = 0
  const seen = new Set<ObjectShape>()
  const visit = (node: ShapeNode): void => {
    if (node.kind === 'list') return visit(node.item)
    if (node.kind === 'leaf' || seen.has(node)) return
    seen.add(node)
    for (const field of node.cases.flatMap(({ fields }) => fields)) {
      longest = Math.max(longest, field.key.length)
      if (field.kind === 'field') visit(field.node)
    }
  }
  visit(shape)
  return 1 + (longest >> CHARACTERS_PER_VALUE_BITS)
}

/** Of a value that is text already, or a small one. */
export function weightOfText(value: unknown): number {
  return value instanceof JsonText ? value.text.length >> CHARACTERS_PER_VALUE_BITS : 0
}
