/** Checks many random operations, and counts the kinds of streams. */
import { expect } from 'vitest'
import type { SuiteOperation } from '../harness/suite.ts'
import type { Bench, Check, Right } from './check-deferred.ts'
import { type Kind, KINDS, kindsOf } from './kinds.ts'
import { deferredOperation } from './questions.ts'
import { shrinkDeferred } from './shrink.ts'

const FAIR_RUN = 500

export type Question = { readonly bench: Bench; readonly seed: number }

export class Tally {
  /** Answers in parts. */
  streams = 0
  /** The number of streams whose every part was known beforehand. */
  exact = 0
  /** Answers in one, since no `@defer` is active. */
  whole = 0
  readonly kinds = new Map<Kind, number>()

  async check(check: Check, { bench, seed }: Question): Promise<void> {
    const operation = deferredOperation(bench.monolith, seed)
    const verdict = await check(bench, operation, seed)
    if (verdict.kind === 'right') return this.#count(operation, verdict)
    const { query, variables } = await shrinkDeferred(bench, operation, { rule: verdict.rule, seed, check })
    const again = await check(bench, { ...operation, query }, seed)
    const { rule, detail } = again.kind === 'wrong' ? again : verdict
    expect.fail(
      `${rule}: ${bench.suite.name}, operation ${seed}\n${query}\n${JSON.stringify(variables)}\n${detail}`,
    )
  }

  /** Returns the share of each kind, in thousandths of all streams. */
  shares(): Readonly<Record<string, number>> {
    const share = (count: number) => Math.round((1000 * count) / Math.max(1, this.streams))
    const kinds = Object.keys(KINDS).map((kind) => [kind, share(this.kinds.get(kind as Kind) ?? 0)])
    return { exact: share(this.exact), whole: share(this.whole), ...Object.fromEntries(kinds) }
  }

  /** Expects enough streams of each kind, unless the run was too short to see them all. */
  expectFair(except: readonly Kind[] = []): void {
    if (this.streams < FAIR_RUN) return
    const shares = this.shares()
    const rare = Object.entries(KINDS).filter(
      ([kind, least]) => !except.some((one) => one === kind) && (shares[kind] ?? 0) < least,
    )
    expect(rare, JSON.stringify(shares)).toEqual([])
    expect(this.whole).toBeGreaterThan(0)
  }

  #count({ query }: SuiteOperation, { parts, plan, isExact, pendingPer }: Right): void {
    if (parts === null) {
      this.whole++
      return
    }
    this.streams++
    if (isExact) this.exact++
    for (const kind of kindsOf(query, { plan, parts, pendingPer }))
      this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1)
  }
}
