import { describe, expect, it } from 'vitest'
import { compileSupergraph } from '../../src/graph/compile.ts'
import { openGraph } from '../../src/graph/graph.ts'
import { prepareOperation } from '../../src/operation/operation.ts'

const graph = openGraph(
  compileSupergraph(`
    schema @link(url: "https://specs.apollo.dev/link/v1.0") @link(url: "https://specs.apollo.dev/join/v0.3", for: EXECUTION) { query: Query }
    enum join__Graph { A @join__graph(name: "a", url: "http://a.test/") }
    type Query @join__type(graph: A) { a(in: In, colours: [[Colour!]], any: Any, first: Int): Int }
    input In @join__type(graph: A) { name: String = "x" colour: Colour = RED in: [In!] any: Any }
    enum Colour @join__type(graph: A) { RED @join__enumValue(graph: A) BLUE @join__enumValue(graph: A) }
    scalar Any @join__type(graph: A)
  `),
)
const operation = prepareOperation(graph, {
  document: 'query Q($in: In, $colours: [[Colour!]], $any: Any) { a(in: $in, colours: $colours, any: $any) }',
})
const turns = { next: async () => {} }

describe('the names in variables', () => {
  it('are those of input fields and enum values that were given, each once', () => {
    const seen = operation.seenInputs()
    void operation.coerceVariablesInTurns({ in: { in: [{ name: 'a' }, { name: 'b' }] } }, turns, seen)
    void operation.coerceVariablesInTurns(
      { colours: [['BLUE'], ['BLUE']], any: { name: 'RED' } },
      turns,
      seen,
    )
    expect(seen?.untold).toEqual(['In.in', 'In.name', 'Colour.BLUE'])
    seen?.told(2)
    void operation.coerceVariablesInTurns({ in: { any: { colour: 'RED' }, name: null } }, turns, seen)
    expect(seen?.untold).toEqual(['Colour.BLUE', 'In.any'])
    expect(seen?.isComplete).toBe(false)
    void operation.coerceVariablesInTurns({ in: { colour: 'RED' } }, turns, seen)
    expect(seen?.isComplete).toBe(true)
    seen?.forget()
    expect(seen?.isComplete).toBe(false)
    expect(seen?.untold).toEqual(['Colour.BLUE', 'In.any', 'In.colour', 'Colour.RED'])
  })

  it('are not looked for where variables can have none', () => {
    const document = 'query Q($first: Int, $any: Any) { a(first: $first, any: $any) }'
    expect(prepareOperation(graph, { document }).seenInputs()).toBeNull()
  })
})
