/**
 * Estimates the memory of a plan in bytes. The numbers were measured on plans of 1 to 1,200 fields, and are
 * right within a third.
 */
import type { ObjectShape, Plan } from '@switchyard/engine'

const PER_PLAN = 1000
const PER_FETCH = 1000
/** An input whose objects are sent as representations, with the data that execution keeps for it. */
const PER_INPUT = 1600
const PER_POSITION = 300
const PER_FIELD = 200
/** One fragment with `@defer`, with what its delivery keeps beside the plan. */
const PER_FRAGMENT = 2000

/** Bytes that a plan takes in memory, by estimate. */
export function planSize({ fetches, positions, shape, groups, introspection }: Plan): number {
  const documents = fetches.reduce((length, { document }) => length + document.length, 0)
  const parts = fetches.flatMap((fetch) => fetch.parts)
  const inputs = parts.reduce((count, part) => count + (part.kind === 'entities' ? part.inputs.length : 0), 0)
  return (
    PER_PLAN +
    PER_FETCH * fetches.length +
    // The document, and the request body that begins with it.
    2 * documents +
    (introspection?.document.length ?? 0) +
    PER_INPUT * inputs +
    PER_POSITION * positions.length +
    PER_FIELD * fieldCount(shape, new Set()) +
    // The first one is what is not deferred.
    PER_FRAGMENT * (groups.length - 1)
  )
}

/** Cases may share the shapes below them: those take their memory once. */
function fieldCount(shape: ObjectShape, counted: Set<ObjectShape>): number {
  if (counted.has(shape)) return 0
  counted.add(shape)
  let count = 0
  for (const { fields } of shape.cases) {
    count += fields.length
    for (const field of fields) {
      if (field.kind !== 'field') continue
      let { node } = field
      while (node.kind === 'list') node = node.item
      if (node.kind === 'object') count += fieldCount(node, counted)
    }
  }
  return count
}
