import { compileSupergraph, openGraph, planOperation, prepareOperation } from '@switchyard/engine'
import { describe, expect, it } from 'vitest'
import { planSize } from '../../src/operation/plan-size.ts'

const graph = openGraph(
  compileSupergraph(`
    schema @link(url: "https://specs.apollo.dev/link/v1.0") @link(url: "https://specs.apollo.dev/join/v0.3", for: EXECUTION) { query: Query }
    enum join__Graph { A @join__graph(name: "a", url: "http://a.test/") }
    type Query @join__type(graph: A) { start: Node }
    interface Node @join__type(graph: A) { next: Node }
    type T0 implements Node @join__implements(graph: A, interface: "Node") @join__type(graph: A) { next: Node own0: Int }
    type T1 implements Node @join__implements(graph: A, interface: "Node") @join__type(graph: A) { next: Node own1: Int }
  `),
)

describe('the size of a plan', () => {
  it('counts what object types share below them once', () => {
    const sizeOf = (levels: number) => {
      const level = '... on T0 { own0 } ... on T1 { own1 } next { '
      const document = `{ start { ${level.repeat(levels)} __typename ${'}'.repeat(levels + 2)}`
      return planSize(planOperation(prepareOperation(graph, { document }), new Map()))
    }
    expect(sizeOf(58) / sizeOf(29)).toBeLessThan(3)
  })

  it('counts deferred fragments, also where they share a single field', () => {
    const sizeOf = (fragments: number) => {
      const document = `{ start { ${'... @defer { __typename next { __typename } } '.repeat(fragments)} } }`
      return planSize(planOperation(prepareOperation(graph, { document, defer: true }), new Map()))
    }
    expect(sizeOf(101) - sizeOf(1)).toBeGreaterThan(100_000)
  })
})
