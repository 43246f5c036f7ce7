/** Checks many random operations, and counts what was seen. */
import { expect } from 'vitest'
import type { SuiteOperation } from '../corpus/harness/suite.ts'
import { type Bench, checkDeferred, checkLostCalls, type Verdict } from './check-deferred.ts'
import { type Kind, KINDS, kindsOf } from './kinds.ts'
import { deferredOperation } from './questions.ts'
import { shrinkDeferred } from './shrink.ts'

/** Not of a run that only repeats one operation. */
const FAIR_RUN = 300

export class Tally {
  /** Answers in parts. */
  streams = 0
  /** Of those whose every part is known beforehand. */
  exact = 0
  /** Answers in one, since no `@defer` is active. */
  whole = 0
  readonly kinds = new Map<Kind, number>()

  async check(bench: Bench, seed: number, context = ''): Promise<void> {
    const operation = deferredOperation(bench.monolith, seed)
    const verdict = await checkDeferred(bench, operation, seed)
    if (verdict.kind === 'wrong') {
      const small = await shrinkDeferred(bench, operation, { rule: verdict.rule, seed })
      const again = await checkDeferred(bench, small, seed)
      fail(bench, small, again.kind === 'wrong' ? again : verdict, `${context}operation ${seed}`)
    } else this.#count(operation, verdict)
  }

  async checkLostCalls(bench: Bench, seed: number, context = ''): Promise<void> {
    const operation = deferredOperation(bench.monolith, seed)
    const verdict = await checkLostCalls(bench, operation, seed)
    if (verdict.kind === 'wrong') fail(bench, operation, verdict, `${context}operation ${seed}`)
    else this.#count(operation, verdict)
  }

  /** In thousandths of all streams. */
  shares(): Readonly<Record<string, number>> {
    const share = (count: number) => Math.round((1000 * count) / Math.max(1, this.streams))
    const kinds = Object.keys(KINDS).map((kind) => [kind, share(this.kinds.get(kind as Kind) ?? 0)])
    return { exact: share(this.exact), whole: share(this.whole), ...Object.fromEntries(kinds) }
  }

  expectFair(except: readonly Kind[] = []): void {
    if (this.streams < FAIR_RUN) return
    const shares = this.shares()
    const rare = Object.entries(KINDS).filter(
      ([kind, least]) => !except.some((one) => one === kind) && (shares[kind] ?? 0) < least,
    )
    expect(rare, JSON.stringify(shares)).toEqual([])
    expect(this.whole).toBeGreaterThan(0)
  }

  #count({ query }: SuiteOperation, { parts, plan, isExact }: Extract<Verdict, { kind: 'right' }>): void {
    if (parts === null) {
      this.whole++
      return
    }
    this.streams++
    if (isExact) this.exact++
    for (const kind of kindsOf(query, plan, parts)) this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1)
  }
}

function fail(
  { suite }: Bench,
  { query, variables }: SuiteOperation,
  { rule, detail }: Extract<Verdict, { kind: 'wrong' }>,
  context: string,
): never {
  expect.fail(`${rule}: ${suite.name}, ${context}\n${query}\n${JSON.stringify(variables)}\n${detail}`)
}
