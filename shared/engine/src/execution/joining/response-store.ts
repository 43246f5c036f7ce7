import type { FetchId, PositionId } from '../../ids/ids.ts'
import type { Fetch, Plan } from '../../plan/contract/plan.ts'
import type { Answer } from './answer.ts'
import { type JsonObject, read } from '../../json/json-object.ts'

/** The answers of one execution, which are never written into, and the link tables that join them. */
export class ResponseStore {
  readonly #plan: Plan
  /** The answer of each fetch; undefined until it is settled. */
  readonly #answers: (Answer | undefined)[]
  /** The number of representations that were sent, by fetch and part. */
  readonly #sent: (number[] | undefined)[]
  /** The index of each occurrence's entity in the answer, or -1, by position and slot. */
  readonly #links = new Map<PositionId, Map<number, Int32Array>>()

  constructor(plan: Plan) {
    this.#plan = plan
    this.#answers = plan.fetches.map(() => undefined)
    this.#sent = plan.fetches.map(() => undefined)
  }

  settle(fetch: FetchId, answer: Answer): void {
    this.#answers[fetch] = answer
  }

  isSettled(fetch: FetchId): boolean {
    return this.#answers[fetch] !== undefined
  }

  answer(fetch: FetchId): Answer | undefined {
    return this.#answers[fetch]
  }

  root(fetch: FetchId): JsonObject | null {
    return this.#answers[fetch]?.data ?? null
  }

  /** Notes how many representations were sent for a part of a fetch. */
  sent(fetch: FetchId, part: number, count: number): void {
    const counts = this.#sent[fetch] ?? []
    counts[part] = count
    this.#sent[fetch] = counts
  }

  /** How many representations were sent for a part of a fetch. */
  sentFor(fetch: FetchId, part: number): number {
    return this.#sent[fetch]?.[part] ?? 0
  }

  /** The list of entities a part of a fetch returned; null if it returned none. */
  entities(fetch: FetchId, part: number): readonly unknown[] | null {
    const data = this.root(fetch)
    const described = this.#plan.fetches[fetch]?.parts[part]
    if (data === null || described?.kind !== 'entities') return null
    const list = read(data, described.alias)
    return Array.isArray(list) ? list : null
  }

  link(position: PositionId, slot: number, table: Int32Array): void {
    let slots = this.#links.get(position)
    if (slots === undefined) {
      slots = new Map()
      this.#links.set(position, slots)
    }
    slots.set(slot, table)
  }

  linkOf(position: PositionId, slot: number): Int32Array | null {
    return this.#links.get(position)?.get(slot) ?? null
  }

  /**
   * True if everything this fetch could have given is lost: it failed, it answered with errors only, or it
   * was not made because one it waits for is lost. What is missing then has been explained already.
   */
  isLost(fetch: Fetch): boolean {
    const seen = new Set<FetchId>()
    const isLost = ({ id, after }: Fetch): boolean => {
      if (seen.has(id)) return false
      seen.add(id)
      const answer = this.#answers[id]
      if (answer === undefined || answer.failure !== null) return true
      if (answer.data !== null) return false
      if (answer.errors.length > 0) return true
      return after.some((other) => {
        const before = this.#plan.fetches[other]
        return before !== undefined && isLost(before)
      })
    }
    return isLost(fetch)
  }
}
