/** Code that follows link tables, which lead from the occurrences of a position to entities. */
import type { FetchId, PositionId } from '../../ids/ids.ts'
import type { Position } from '../../plan/contract/plan.ts'
import { isObject } from './generated-code.ts'

/** A link table that is followed: the entities of a part of a fetch, for the occurrences of a position. */
export type FollowedLink = {
  readonly position: PositionId
  readonly slot: number
  readonly fetch: FetchId
  readonly part: number
}

/** Writes code that follows link tables, and knows which ones. */
export class LinkCode {
  readonly links: FollowedLink[] = []
  readonly #prefix: string

  /** `prefix` begins the names of variables, which several walks through one plan must not share. */
  constructor(prefix = '') {
    this.#prefix = prefix
  }

  /**
   * Statements that find the entities of an object, one in each of these slots, and put them or null into the
   * variables `o1`, `o2` …. Occurrences are met in the order of their numbers, so that a counter tells which
   * one this is.
   */
  entities({ id, providers }: Position, slots: readonly number[]): string[] {
    const lines: string[] = []
    for (const slot of slots) {
      const provider = providers[slot]
      if (provider?.kind !== 'entity') continue
      const link = { position: id, slot, fetch: provider.fetch, part: provider.part }
      const name = this.#nameOf(link)
      if (!this.links.some((other) => this.#nameOf(other) === name)) this.links.push(link)
      if (lines.length === 0) lines.push(`const at = ${this.#counterOf(link)}++;`)
      lines.push(
        `const i${slot} = l${name} === null ? -1 : l${name}[at];`,
        `let o${slot} = i${slot} >= 0 && i${slot} < e${name}.length ? e${name}[i${slot}] : null;`,
        `if (!${isObject(`o${slot}`)}) o${slot} = null;`,
      )
    }
    return lines
  }

  /** Variables of the code, with their first values. */
  get variables(): readonly string[] {
    const counters = new Set(this.links.map((link) => `${this.#counterOf(link)} = 0`))
    return [
      ...counters,
      ...this.links.map(this.#nameOf).flatMap((name) => [`e${name} = null`, `l${name} = null`]),
    ]
  }

  /**
   * Returns the statements before a walk. `first` is the number of the first link in the lists `entities` and
   * `tables`.
   */
  begin(first = 0): readonly string[] {
    return this.links.map((link, index) => {
      const name = this.#nameOf(link)
      const number = first + index
      return `e${name} = entities[${number}]; l${name} = tables[${number}]; ${this.#counterOf(link)} = 0;`
    })
  }

  /** Statements after a walk: all occurrences of which a table knows must have been met. */
  check(): readonly string[] {
    return this.links.map((link) => {
      const table = `l${this.#nameOf(link)}`
      return `if (${table} !== null && ${table}.length !== ${this.#counterOf(link)}) throw UNUSUAL;`
    })
  }

  /** Statements that let go of what the walk was given. */
  end(): readonly string[] {
    return this.links.map((link) => `e${this.#nameOf(link)} = null; l${this.#nameOf(link)} = null;`)
  }

  readonly #nameOf = ({ position, slot }: FollowedLink): string => `${this.#prefix}_${position}_${slot}`

  #counterOf({ position }: FollowedLink): string {
    return `c${this.#prefix}_${position}`
  }
}
