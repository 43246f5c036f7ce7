import { describe, expect, it } from 'vitest'
import { fetches, worldOf } from '../support/planned.ts'

describe('selections of several types', () => {
  const source = 'type Query { all: [Animal] } interface Animal { id: ID! }'
  const both = (types: string) =>
    ['Cat', 'Dog']
      .map((name) => `type ${name} implements Animal @key(fields: "id") { id: ID! ${types} }`)
      .join(' ')

  it('are one of the interface that means exactly them, also among entities', () => {
    const world = worldOf({
      a: `${source} ${both('')}`,
      b: `interface Animal { id: ID! legs: Int } ${both('legs: Int')}`,
    })
    expect(fetches(world, '{ all { legs } }')).toEqual([
      '0 a {all{__typename id}}',
      '1 b after 0 query($r0:[_Any!]!){_entities(representations:$r0){...on Animal{legs}}}',
    ])
  })

  it('stay apart where the interface means more', () => {
    const world = worldOf({
      a: `${source} ${both('')} type Cow implements Animal @key(fields: "id") { id: ID! legs: Int @shareable }`,
      b: `interface Animal { id: ID! legs: Int } ${both('legs: Int')}
        type Cow implements Animal @key(fields: "id") { id: ID! legs: Int @shareable }`,
    })
    expect(fetches(world, '{ all { ... on Cat { legs } ... on Dog { legs } ... on Cow { legs } } }')).toEqual(
      [
        '0 a {all{__typename ...on Cat{id} ...on Dog{id} ...on Cow{legs}}}',
        '1 b after 0 query($r0:[_Any!]!){_entities(representations:$r0){...on Cat{legs} ...on Dog{legs}}}',
      ],
    )
  })

  it('stay apart where the interface has another type that a neighbour conflicts with', () => {
    const world = worldOf({
      a: `type Query { any: [Any] } union Any = Cat | Dog | Robot interface Animal { name: String }
        type Cat implements Animal { name: String! } type Dog implements Animal { name: String! }
        type Robot { name: String! model: Int }`,
    })
    expect(
      fetches(world, '{ any { ... on Cat { name } ... on Dog { name } ... on Robot { name model } } }'),
    ).toEqual(['0 a {any{__typename ...on Cat{name} ...on Dog{name} ...on Robot{name model}}}'])
  })
})
