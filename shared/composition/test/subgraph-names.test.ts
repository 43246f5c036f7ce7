import { describe, expect, it } from 'vitest'
import { composePairs, expectComposed, expectFailed, FED2, graphsOf } from './subgraph-fixtures.ts'

function composeNames(names: readonly string[]) {
  const pairs = names.map((name, index) => [name, `${FED2}type Query { f${index}: Int }`] as const)
  return graphsOf(expectComposed(composePairs(pairs)))
}

describe('subgraph names in the supergraph', () => {
  it.each([
    ['a.b/c@d'],
    ['constructor'],
    ['__proto__'],
    ['toString'],
    ['hasOwnProperty'],
    ['_'],
    ['true'],
    ['1'],
    ['42-things'],
    ['x'.repeat(100)],
    ['Ünïcode'],
    ['with "quotes" and \\'],
  ])('keeps %s exactly', (name) => {
    expect(
      composeNames([name, 'other'])
        .map((graph) => graph.name)
        .sort(),
    ).toEqual([name, 'other'].sort())
  })

  it.each([
    [['a.b', 'a_b']],
    [['a.b', 'a_b', 'a_b_1', 'a_b_2']],
    [['fooBar', 'foo_bar', 'foo-bar', 'FooBar']],
    [['a', 'A', 'a.', 'a_1', 'A_1_1']],
    [['1', '2', '_1_']],
    [[`${'x'.repeat(99)}a`, `${'x'.repeat(99)}A`]],
    [['é', 'è', 'ê']],
  ])('keeps %j apart', (names) => {
    const graphs = composeNames(names)
    expect(graphs.map((graph) => graph.name).sort()).toEqual([...names].sort())
    expect(new Set(graphs.map((graph) => graph.value)).size).toBe(names.length)
    expect(graphs.every((graph) => /^[A-Z_][A-Z0-9_]*$/.test(graph.value))).toBe(true)
  })

  it('leaves the enum values of ordinary names readable', () => {
    expect(composeNames(['products', 'order-items', 'products2', 'a.b'])).toMatchObject([
      { value: 'A_B' },
      { value: 'ORDER_ITEMS' },
      { value: 'PRODUCTS' },
      { value: 'PRODUCTS2' },
    ])
  })

  it('resolves an override between names that had to be replaced, and keeps the name in join__field', () => {
    const supergraph = expectComposed(
      composePairs([
        ['a.b', `${FED2}type Query { x: Int keep: Int }`],
        ['a_b', `${FED2}type Query { x: Int @override(from: "a.b") }`],
      ]),
    )
    expect(supergraph).toMatch(/x: Int @join__field\(graph: \w+, override: "a.b"\)/)
  })

  it('takes an override from an unknown subgraph called constructor for what it is', () => {
    const supergraph = expectComposed(
      composePairs([['a', `${FED2}type Query { x: Int @override(from: "constructor") }`]]),
    )
    expect(supergraph).not.toContain('subgraphNumber')
    expect(graphsOf(supergraph)).toMatchObject([{ name: 'a' }])
  })

  it('speaks of replaced names by their real names in errors', () => {
    const errors = expectFailed(
      composePairs([
        ['a.b', 'type Query { x: Nope }'],
        ['a_b', 'type Query { y: Int }'],
        ['constructor', 'type Query { y: Nada }'],
      ]),
    )
    expect(errors.map(({ message }) => message)).toEqual([
      '[a.b] Unknown type "Nope"; define it, or correct the name.',
      '[constructor] Unknown type "Nada"; define it, or correct the name.',
    ])
    expect(errors[0]?.locations).toEqual([{ subgraph: 'a.b', line: 1, column: 17, length: 4 }])
  })

  it('explains unsatisfiable queries even for a subgraph called constructor', () => {
    const errors = expectFailed(
      composePairs([
        ['constructor', `${FED2}type Query { t: T } type T @key(fields: "id") { id: ID! }`],
        ['b', `${FED2}type T @key(fields: "other") { other: ID! x: Int }`],
      ]),
    )
    expect(errors[0]).toMatchObject({ code: 'SATISFIABILITY_ERROR' })
    expect(errors[0]?.message).toContain('from subgraph "constructor"')
  })
})
