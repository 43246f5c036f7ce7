/** Finds fields that require each other in a circle, so that no order of fetching gives them. */
import type { BlockedField } from './requirements.ts'

/** A circle of fields that require each other. */
export type Circle = readonly BlockedField[]

/**
 * The circles, by the fields whose requirements are to be told with them: each circle is told once, of the
 * first one of its fields. A field that is resolved in another way, too, is in no circle.
 */
export class Circles {
  readonly #stuck: ReadonlySet<BlockedField>
  readonly #found = new Map<BlockedField, ReadonlyMap<BlockedField, Circle>>()
  readonly #inCircle = new Set<BlockedField>()

  constructor(fields: readonly BlockedField[]) {
    this.#stuck = stuckFields(fields)
    for (const field of this.#stuck) {
      if (this.#inCircle.has(field)) continue
      const circles = this.#from(field)
      this.#found.set(field, circles)
      for (const circle of circles.values()) for (const one of circle) this.#inCircle.add(one)
    }
  }

  /** The fields from `missing` on that lead back to `field`; empty if none do. */
  through(field: BlockedField, missing: BlockedField): Circle {
    return this.#found.get(field)?.get(missing) ?? []
  }

  /** True if the requirement for `missing` is told with a circle of another field. */
  isToldOfAnother(field: BlockedField, missing: BlockedField): boolean {
    return this.#inCircle.has(field) && this.#stuck.has(missing) && this.through(field, missing).length === 0
  }

  #from(field: BlockedField): ReadonlyMap<BlockedField, Circle> {
    const circles = new Map<BlockedField, Circle>()
    for (const missing of neededBy(field)) {
      const way = this.#stuck.has(missing) ? this.#wayTo(field, missing) : null
      if (way !== null) circles.set(missing, way)
    }
    return circles
  }

  /** The shortest way by requirements. */
  #wayTo(end: BlockedField, start: BlockedField): Circle | null {
    const ways: Circle[] = [[start]]
    const seen = new Set([start])
    // Ways that are added while the loop runs are visited by it, too.
    for (const way of ways)
      for (const next of neededBy(way.at(-1))) {
        if (next === end) return way
        if (seen.has(next) || !this.#stuck.has(next)) continue
        seen.add(next)
        ways.push([...way, next])
      }
    return null
  }
}

function neededBy(field: BlockedField | undefined): readonly BlockedField[] {
  return (field?.requirements ?? []).flatMap(({ missing }) => missing)
}

/** The fields that wait for each other: whoever resolves one of them requires another one. */
function stuckFields(fields: readonly BlockedField[]): ReadonlySet<BlockedField> {
  const stuck = new Set(fields)
  for (let before = -1; before !== stuck.size; ) {
    before = stuck.size
    for (const field of stuck) if (!isStuck(field, stuck)) stuck.delete(field)
  }
  return stuck
}

function isStuck({ declarations, requirements }: BlockedField, stuck: ReadonlySet<BlockedField>): boolean {
  const resolving = declarations.all.filter(({ edge }) => !edge.external)
  const waiting = new Set(
    requirements.filter(({ missing }) => missing.some((one) => stuck.has(one))).map(({ edge }) => edge),
  )
  return resolving.length > 0 && resolving.every(({ edge }) => waiting.has(edge))
}
