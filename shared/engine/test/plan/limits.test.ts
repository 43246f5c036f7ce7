import { describe, expect, it } from 'vitest'
import { compileSupergraph } from '../../src/graph/compile.ts'
import { openGraph } from '../../src/graph/graph.ts'
import { PlanningError } from '../../src/work/planning-error.ts'
import { printPlan } from '../../src/plan/print/print-plan.ts'
import { supergraph } from '../graph/supergraph-text.ts'
import { lines, planIn, worldOf } from './support/planned.ts'

describe('a plan', () => {
  it('says which fields no subgraph can answer from where they are asked', () => {
    const sdl = supergraph(
      ['A', 'B'],
      `
      type Query @join__type(graph: A) @join__type(graph: B) { user: User @join__field(graph: A) b: Int @join__field(graph: B) }
      type User @join__type(graph: A) @join__type(graph: B) { id: ID @join__field(graph: A) name: String @join__field(graph: B) }`,
    )
    const graph = openGraph(compileSupergraph(sdl))
    const plan = planIn(graph, '{ user { id who: name } b }')
    expect(plan.unreachable).toEqual([{ path: ['user', 'who'], coordinate: 'User.name' }])
    expect(plan.fetches).toEqual([])
    expect(printPlan(graph, plan)).toContain('User.name at user.who')
  })

  it('says so at once where every type of every level lacks the field', () => {
    const types = Array.from({ length: 8 }, (_, index) => `T${index}`)
    const both = (name: string) => `@join__implements(graph: ${name}, interface: "Node")`
    const fields = '{ next: Node @join__field(graph: A) far: Int @join__field(graph: B) }'
    const sdl = supergraph(
      ['A', 'B'],
      `
      type Query @join__type(graph: A) @join__type(graph: B) { start: Node @join__field(graph: A) b: Node @join__field(graph: B) }
      interface Node @join__type(graph: A) @join__type(graph: B) ${fields}
      ${types.map((type) => `type ${type} implements Node ${both('A')} ${both('B')} @join__type(graph: A) @join__type(graph: B) ${fields}`).join('\n')}`,
    )
    const levels = Array<string>(40).fill('next')
    const query = `{ start { ${levels.join(' { ')} { far } ${'}'.repeat(levels.length)} }`
    const plan = planIn(openGraph(compileSupergraph(sdl)), query)
    expect(plan.unreachable).toEqual([{ path: ['start', ...levels, 'far'], coordinate: 'T0.far' }])
  })

  it('is refused when it would take more steps than allowed', () => {
    const world = worldOf({ a: 'type Query { a: A } type A { a: A n: Int }' })
    const query = `{ ${'a { '.repeat(30)} n ${'}'.repeat(31)}`
    const plan = () => planIn(world.graph, query, {}, { stepLimit: 20 })
    expect(plan).toThrow(PlanningError)
    expect(plan).toThrow(/more than 20 planning steps/)
    expect(planIn(world.graph, query).fetches).toHaveLength(1)
  })

  it('tells how many steps it took, also when it was refused', () => {
    const world = worldOf({
      a: 'type Query { e: E } type E @key(fields: "id") { id: ID! }',
      b: 'type E @key(fields: "id") { id: ID! n: Int }',
    })
    const steps: number[] = []
    const onSteps = (taken: number) => steps.push(taken)
    expect(() => planIn(world.graph, '{ e { n } }', {}, { stepLimit: 3, onSteps })).toThrow(PlanningError)
    planIn(world.graph, '{ e { n } }', {}, { onSteps })
    planIn(world.graph, '{ e { n } }', {}, { onSteps })
    const [refused = 0, first = 0, again = 0] = steps
    expect(refused).toBeGreaterThanOrEqual(3)
    expect(first).toBeGreaterThan(refused)
    expect(again).toBeLessThan(first)
  })

  it('stays within the default limit for many shareable fields in many subgraphs', () => {
    const fields = Array.from({ length: 25 }, (_, index) => `f${index}: Int @shareable`).join(' ')
    const subgraphs = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [
        `s${index}`,
        `type Query { e: E @shareable } type E @key(fields: "id") { id: ID! ${fields} next: E @shareable own${index}: Int }`,
      ]),
    )
    const world = worldOf(subgraphs)
    const own = Array.from({ length: 12 }, (_, index) => `own${index}`).join(' ')
    const query = `{ e { f0 f1 ${own} next { f2 ${own} next { f3 f4 ${own} } } } }`
    expect(planIn(world.graph, query).unreachable).toEqual([])
  })

  it('does not depend on the order of definitions, nor on what was planned before', () => {
    const a = 'type Query { list: [E] } type E @key(fields: "id") { id: ID! x: Int @shareable }'
    const b = 'type E @key(fields: "id") { id: ID! x: Int @shareable y: Int z: Int @shareable }'
    const c = 'type E @key(fields: "id") { id: ID! z: Int @shareable w: Int }'
    const query = '{ list { x y z w } }'
    const first = worldOf({ a, b, c })
    const second = worldOf({ c, b, a })
    const expected = lines(first.graph, planIn(first.graph, query))
    planIn(second.graph, '{ list { w } }')
    planIn(second.graph, '{ list { z y } }')
    expect(lines(second.graph, planIn(second.graph, query))).toEqual(expected)
    expect(planIn(first.graph, query)).toEqual(planIn(second.graph, query))
  })
})

describe('an operation that overlaps at every level', () => {
  it('is refused before its selections have doubled too often', () => {
    const world = worldOf({
      a: `type Query { n: N } interface N { v: Int next: N }
        type X implements N { v: Int next: N } type Y implements N { v: Int next: N }`,
    })
    let selection = '{ v }'
    for (let level = 0; level < 25; level++) selection = `{ next ${selection} ... on X { next { v } } }`
    expect(() => planIn(world.graph, `{ n ${selection} }`)).toThrow(PlanningError)
  })
})

describe('an operation that unfolds per object type at every level', () => {
  it('is refused before documents hold too many type conditions', () => {
    const types = Array.from({ length: 13 }, (_, index) => index)
    const world = worldOf({
      a: `type Query { n: N } interface N { id: ID! }
        ${types.map((type) => `type T${type} implements N { id: ID! n${type}: N }`).join('\n')}`,
    })
    const unfold = (below: string) =>
      types.map((type) => `... on T${type} { n${type} { ${below} } }`).join(' ')
    const fragments = `fragment A on N { ${unfold('id')} } fragment B on N { ${unfold('...A')} }`
    const two = `{ n { ...B } } ${fragments}`
    const three = `{ n { ...C } } ${fragments} fragment C on N { ${unfold('...B')} }`
    expect(planIn(world.graph, two).fetches).toHaveLength(1)
    expect(() => planIn(world.graph, three)).toThrow(PlanningError)
    expect(() => planIn(world.graph, three)).toThrow(/more than 2000 type conditions/)
  })
})
