import { readFileSync } from 'node:fs'
import { compileSupergraph, openGraph, PlanningError, planOperation } from '@switchyard/engine'
import { describe, expect, it } from 'vitest'
import { OperationCache } from '../../src/operation/operation-cache.ts'
import { OperationMemory } from '../../src/memory/operation-memory.ts'
import { type PlanVariant, planVariant } from '../../src/operation/operation-plans.ts'

const graph = openGraph(
  compileSupergraph(readFileSync(new URL('../fixtures/supergraph-base.graphql', import.meta.url), 'utf8')),
)
const NONE: ReadonlySet<string> = new Set()
const names = Array.from({ length: 8 }, (_, index) => `c${index}`)
const DOCUMENT = `query (${names.map((name) => `$${name}: Boolean!`).join(' ')}, $upc: ID!) {
  product(upc: $upc) { ${names.map((name) => `${name}: name @include(if: $${name})`).join(' ')} price }
}`

function cacheOf(bytes = 10_000_000) {
  const cache = new OperationCache(graph, {}, new OperationMemory(bytes))
  return { cache, entry: cache.get(DOCUMENT, null) }
}

/** The conditions are the digits of the number. */
function valuesOf(number: number, upc = '1'): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>([
    ...names.map((name, index) => [name, ((number >> index) & 1) === 1] as const),
    ['upc', upc],
  ])
}

describe('a variant of a plan', () => {
  const { entry } = cacheOf()
  const variant = (number: number, labels = NONE, upc = '1') =>
    planVariant(entry.operation, valuesOf(number, upc), { labels, granted: new Set() })

  it('is another for every combination of conditions and labels', () => {
    const keys = new Set<string>()
    const sets = [[], ['a'], ['b'], ['a', 'b'], ['a","b']]
    for (let number = 0; number < 256; number++)
      for (const labels of sets) keys.add(variant(number, new Set(labels)).key)
    expect(keys.size).toBe(256 * sets.length)
  })

  it('does not depend on other variables or on the order of labels', () => {
    expect(variant(5, NONE, '2').key).toBe(variant(5).key)
    expect(variant(5, NONE, '2').conditions.has('upc')).toBe(false)
    expect(variant(5, new Set(['a', 'b'])).key).toBe(variant(5, new Set(['b', 'a'])).key)
  })
})

describe('the plans of an operation', () => {
  it('are 64 at most: the ones used last', () => {
    const { entry } = cacheOf()
    const variants = Array.from({ length: 65 }, (_, number) =>
      planVariant(entry.operation, valuesOf(number), { labels: NONE, granted: new Set() }),
    )
    const keep = (variant: PlanVariant) =>
      entry.plans.keep(variant, planOperation(entry.operation, variant.conditions))
    for (const variant of variants.slice(0, 64)) keep(variant)
    const [first, second] = variants
    if (first === undefined || second === undefined) throw new Error('no variants')
    expect(entry.plans.get(first)).not.toBeNull()
    keep(variants[64] ?? first)
    expect(entry.plans.count).toBe(64)
    expect(entry.plans.get(first)).not.toBeNull()
    expect(entry.plans.get(second)).toBeNull()
  })

  it('include what cannot be planned', () => {
    const { entry } = cacheOf()
    const variant = planVariant(entry.operation, valuesOf(1), { labels: NONE, granted: new Set() })
    entry.plans.keep(variant, new PlanningError('PLANNING_LIMIT', 'too much'))
    expect(() => entry.plans.get(variant)).toThrow('too much')
  })

  it('count as part of the operation in the cache, as long as they are kept', () => {
    const { entry, cache } = cacheOf(300_000)
    for (let other = 0; other < 20; other++) cache.get(`{ a${other}: version }`, null)
    const all = cache.size
    const variants = Array.from({ length: 60 }, (_, number) =>
      planVariant(entry.operation, valuesOf(number), { labels: NONE, granted: new Set() }),
    )
    for (const variant of variants)
      entry.plans.keep(variant, planOperation(entry.operation, variant.conditions))
    expect(entry.plans.size).toBeGreaterThan(60 * 2000)
    expect(cache.size).toBeLessThan(all)
    expect(cache.get(DOCUMENT, null)).toBe(entry)

    const size = entry.plans.size
    for (const variant of variants)
      entry.plans.keep(variant, planOperation(entry.operation, variant.conditions))
    expect(entry.plans.size).toBe(size)
  })
})
