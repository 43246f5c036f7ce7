import { readFileSync } from 'node:fs'
import { compileSupergraph, openGraph, type Plan, planOperation, prepareOperation } from '@switchyard/engine'
import { createLogger } from '@switchyard/service-kit'
import { describe, expect, it } from 'vitest'
import { PlanningEvents } from '../../src/planning/events.ts'
import { OperationCache } from '../../src/operation/operation-cache.ts'
import { OperationMemory } from '../../src/memory/operation-memory.ts'
import { packGraph, unpackGraph } from '../../src/planning/packed-graph.ts'
import { SYSTEM_CLOCK } from '../../src/planning/planning-clock.ts'
import { Planning } from '../../src/planning/planning.ts'
import { planningConfigOf, PlanningSection } from '../../src/planning/settings.ts'
import { SOMEBODY } from '../support/clients.ts'

const compiled = compileSupergraph(
  readFileSync(new URL('../fixtures/supergraph-ledger.graphql', import.meta.url), 'utf8'),
)
const shop = compileSupergraph(
  readFileSync(new URL('../fixtures/supergraph-base.graphql', import.meta.url), 'utf8'),
)

describe('a plan made in a thread', () => {
  it('is the one that the serving thread would have made', async () => {
    const graph = openGraph(shop)
    await using planning = new Planning({
      mainThreadSteps: 0,
      config: planningConfigOf(PlanningSection.parse({ threads: 1, time_limit: '60s', budget: '60s' })),
      events: new PlanningEvents(createLogger({ name: 'router', to: { write: () => {} } })),
      clock: SYSTEM_CLOCK,
    })
    const planner = planning.open(packGraph(shop), 'shop')
    const operations = new OperationCache(graph, {}, new OperationMemory(1_000_000))
    for (const [document, variables] of [
      ['{ version }', {}],
      ['{ topProducts(first: 1) { ...P reviews { id } } } fragment P on Product { again: name, price }', {}],
      [
        'query Q($w: Boolean!) { product(upc: "1") { name @include(if: $w) reviews { id } } __typename }',
        { w: false },
      ],
      ['mutation { a: rename(upc: "1", name: "x") { reviews { body } } }', {}],
      ['{ __schema { queryType { name } } product(upc: "\\u00e4") { name } }', {}],
      ['query A { version } query B { fails }', {}],
    ] as const) {
      const entry = operations.get(document, document.startsWith('query A') ? 'B' : null)
      const values = entry.operation.coerceVariables(variables)
      const promise = planner.plan(entry, values, { labels: new Set(), granted: new Set() }, () => SOMEBODY)
      expect(promise).toBeInstanceOf(Promise)
      const elsewhere: Plan = await promise
      expect(elsewhere).toEqual(planOperation(entry.operation, values))
      expect(planner.plan(entry, values, { labels: new Set(), granted: new Set() }, () => SOMEBODY)).toBe(
        elsewhere,
      )
    }
  })
})

describe('a packed graph', () => {
  it.each([
    ['shop', shop],
    ['ledger', compiled],
  ])('is the graph that was packed (%s)', (_, graph) => {
    const unpacked = unpackGraph(packGraph(graph))
    expect(unpacked).toEqual(graph)
    expect(() => prepareOperation(openGraph(unpacked), { document: '{ __typename }' })).not.toThrow()
  })
})
