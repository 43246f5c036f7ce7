/**
 * Which fields tell the entities of a type apart, and how many of them can be told apart.
 *
 * An entity is a type and a number; every key follows from the number, so all keys of one entity agree
 * wherever it is reached. A key made of a Boolean tells two entities apart and no more, so such a type has
 * two; a key below another entity tells apart as many as there are of that one.
 */
import type { CompiledType, FieldSet } from '@switchyard/engine'
import type { GraphFacts } from './graph-facts.ts'

/** More would only be more of the same. */
const MOST_ENTITIES = 5

export type Keys = {
  /** The number of entities of an object type, by its name. */
  readonly counts: ReadonlyMap<string, number>
  /** Fields of object types, as `Type.field`, that are part of some key, at any depth. */
  readonly fields: ReadonlySet<string>
}

export function entityKeys(facts: GraphFacts): Keys {
  const fields = new Set<string>()
  const keysOf = new Map<string, FieldSet[]>()
  for (const type of facts.graph.types) {
    const keys = type.presence.flatMap((presence) => presence.keys.map(({ fieldSet: sel }) => sel))
    if (keys.length === 0) continue
    for (const id of type.possible) {
      const object = facts.type(id)
      keysOf.set(object.name, [...(keysOf.get(object.name) ?? []), ...keys])
      for (const key of keys) markFields(facts, object, key, fields)
    }
  }
  return { counts: countEntities(facts, keysOf), fields }
}

function markFields(facts: GraphFacts, type: CompiledType, sel: FieldSet, into: Set<string>): void {
  for (const item of facts.applying(sel, type)) {
    into.add(`${type.name}.${item.name}`)
    if (item.below === null) continue
    const target = facts.named(facts.declaredField(type, item.name).type)
    for (const id of target.possible) markFields(facts, facts.type(id), item.below, into)
  }
}

/** Counts as many entities as every key tells apart. It starts high and lowers the numbers until all fit. */
function countEntities(
  facts: GraphFacts,
  keysOf: ReadonlyMap<string, readonly FieldSet[]>,
): ReadonlyMap<string, number> {
  const counts = new Map([...keysOf.keys()].map((name) => [name, MOST_ENTITIES]))
  for (;;) {
    let lowered = false
    for (const [name, keys] of keysOf) {
      const told = Math.min(...keys.map((key) => toldApart(facts, facts.typeNamed(name), key, counts)))
      if (told >= (counts.get(name) ?? 0)) continue
      counts.set(name, told)
      lowered = true
    }
    if (!lowered) return counts
  }
}

function toldApart(
  facts: GraphFacts,
  type: CompiledType,
  sel: FieldSet,
  counts: ReadonlyMap<string, number>,
): number {
  const each = facts.applying(sel, type).map((item) => {
    const target = facts.named(facts.declaredField(type, item.name).type)
    const { below: sub } = item
    if (sub !== null) {
      const below = target.possible.map((id) => {
        const object = facts.type(id)
        return Math.min(counts.get(object.name) ?? MOST_ENTITIES, toldApart(facts, object, sub, counts))
      })
      return below.length === 0 ? 1 : Math.min(...below)
    }
    if (target.kind === 'enum') return Math.max(1, target.enumValues.length)
    return target.name === 'Boolean' ? 2 : MOST_ENTITIES
  })
  return Math.max(1, ...each)
}
