import { describe, expect, it } from 'vitest'
import { worldOf } from '../../support/planned.ts'
import { fetchLines } from './planned.ts'

describe('what is deferred does not decide who gives the first part', () => {
  it('where another subgraph than the one that would give it alone could be asked for more', () => {
    const world = worldOf({
      left: `type Query { hub: Hub @shareable } type Hub @key(fields: "id") { id: ID! history: [String] @shareable }`,
      right: `type Query { hub: Hub @shareable } type Hub @key(fields: "id") { id: ID! history: [String] @shareable name: String }`,
    })
    expect(fetchLines('{ hub { id ... @defer { name history } } }', world)[0]).toBe('0 left {hub{id}}')
  })

  it('where a later part is a key', () => {
    const world = worldOf({
      accounts: `type Query { review: Review @shareable } type Review @key(fields: "id") @key(fields: "code") { id: ID! code: ID! }`,
      events: `type Query { review: Review @shareable } type Review @key(fields: "code") { code: ID! }`,
    })
    expect(fetchLines('{ review { ... @defer { id } } }', world)[0]).toContain('0 accounts')
  })
})

describe('behind an interface object', () => {
  const world = worldOf({
    a: `type Query { rentals: [Rental] media: [Media] } type Rental { item: Media } type Media @interfaceObject @key(fields: "id") { id: ID! stars: Int }`,
    b: `interface Media @key(fields: "id") { id: ID! title: String }
      type Film implements Media @key(fields: "id") { id: ID! title: String minutes: Int }
      type Album implements Media @key(fields: "id") { id: ID! title: String }`,
  })
  const MEDIA = 'query($r0:[_Any!]!){_entities(representations:$r0){'

  it('deferred fields are fetched later by the key of the interface', () => {
    expect(fetchLines('{ media { stars ... @defer { title } } }', world)).toEqual([
      '0 a {media{stars id}}',
      `for 1: 1 b after 0 ${MEDIA}__typename ...on Media{title}}}`,
    ])
  })

  it('types that decide what is deferred are learned with the first part', () => {
    expect(fetchLines('{ media { stars ... on Film @defer { minutes } } }', world)).toEqual([
      '0 a {media{id stars}}',
      `1 b after 0 ${MEDIA}__typename}}`,
      `for 1: 2 b after 0 ${MEDIA}__typename ...on Film{minutes}}}`,
    ])
  })
})

it('what another subgraph is asked for although the own one provides a part of it is fetched later', () => {
  const world = worldOf({
    press: `type Query { best: Book @provides(fields: "writer { name }") }
      type Book @key(fields: "id") { id: ID! writer: Writer @external } type Writer { name: String @external }`,
    owner: `type Book @key(fields: "id") { id: ID! writer: Writer @shareable } type Writer @shareable { name: String born: Int }`,
  })
  expect(fetchLines('{ best { id ... @defer { writer { name born } } } }', world)).toEqual([
    '0 press {best{id}}',
    'for 1: 1 owner after 0 query($r0:[_Any!]!){_entities(representations:$r0){...on Book{writer{name born}}}}',
  ])
})
