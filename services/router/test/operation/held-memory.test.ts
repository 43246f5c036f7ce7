/** What is remembered of requests takes as much memory as it is counted with, and holds nothing else. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import {
  compileSupergraph,
  openGraph,
  PlanningError,
  planOperation,
  prepareOperation,
} from '@switchyard/engine'
import { sampled } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { paramsOfBodyInTurns } from '../../src/request/graphql-params.ts'
import { TurnQueue } from '../../src/fairness/turn-queue.ts'
import { Introspections } from '../../src/concerns/introspection/introspections.ts'
import { OperationCache } from '../../src/operation/operation-cache.ts'
import { OperationMemory } from '../../src/memory/operation-memory.ts'
import { OperationPlans, planVariant } from '../../src/operation/operation-plans.ts'
import { SOMEBODY } from '../support/clients.ts'
import { heldBytes } from '../support/heap.ts'

const graph = openGraph(
  compileSupergraph(readFileSync(new URL('../fixtures/supergraph-base.graphql', import.meta.url), 'utf8')),
)
const UNBOUNDED = 1e12
const MB = 1_000_000

const repeated = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index)).join(' ')

type Shape = readonly [name: string, operations: number, document: (n: number) => string]

const SHAPES: readonly Shape[] = [
  ['one field', 1000, (n) => `{ a${n}: version }`],
  ['an entity', 500, (n) => `query Page { product(upc: "${n}") { name price reviews { id body } } }`],
  ['forty aliases', 300, (n) => `{ ${repeated(40, (index) => `alias${n}x${index}: version`)} }`],
  [
    'twenty entities',
    100,
    (n) => `{ ${repeated(20, (index) => `a${n}x${index}: product(upc: "1") { name b: reviews { id } }`)} }`,
  ],
  ['4 KB of blanks', 500, (n) => `{ a${n}: ${' '.repeat(4000)} version }`],
  ['a long literal', 300, (n) => `{ product(upc: "${'x'.repeat(4000)}${n}") { name } }`],
  ['letters of two bytes', 500, (n) => `# ${'π'.repeat(1000)}\n{ a${n}: version }`],
  [
    'fragments',
    300,
    (n) =>
      `{ ${repeated(10, (index) => `...F${index}`)} } ${repeated(10, (index) => `fragment F${index} on Query { a${n}x${index}: version }`)}`,
  ],
  [
    'variables',
    100,
    (n) =>
      `query (${repeated(20, (index) => `$v${n}x${index}: ID = "1"`)}) { ${repeated(20, (index) => `a${index}: product(upc: $v${n}x${index}) { upc }`)} }`,
  ],
]

describe('operations that are remembered', () => {
  it.each(sampled(SHAPES, 2))(
    'take what is counted for them, with their plans: %s',
    async (_, operations, document) => {
      const memory = new OperationMemory(UNBOUNDED)
      const cache = new OperationCache(graph, {}, memory)
      const plan = (n: number) => {
        const { operation, plans } = cache.get(document(n), null)
        const variables = operation.coerceVariables({})
        plans.keep(
          planVariant(operation, variables, { labels: new Set(), granted: new Set() }),
          planOperation(operation, variables),
        )
      }
      // What is learned about the graph is learned once.
      for (let n = 0; n < 20; n++) plan(UNBOUNDED + n)
      const [held, counted] = [await heldBytes(), memory.bytes]
      for (let n = 0; n < operations; n++) plan(n)
      const ratio = (memory.bytes - counted) / ((await heldBytes()) - held)
      expect(ratio).toBeGreaterThan(0.7)
      expect(ratio).toBeLessThan(1.5)
      expect(cache.size).toBe(operations + 20)
    },
  )

  it('hold nothing of the body that they came in', async () => {
    const memory = new OperationMemory(UNBOUNDED)
    const cache = new OperationCache(graph, {}, memory)
    const turns = new TurnQueue().of(() => SOMEBODY)
    const held = await heldBytes()
    for (let n = 0; n < 40; n++) {
      const body = Buffer.from(
        `{"query":"query OperationNumber${n} { version }","operationName":"OperationNumber${n}","extensions":{"padding":"${'x'.repeat(MB)}"}}`,
      ).toString()
      const { query, operationName } = await paramsOfBodyInTurns(body, turns, 1000)
      cache.get(query ?? '', operationName)
    }
    expect((await heldBytes()) - held).toBeLessThan(5 * MB)
    expect(cache.size).toBe(40)
  })
})

describe('refusals that are remembered', () => {
  it('hold nothing of the introspections that became too large', async () => {
    const memory = new OperationMemory(UNBOUNDED)
    const known = new Introspections({ maxSize: () => MB, memory, turns: new TurnQueue() }).open(graph)
    const aliases = repeated(300, (index) => `a${'x'.repeat(60)}${index}: name`)
    const held = await heldBytes()
    for (let n = 0; n < 10; n++) {
      const document = `{ a${n}: __schema { types { fields { ${aliases} type { ${aliases} ofType { ${aliases} } } } } } }`
      const { introspection } = planOperation(prepareOperation(graph, { document }), new Map())
      if (introspection === null) throw new Error('asks for no introspection')
      await expect(known.answer(introspection, new Map(), () => SOMEBODY)).rejects.toThrow('larger than')
    }
    expect(known.size).toBe(10)
    expect((await heldBytes()) - held).toBeLessThan(5 * MB)
  })

  it('hold nothing of the planning that came to nothing', async () => {
    class Planner {
      readonly found = 'x'.repeat(MB).split('')

      plan(): never {
        throw new PlanningError('PLANNING_LIMIT', `Nothing of ${this.found.length} can be planned.`)
      }
    }
    const held = await heldBytes()
    const plans = Array.from({ length: 10 }, () => {
      const made = new OperationPlans(() => {})
      const variant = {
        key: '',
        conditions: new Map(),
        labels: new Set<string>(),
        granted: new Set<number>(),
        isWhole: false,
      }
      try {
        new Planner().plan()
      } catch (error) {
        if (error instanceof PlanningError) made.keep(variant, error)
      }
      return made
    })
    expect((await heldBytes()) - held).toBeLessThan(5 * MB)
    expect(plans.map(({ count }) => count)).toEqual(Array(10).fill(1))
  })
})

describe('the heap of a router', () => {
  it('grows by half of what is in use, and not to a multiple of it', async () => {
    const script = fileURLToPath(new URL('../support/growing-heap.ts', import.meta.url))
    const { stdout } = await promisify(execFile)(process.execPath, [script, 'bounded'])
    expect(Number(stdout)).toBeGreaterThan(50 * MB)
    expect(Number(stdout)).toBeLessThan(230 * MB)
  })
})
