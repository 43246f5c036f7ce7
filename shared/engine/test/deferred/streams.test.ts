import { describe, expect, it } from 'vitest'
import { Random } from '../../../samples/src/index.ts'
import { createMonolith } from '../corpus/harness/monolith.ts'
import { createEngine } from '../corpus/harness/run-engine.ts'
import { SUITES } from '../corpus/suites/index.ts'
import { openWorld } from '../generated/check.ts'
import { generateWorld } from '../generated/generate.ts'
import { worldSeeds } from '../generated/campaign.ts'
import { type Bench, checkDeferred, checkLostCalls, type Verdict } from './check-deferred.ts'
import { deferredOperation } from './questions.ts'
import { shrinkDeferred } from './shrink.ts'

/** `SEED=… RUNS=… vitest run shared/engine/test/deferred/streams.test.ts` repeats or lengthens a run. */
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000_007)
const STREAMS = Number(process.env['RUNS'] ?? 1_000)
const OPERATIONS_PER_WORLD = 20

/** Their subgraphs give canned answers, whatever is asked. */
const LEFT_OUT = new Set(['failing subgraphs', 'sloppy answers'])

describe(`deferred answers (SEED=${SEED} RUNS=${STREAMS})`, { timeout: 600_000 }, () => {
  it('of the corpus graphs are exactly the parts that are expected, and merge to the answer without defer', async () => {
    const benches = openSuites()
    const tally = new Tally()
    for (let run = 0; tally.streams < STREAMS; run++) {
      const bench = new Random(SEED + run).pick(benches)
      await tally.check(bench, SEED + run)
    }
    tally.expectFair()
  })

  it('with calls to subgraphs lost keep every rule, and explain what is not there', async () => {
    const benches = openSuites()
    for (let run = 0; run < STREAMS / 2; run++) {
      const seed = SEED + run
      const bench = new Random(seed).pick(benches)
      const operation = deferredOperation(bench.monolith, seed)
      const verdict = await checkLostCalls(bench, operation, seed)
      if (verdict.kind === 'right') continue
      const question = `${operation.query}\n${JSON.stringify(operation.variables)}`
      expect.fail(`${verdict.rule}: ${bench.suite.name}, operation ${seed}\n${question}\n${verdict.detail}`)
    }
  })

  it('of generated graphs are exactly the parts that are expected, too', async () => {
    const tally = new Tally()
    for (const seed of worldSeeds(SEED, STREAMS)) {
      if (tally.streams >= STREAMS) break
      const opened = openWorld(generateWorld(seed))
      if (opened.kind === 'refused') continue
      for (let index = 0; index < OPERATIONS_PER_WORLD; index++)
        await tally.check(opened.bench, seed + index, `WORLD=${seed}\n`)
    }
    expect(tally.streams).toBeGreaterThanOrEqual(STREAMS)
    tally.expectFair()
  })
})

/** By schema: several suites ask different questions of the same one. */
function openSuites(): readonly Bench[] {
  const suites = SUITES.filter(({ name }) => !LEFT_OUT.has(name))
  return [...new Map(suites.map((suite) => [suite.monolith, suite])).values()].map((suite) => ({
    suite,
    monolith: createMonolith(suite),
    engine: createEngine(suite),
  }))
}

/** Counts what was seen, so that a run that sees only simple streams does not pass. */
class Tally {
  streams = 0
  #exact = 0
  #plain = 0
  #nested = 0
  #lists = 0

  async check(bench: Bench, seed: number, context = ''): Promise<void> {
    const operation = deferredOperation(bench.monolith, seed)
    const verdict = await checkDeferred(bench, operation)
    if (verdict.kind === 'wrong') {
      const small = await shrinkDeferred(bench, operation, verdict.rule)
      const again = await checkDeferred(bench, small)
      const detail = again.kind === 'wrong' ? again.detail : verdict.detail
      const question = `${small.query}\n${JSON.stringify(small.variables)}`
      expect.fail(`${verdict.rule}: ${context}${bench.suite.name}, operation ${seed}\n${question}\n${detail}`)
    }
    this.#count(verdict)
  }

  /** Not of a run that only repeats one operation. */
  expectFair(): void {
    if (STREAMS < 100) return
    expect(this.#exact).toBeGreaterThan(this.streams / 4)
    for (const seen of [this.#plain, this.#nested, this.#lists]) expect(seen).toBeGreaterThan(0)
  }

  #count({ parts, isExact }: Extract<Verdict, { kind: 'right' }>): void {
    if (parts === null) {
      this.#plain++
      return
    }
    this.streams++
    if (isExact) this.#exact++
    const [, ...later] = parts
    if (later.some(({ pending }) => pending !== undefined)) this.#nested++
    if (later.some(({ incremental = [] }) => incremental.some(({ subPath = [] }) => subPath.length > 1)))
      this.#lists++
  }
}
