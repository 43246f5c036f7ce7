/** How results are counted, and that what varies by itself is not. */
import { MAX_DIFFERENCES_LENGTH, RouterDifferences } from '@switchyard/contracts'
import type { Turns } from '@switchyard/engine'
import { describe, expect, it } from 'vitest'
import { compareAnswers } from '../../../src/concerns/shadows/comparing/compare-answers.ts'
import { describeValues } from '../../../src/concerns/shadows/results/describe-value.ts'
import { fitResults } from '../../../src/concerns/shadows/results/fit-results.ts'
import { ResultTable } from '../../../src/concerns/shadows/results/result-table.ts'

const turns: Turns = { next: () => Promise.resolve() }

type Answers = { readonly base: () => object; readonly flag: () => object }

/** Takes samples as a router does. Returns how many of them ran base once more. */
async function sample(table: ResultTable, operation: string, { base, flag }: Answers, count: number) {
  const compare = (left: object, right: object) =>
    compareAnswers({ data: { ...left }, errors: [] }, { data: { ...right }, errors: [] }, new Set(), turns)
  let again = 0
  for (let index = 0; index < count; index++) {
    const first = base()
    const comparison = await compare(first, flag())
    const needsBase = table.needsBase(operation, comparison)
    if (needsBase) again++
    const itself = needsBase ? await compare(first, base()) : null
    table.compared({ operation, comparison, itself, baseMs: 10, flagMs: 10, at: index })
  }
  return again
}

function table(keepsValues = false): ResultTable {
  return new ResultTable(
    0,
    describeValues(() => keepsValues),
  )
}

describe('results', () => {
  it('count a difference by operation, path and cause', async () => {
    const results = table()
    const again = await sample(
      results,
      'Q',
      { base: () => ({ a: 1, b: 2 }), flag: () => ({ a: 1, b: 3 }) },
      50,
    )
    const { operations, differences, noise } = results.results('r', 'f')
    expect(operations).toMatchObject([{ operation: 'Q', compared: 50, equal: 0, different: 50 }])
    expect(differences).toMatchObject([
      { operation: 'Q', path: 'b', cause: 'value', count: 50, first: 0, last: 49, base: { type: 'number' } },
    ])
    expect(noise).toEqual([])
    // Three to confirm the difference, the first of which is the first of ten.
    expect(again).toBe(7)
  })

  it('do not count what base does not agree about with itself, and count the rest', async () => {
    const results = table()
    let clock = 0
    const answers = {
      base: () => ({ now: clock++, list: [{ id: Math.random(), name: 'x' }], price: 5 }),
      flag: () => ({ now: clock++, list: [{ id: Math.random(), name: 'y' }], price: 5 }),
    }
    await sample(results, 'Q', answers, 1000)
    const { operations, differences, noise } = results.results('r', 'f')
    expect(noise.map(({ path }) => path).sort()).toEqual(['list.*.id', 'now'])
    expect(differences.map(({ path, count }) => [path, count])).toEqual([['list.*.name', 1000]])
    expect(operations).toMatchObject([{ different: 1000 }])
  })

  it('find no more than one in a thousand false differences where clocks move now and then', async () => {
    const results = table()
    let time = 0
    // Each run takes a moment, and the clock shows every 97th.
    const clock = () => ({ now: Math.floor(time++ / 97), price: 5 })
    await sample(results, 'Q', { base: clock, flag: clock }, 5000)
    const { operations, differences } = results.results('r', 'f')
    expect(differences).toEqual([])
    expect(operations[0]?.different).toBeLessThanOrEqual(5)
  })

  it('forget what counted before the path turned out to be noise, below it too', () => {
    const results = table()
    const side = { type: 'number', value: 1 }
    const at = (path: string, cause: 'value' | 'length') => ({
      path,
      cause,
      code: null,
      base: side,
      flag: side,
    })
    const comparison = { differences: [at('a.*.b', 'value'), at('ab', 'value')], isReordered: false }
    const times = { baseMs: 1, flagMs: 1, at: 1 }
    results.compared({ operation: 'Q', comparison, itself: null, ...times })
    const itself = { differences: [at('a', 'length')], isReordered: false }
    results.compared({ operation: 'Q', comparison, itself, ...times })
    expect(results.results('r', 'f').differences.map(({ path, count }) => [path, count])).toEqual([['ab', 2]])
    expect(results.needsBase('Q', comparison)).toBe(true)
  })

  it('tell values only if they are to be kept, and hashes that do not give them away', async () => {
    for (const keepsValues of [false, true]) {
      const results = table(keepsValues)
      await sample(results, 'Q', { base: () => ({ a: 'secret' }), flag: () => ({ a: 'other' }) }, 2)
      const [row] = results.results('r', 'f').differences
      expect(row?.base.hash).toMatch(/^[\w-]{16}$/)
      expect(row?.base.hash).not.toBe(row?.flag.hash)
      expect(row?.base.value).toBe(keepsValues ? '"secret"' : undefined)
    }
    const hashes = [describeValues(() => false), describeValues(() => false)].map(
      (of) => of({ type: 'number', value: 1 }).hash,
    )
    expect(hashes[0]).not.toBe(hashes[1])
  })

  it('stay bounded, and fit into one message however much there is', async () => {
    const results = table()
    const members = (value: number) =>
      Object.fromEntries(
        Array.from({ length: 60 }, (_, index) => [`member_${'x'.repeat(300)}_${index}`, value]),
      )
    for (let index = 0; index < 300; index++)
      await sample(results, `Operation${index}`, { base: () => members(1), flag: () => members(2) }, 1)
    const all = results.results('r', 'f')
    expect(all.operations.length).toBeLessThanOrEqual(200)
    expect(all.differences.length).toBeLessThanOrEqual(500)
    expect(all.leftOut).toBeGreaterThan(0)
    const router = { instance: 'i', boot: 'b', namespace: 'default', graph: 'shop' }
    const message = { ...router, rollouts: fitResults([all, all]) }
    expect(JSON.stringify(message).length).toBeLessThanOrEqual(MAX_DIFFERENCES_LENGTH)
    expect(RouterDifferences.safeParse(message).success).toBe(true)
  })
})
