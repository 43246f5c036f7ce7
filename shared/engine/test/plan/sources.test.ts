import { describe, expect, it } from 'vitest'
import { fetches, lines, planIn, worldOf } from './support/planned.ts'

describe('provided fields', () => {
  const world = worldOf({
    forum: `
      type Query { posts: [Post] }
      type Post { author: User @provides(fields: "name address { zip }") editor: User }
      type User @key(fields: "id") { id: ID! name: String @external address: Address @external }
      type Address { zip: String @external }`,
    users: `
      type User @key(fields: "id") { id: ID! name: String @shareable address: Address @shareable }
      type Address { zip: String @shareable street: String }`,
  })

  it('are taken where the path provides them', () => {
    expect(fetches(world, '{ posts { author { name address { zip } } } }')).toEqual([
      '0 forum {posts{author{name address{zip}}}}',
    ])
  })

  it('are not there on other paths to the same type', () => {
    expect(fetches(world, '{ posts { editor { name } } }')).toEqual([
      '0 forum {posts{editor{id}}}',
      '1 users after 0 query($r0:[_Any!]!){_entities(representations:$r0){...on User{name}}}',
    ])
  })
})

describe('required fields', () => {
  it('may have requirements of their own', () => {
    const world = worldOf({
      a: 'type Query { jobs: [Job] } type Job @key(fields: "id") { id: ID! hours: Int }',
      b: 'type Job @key(fields: "id") { id: ID! hours: Int @external cost: Int @requires(fields: "hours") }',
      c: 'type Job @key(fields: "id") { id: ID! cost: Int @external tax: Int @requires(fields: "cost") }',
    })
    expect(fetches(world, '{ jobs { tax } }')).toEqual([
      '0 a {jobs{id hours}}',
      '1 b after 0 query($r0:[_Any!]!){_entities(representations:$r0){...on Job{cost}}}',
      '2 c after 0,1 query($r0:[_Any!]!){_entities(representations:$r0){...on Job{tax}}}',
    ])
  })

  it('are asked with the arguments of the requirement beside those of the client', () => {
    const world = worldOf({
      a: 'type Query { rooms: [Room] } type Room @key(fields: "id") { id: ID! heat(unit: String): Int }',
      b: `type Room @key(fields: "id") {
        id: ID! heat(unit: String): Int @external
        cosy: Boolean @requires(fields: "heat(unit: \\"C\\")")
        american: Boolean @requires(fields: "heat(unit: \\"F\\")")
      }`,
    })
    expect(fetches(world, '{ rooms { heat(unit: "K") cosy american } }')).toEqual([
      '0 a {rooms{id _s0:heat(unit:"C") _s1:heat(unit:"F") heat(unit:"K")}}',
      '1 b after 0 query($r0:[_Any!]!,$r1:[_Any!]!){_e0:_entities(representations:$r0){...on Room{cosy}} _e1:_entities(representations:$r1){...on Room{american}}}',
    ])
  })
})

describe('values that several subgraphs hold in part', () => {
  const world = worldOf({
    a: 'type Query { settings: Settings @shareable } type Settings { theme: String version: Int @shareable }',
    b: 'type Query { settings: Settings @shareable } type Settings { locale: String version: Int @shareable }',
  })

  it('come from one subgraph if that has them whole', () => {
    expect(fetches(world, '{ settings { locale version } }')).toEqual(['0 b {settings{locale version}}'])
  })

  it('are put together otherwise', () => {
    const plan = planIn(world.graph, '{ settings { theme locale version } }')
    expect(lines(world.graph, plan)).toEqual(['0 a {settings{theme version}}', '1 b {settings{locale}}'])
    expect(plan.positions[1]?.providers).toEqual([
      { kind: 'inline', slot: 0, key: 'settings' },
      { kind: 'inline', slot: 1, key: 'settings' },
    ])
  })

  it('are asked again of the entity that holds them', () => {
    const machines = worldOf({
      a: 'type Query { machine: Machine } type Machine @key(fields: "id") { id: ID! status: Status @shareable } type Status { up: Int }',
      b: 'type Machine @key(fields: "id") { id: ID! status: Status @shareable } type Status { load: Int }',
    })
    expect(fetches(machines, '{ machine { status { up load } } }')).toEqual([
      '0 a {machine{id status{up}}}',
      '1 b after 0 query($r0:[_Any!]!){_entities(representations:$r0){...on Machine{status{load}}}}',
    ])
  })
})

describe('overridden fields', () => {
  it('come from their new owner, also through an interface', () => {
    const world = worldOf({
      a: 'type Query { feed: [Post] } interface Post { id: ID! at: String } type Text implements Post @key(fields: "id") { id: ID! at: String }',
      b: 'type Text @key(fields: "id") { id: ID! at: String @override(from: "a") }',
    })
    expect(fetches(world, '{ feed { id at } }')).toEqual([
      '0 a {feed{__typename id}}',
      '1 b after 0 query($r0:[_Any!]!){_entities(representations:$r0){...on Text{at}}}',
    ])
  })
})

describe('keys', () => {
  it('that need keys of nested objects are gathered below first', () => {
    const world = worldOf({
      a: 'type Query { lists: [L] } type L @key(fields: "items { id }") { items: [P!]! @shareable } type P @key(fields: "id") { id: ID! }',
      b: 'type P @key(fields: "id") @key(fields: "id pid") { id: ID! pid: ID! }',
      c: 'type L @key(fields: "items { id pid }") { items: [P!]! @shareable size: Int } type P @key(fields: "id pid") { id: ID! pid: ID! }',
    })
    expect(fetches(world, '{ lists { size } }')).toEqual([
      '0 a {lists{items{id}}}',
      '1 b after 0 query($r0:[_Any!]!){_entities(representations:$r0){...on P{pid}}}',
      '2 c after 0,1 query($r0:[_Any!]!){_entities(representations:$r0){...on L{size}}}',
    ])
  })

  it('that are not resolvable are no way in', () => {
    const world = worldOf({
      a: 'type Query { users: [User] } type User @key(fields: "id", resolvable: false) { id: ID! }',
      b: 'type User @key(fields: "id") { id: ID! name: String }',
    })
    expect(fetches(world, '{ users { id } }')).toEqual(['0 a {users{id}}'])
  })
})
