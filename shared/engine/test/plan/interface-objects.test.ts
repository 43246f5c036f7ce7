import { describe, expect, it } from 'vitest'
import { fetches, worldOf } from './support/planned.ts'

const WORLD = {
  library: `type Query { media: [Media] } interface Media @key(fields: "id") { id: ID! }
    type Film implements Media @key(fields: "id") { id: ID! } type Album implements Media @key(fields: "id") { id: ID! }`,
  reviews: 'type Media @interfaceObject @key(fields: "id") { id: ID! rank: Int! stars: Int }',
}

describe('an interface object', () => {
  it('is asked for a non-null field only on behalf of types that select it, since it may fail for others', () => {
    expect(fetches(worldOf(WORLD), '{ media { stars ... on Film { rank } } }')).toEqual([
      '0 library {media{__typename id}}',
      '1 reviews after 0 query($r0:[_Any!]!,$r1:[_Any!]!){_e0:_entities(representations:$r0){...on Media{stars}} _e1:_entities(representations:$r1){...on Media{stars rank}}}',
    ])
  })

  it('is asked once where all types want the same non-null fields', () => {
    expect(fetches(worldOf(WORLD), '{ media { stars rank } }')).toEqual([
      '0 library {media{__typename id}}',
      '1 reviews after 0 query($r0:[_Any!]!){_entities(representations:$r0){...on Media{stars rank}}}',
    ])
  })

  it('may be asked for a nullable field on behalf of others, too', () => {
    expect(fetches(worldOf(WORLD), '{ media { rank ... on Film { stars } } }')).toEqual([
      '0 library {media{__typename id}}',
      '1 reviews after 0 query($r0:[_Any!]!){_entities(representations:$r0){...on Media{rank stars}}}',
    ])
  })
})
