/** Random answers in parts, as a router sends them: each part is announced before it comes. */
import type { StreamPart } from '@switchyard/incremental-delivery'
import * as fc from 'fast-check'

const scalar = fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.constant(null))
const record = fc.dictionary(fc.stringMatching(/^[a-z]{1,3}$/), scalar, { minKeys: 1, maxKeys: 3 })

/** Each response has a list of objects, to some of which parts are added in a random order. */
export function deferredResponses(): fc.Arbitrary<readonly StreamPart[]> {
  return fc
    .array(fc.record({ now: record, later: fc.option(record), at: fc.integer() }), { maxLength: 5 })
    .map((items) => {
      const later = items
        .map(({ later: data, at }, index) => ({ id: String(index), data, at }))
        .filter(
          (item): item is { id: string; data: Record<string, string>; at: number } => item.data !== null,
        )
      const pending = later.map(({ id }) => ({ id, path: ['items', Number(id)] }))
      const first = { data: { items: items.map(({ now }) => now) }, pending, hasNext: later.length > 0 }
      const rest = later
        .toSorted((one, other) => one.at - other.at)
        .map(({ id, data }, index) => ({
          // Names of its own: what is added stands nowhere yet.
          incremental: [
            { id, data: Object.fromEntries(Object.entries(data).map(([key, value]) => [`x${key}`, value])) },
          ],
          completed: [{ id }],
          hasNext: index < later.length - 1,
        }))
      return [first, ...rest]
    })
}
