/** One field asked of several subgraphs at once. */
import { describe, expect, it } from 'vitest'
import type { PlanOptions } from '../../src/plan/plan-operation.ts'
import { printPlan } from '../../src/plan/print/print-plan.ts'
import { fetches, lines, planIn, worldOf } from './support/planned.ts'

const SUBGRAPHS = {
  left: `
    type Query { node(id: ID): Node @shareable nodes: [Node!] @shareable lone: Node shelf: Shelf }
    type Mutation { change: Node @shareable }
    type Node @key(fields: "id") { id: ID! a: Int in: Inner @shareable }
    type Inner @key(fields: "id") { id: ID! x: Int }
    type Shelf @key(fields: "id") { id: ID! }`,
  right: `
    type Query { node(id: ID): Node @shareable nodes: [Node!] @shareable }
    type Mutation { change: Node @shareable }
    type Node @key(fields: "id") { id: ID! b: Int in: Inner @shareable }
    type Inner @key(fields: "id") { id: ID! y: Int }
    type Shelf @key(fields: "id") { id: ID! first: Inner @shareable }`,
  third: `
    type Node @key(fields: "id") { id: ID! c: Int }
    type Inner @key(fields: "id") { id: ID! z: Int }
    type Shelf @key(fields: "id") { id: ID! first: Inner @shareable }`,
}
const world = worldOf(SUBGRAPHS)

const whole = (query: string) => lines(world.graph, planIn(world.graph, query, {}, { sharedFields: false }))

describe('a shareable root field', () => {
  it('is asked of each subgraph that has a part, at once instead of in a row', () => {
    expect(fetches(world, '{ node { a b } }')).toEqual(['0 left {node{a}}', '1 right {node{b}}'])
  })

  it('is asked of one subgraph and completed by key where the setting is off', () => {
    expect(whole('{ node { a b } }')).toEqual([
      '0 left {node{id a}}',
      '1 right after 0 query($r0:[_Any!]!){_entities(representations:$r0){...on Node{b}}}',
    ])
  })

  it('says in the plan why it is asked twice', () => {
    const plan = printPlan(world.graph, planIn(world.graph, '{ node { a b } }'))
    expect(plan).toContain('root fields, a part of Query.node, beside "right"')
    expect(plan).toContain('root fields, a part of Query.node, beside "left"')
  })

  it('is asked with the same arguments', () => {
    expect(fetches(world, '{ node(id: "1") { a b } }')).toEqual([
      '0 left {node(id:"1"){a}}',
      '1 right {node(id:"1"){b}}',
    ])
  })

  it('is divided further below, also in lists', () => {
    expect(fetches(world, '{ nodes { a b in { x y } } }')).toEqual([
      '0 left {nodes{a in{x}}}',
      '1 right {nodes{b in{y}}}',
    ])
  })

  it('is completed by key for what no subgraph with the field has', () => {
    expect(fetches(world, '{ node { a b c } }')).toEqual([
      '0 left {node{id a}}',
      '1 right {node{b}}',
      '2 third after 0 query($r0:[_Any!]!){_entities(representations:$r0){...on Node{c}}}',
    ])
  })

  it('has one source where the other subgraph must be asked for something else later anyway', () => {
    expect(fetches(world, '{ node { a b } lone { b } }')).toEqual([
      '0 left {node{id a} lone{id}}',
      '1 right after 0 query($r0:[_Any!]!){_entities(representations:$r0){...on Node{b}}}',
    ])
  })

  it('has one source if there are no steps left to look for more', () => {
    const query = '{ node { a b } }'
    // Each look at a new graph: what was met before takes fewer steps.
    const stepsFor = (options: PlanOptions): number => {
      let steps = 0
      planIn(worldOf(SUBGRAPHS).graph, query, {}, { ...options, onSteps: (spent) => (steps = spent) })
      return steps
    }
    const few = stepsFor({ sharedFields: false })
    expect(stepsFor({})).toBeGreaterThan(few + 1)
    const { graph } = worldOf(SUBGRAPHS)
    expect(lines(graph, planIn(graph, query, {}, { stepLimit: Math.ceil(few) }))).toEqual(whole(query))
    expect(() =>
      planIn(worldOf(SUBGRAPHS).graph, query, {}, { stepLimit: Math.ceil(few), takesFirst: false }),
    ).toThrow(expect.objectContaining({ code: 'PLANNING_LIMIT' }))
  })

  it('has one source in a mutation, which must not be made twice', () => {
    expect(fetches(world, 'mutation { change { a b } }')).toEqual(whole('mutation { change { a b } }'))
  })
})

describe('a shareable field below an entity', () => {
  it('is asked of each subgraph that has a part, in calls that are made at once', () => {
    expect(fetches(world, '{ shelf { first { y z } } }')).toEqual([
      '0 left {shelf{id}}',
      '1 right after 0 query($r0:[_Any!]!){_entities(representations:$r0){...on Shelf{first{y}}}}',
      '2 third after 0 query($r0:[_Any!]!){_entities(representations:$r0){...on Shelf{first{z}}}}',
    ])
    expect(planIn(world.graph, '{ shelf { first { y z } } }', {}, { sharedFields: false }).depth).toBe(3)
  })
})
