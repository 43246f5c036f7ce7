import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import { MAX_LIST_NESTING } from '../../json/object-lists.ts'

type Level = { readonly list: readonly unknown[]; readonly other: readonly unknown[] | null; next: number }

/**
 * Walks through the objects in a list, which may hold lists, a few at a time and in the order that numbers
 * occurrences. If there is a second value, the walk also takes its objects at the same places, or null where
 * it has none.
 */
export class ListWalk {
  readonly #levels: Level[] = []
  /** Whether all lists of the second value were as long as those of the first. */
  isEqual = true

  /** Begins a walk. `companion` is undefined if there is no second value. */
  begin(value: readonly unknown[], companion?: unknown): void {
    this.isEqual = true
    this.#enter(value, companion)
  }

  /**
   * Takes at most `steps` items. Returns how many steps are left when the walk has ended, or -1 if it goes
   * on.
   */
  proceed(
    steps: number,
    objects: (JsonObject | null)[] | null,
    companions: (JsonObject | null)[] | null,
  ): number {
    let left = steps
    for (let level = this.#levels.at(-1); level !== undefined; level = this.#levels.at(-1)) {
      const { list, other } = level
      while (level.next < list.length) {
        if (left <= 0) return -1
        left--
        const index = level.next++
        const item = list[index]
        if (Array.isArray(item)) {
          if (this.#levels.length < MAX_LIST_NESTING) {
            this.#enter(item, companions === null ? undefined : (other?.[index] ?? null))
            break
          }
        } else if (isJsonObject(item)) {
          objects?.push(item)
          const companion = other?.[index]
          companions?.push(isJsonObject(companion) ? companion : null)
        }
      }
      if (level === this.#levels.at(-1)) this.#levels.pop()
    }
    return left
  }

  #enter(list: readonly unknown[], companion: unknown): void {
    const other: readonly unknown[] | null = Array.isArray(companion) ? companion : null
    if (other !== null && other.length !== list.length) this.isEqual = false
    this.#levels.push({ list, other, next: 0 })
  }
}
