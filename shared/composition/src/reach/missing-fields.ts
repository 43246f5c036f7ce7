/** Finds the fields of keys and `@requires` that nobody gives. */
import { type FieldSet, fieldOf, isComposite, namedType, type TypeId, typeOf } from '@switchyard/engine/moves'
import type { Entered } from './entered.ts'
import type { Resolution } from './resolution.ts'
import { commonObjects } from './visible.ts'

/** A field of objects that are known at some nodes, and that cannot be resolved from there. */
export type MissingField = {
  readonly object: TypeId
  readonly name: string
  readonly standing: readonly Entered[]
}

/** Fields looked at for one dead end: abstract types multiply with each level. */
const MAX_LOOKS = 10_000

type Level = { readonly standing: readonly Entered[]; readonly fieldSet: FieldSet; next: number }

/** Looks for missing fields, up to a number of looks in all. */
export class MissingFields {
  readonly #resolution: Resolution
  readonly #found = new Map<FieldSet, Map<readonly Entered[], readonly MissingField[]>>()
  #looks = 0

  constructor(resolution: Resolution) {
    this.#resolution = resolution
  }

  /** The leaves of a field set that nobody gives, and the objects in it that nobody gives at all. */
  of(standing: readonly Entered[], fieldSet: FieldSet): readonly MissingField[] {
    const byStanding = this.#found.get(fieldSet) ?? new Map<readonly Entered[], readonly MissingField[]>()
    this.#found.set(fieldSet, byStanding)
    const found = byStanding.get(standing) ?? this.#look(standing, fieldSet)
    byStanding.set(standing, found)
    return found
  }

  #look(standing: readonly Entered[], fieldSet: FieldSet): readonly MissingField[] {
    const found: MissingField[] = []
    // A list of its own instead of recursion: selections of strangers may be nested deeply.
    const levels: Level[] = [{ standing, fieldSet, next: 0 }]
    for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
      const item = level.fieldSet[level.next++]
      if (item === undefined) levels.pop()
      else if (++this.#looks > MAX_LOOKS) break
      else for (const below of this.#below(level.standing, item, found)) levels.push(below)
    }
    return found
  }

  /** The levels below an item, the first one last. An item that is missing is added to those found. */
  #below(standing: readonly Entered[], item: FieldSet[number], found: MissingField[]): readonly Level[] {
    const { graph } = this.#resolution.queryGraph
    const object = standing[0]?.object
    if (object === undefined) return []
    if (item.kind === 'on')
      return typeOf(graph, item.type).possible.includes(object)
        ? [{ standing, fieldSet: item.below, next: 0 }]
        : []
    const field = fieldOf(graph, object, item.name)
    if (field === undefined) return []
    const missing = { object, name: item.name, standing }
    const type = namedType(field.type)
    if (item.below === null || !isComposite(graph, type)) {
      if (!this.#resolution.hasLeaf(standing, object, item.name)) found.push(missing)
      return []
    }
    const targets = this.#resolution
      .resolvers(standing, object, item.name)
      .flatMap(({ edge }) => edge.to ?? [])
    const nodes = [...new Set(targets)]
    if (nodes.length === 0) {
      found.push(missing)
      return []
    }
    const objects = commonObjects(graph, type, nodes)
    this.#looks += objects.length
    if (this.#looks > MAX_LOOKS) return []
    const { below } = item
    return objects.toReversed().map((one) => {
      const sources = nodes.map((node) => this.#resolution.queryGraph.asObject(node, one))
      return { standing: this.#resolution.standing(sources, one), fieldSet: below, next: 0 }
    })
  }
}
