import type { Fetch, RepresentationCase, RepresentationInput } from '../../plan/contract/plan.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { Occurrences } from '../joining/occurrences.ts'
import type { ResponseStore } from '../joining/response-store.ts'

/**
 * The objects that the representations of a fetch were made of, as subgraphs sent them. Several equal
 * representations are sent as one, and so the first of their objects stands for all.
 */
export function representationSources(
  fetch: Fetch,
  occurrences: Occurrences,
  store: ResponseStore,
): ReadonlyMap<string, readonly JsonObject[]> {
  const from = new Map<string, readonly JsonObject[]>()
  for (const part of fetch.parts) {
    if (part.kind === 'root') continue
    const objects: JsonObject[] = []
    for (const input of part.inputs) {
      const slots = slotsRead(input, occurrences)
      const link = store.linkOf(input.at, input.slot) ?? []
      // Representations are numbered in the order in which their first objects come.
      for (let occurrence = 0; occurrence < link.length; occurrence++)
        if (link[occurrence] === objects.length) objects.push(objectAt(input, occurrence, slots, occurrences))
    }
    from.set(part.variable, objects)
  }
  return from
}

/**
 * The slots that the representations are made of. Other slots are left out: whether they have answered yet is
 * chance.
 */
function slotsRead({ cases }: RepresentationInput, occurrences: Occurrences): readonly number[] {
  const slots = new Set([0])
  const read = ({ fields }: RepresentationCase): void => {
    for (const field of fields) {
      if (field.kind === 'leaf') slots.add(field.source.slot)
      else {
        const [provider] = occurrences.position(field.position).providers
        if (provider?.kind === 'inline') slots.add(provider.slot)
      }
    }
  }
  cases.forEach(read)
  return [...slots].sort((a, b) => a - b)
}

function objectAt(
  { at }: RepresentationInput,
  occurrence: number,
  slots: readonly number[],
  occurrences: Occurrences,
): JsonObject {
  const [slot = 0, otherSlot] = slots
  if (otherSlot === undefined) return occurrences.object(at, slot, occurrence) ?? {}
  const objects = slots
    .map((slot) => occurrences.object(at, slot, occurrence))
    .filter((object) => object !== null)
  const [only, second] = objects
  if (only !== undefined && second === undefined) return only
  // The first slot to have a member decides, and a member may be called `__proto__`.
  return Object.fromEntries(objects.toReversed().flatMap((object) => Object.entries(object)))
}
