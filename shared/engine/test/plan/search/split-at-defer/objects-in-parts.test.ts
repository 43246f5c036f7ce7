import { describe, expect, it } from 'vitest'
import { printPlan } from '../../../../src/plan/print/print-plan.ts'
import { worldOf } from '../../support/planned.ts'
import { deferred, fetchLines } from './planned.ts'

/** Several subgraphs each know a part of the details of an employee, who has a key; the details have none. */
const staff = worldOf({
  a: `type Query { employees: [Employee!]! employee: Employee members: [Member!]! }
    union Member = Employee | Guest
    type Guest { name: String }
    type Employee @key(fields: "id") { id: ID! details: Details @shareable contacts: [Contact] @shareable }
    type Details @shareable { forename: String! home: Home }
    type Home @shareable { street: String place: Place }
    type Place @shareable { zip: String }
    type Contact @shareable { name: String }`,
  b: `type Employee @key(fields: "id") { id: ID! details: Details @shareable contacts: [Contact] @shareable }
    type Details @shareable { hasChildren: Boolean! }
    type Contact @shareable { phone: String }`,
  c: `type Employee @key(fields: "id") { id: ID! details: Details @shareable }
    type Details @shareable { home: Home }
    type Home @shareable { place: Place }
    type Place @shareable { town: String }`,
})
const EMPLOYEE = 'query($r0:[_Any!]!){_entities(representations:$r0){...on Employee'

describe('what another subgraph knows of an object without a key is fetched later', () => {
  it.each([
    '{ employees { id details { forename } ... @defer { details { hasChildren } } } }',
    '{ employees { id details { forename ... @defer { hasChildren } } } }',
  ])('through the object around it, which has a key, in lists as well: %s', (document) => {
    expect(fetchLines(document, staff)).toEqual([
      '0 a {employees{id details{forename}}}',
      `for 1: 1 b after 0 ${EMPLOYEE}{details{hasChildren}}}}`,
    ])
    expect(printPlan(staff.graph, deferred(document, {}, staff))).not.toContain('surroundings')
  })

  it('if nothing else is asked of the object, too', () => {
    expect(fetchLines('{ employees { id ... @defer { details { hasChildren } } } }', staff)).toEqual([
      '0 a {employees{id}}',
      `for 1: 1 b after 0 ${EMPLOYEE}{details{hasChildren}}}}`,
    ])
  })

  it('at any depth of such objects', () => {
    expect(
      fetchLines('{ employees { details { home { street place { zip ... @defer { town } } } } } }', staff),
    ).toEqual([
      '0 a {employees{details{home{street place{zip}}} id}}',
      `for 1: 1 c after 0 ${EMPLOYEE}{details{home{place{town}}}}}}`,
    ])
  })

  it('of objects that a condition makes known', () => {
    expect(
      fetchLines('{ members { ... on Employee { id ... @defer { details { hasChildren } } } } }', staff),
    ).toEqual([
      '0 a {members{__typename ...on Employee{id}}}',
      `for 1: 1 b after 0 ${EMPLOYEE}{details{hasChildren}}}}`,
    ])
  })

  it('each part from who knows it, by requests for the same fragment', () => {
    expect(fetchLines('{ employees { id ... @defer { details { forename hasChildren } } } }', staff)).toEqual(
      [
        '0 a {employees{id}}',
        `for 1: 1 a after 0 ${EMPLOYEE}{details{forename}}}}`,
        `for 1: 2 b after 0 ${EMPLOYEE}{details{hasChildren}}}}`,
      ],
    )
  })

  it('for one fragment nested in another', () => {
    const document =
      '{ employees { id ... @defer { details { hasChildren ... @defer { home { place { town } } } } } } }'
    expect(fetchLines(document, staff)).toEqual([
      '0 a {employees{id}}',
      `for 1: 1 b after 0 ${EMPLOYEE}{details{hasChildren}}}}`,
      `for 2: 2 c after 0 ${EMPLOYEE}{details{home{place{town}}}}}}`,
    ])
  })

  it('but not in a list of such objects, which may be another one by then', () => {
    expect(fetchLines('{ employees { contacts { name ... @defer { phone } } } }', staff)).toEqual([
      '0 a {employees{id contacts{name}}}',
      `1 b after 0 ${EMPLOYEE}{contacts{phone}}}}`,
    ])
  })
})

it('of an object that its own subgraph cannot be asked for again, what others know is fetched later', () => {
  const world = worldOf({
    a: `type Query { employees: [Employee!]! }
      type Employee @key(fields: "id", resolvable: false) { id: ID! details: Details @shareable }
      type Details @shareable { forename: String! }`,
    b: `type Employee @key(fields: "id") { id: ID! details: Details @shareable }
      type Details @shareable { hasChildren: Boolean! home: Home }
      type Home @shareable { street: String }`,
  })
  const expected = [
    '0 a {employees{id details{forename}}}',
    `for 1: 1 b after 0 ${EMPLOYEE}{details{hasChildren home{street}}}}}`,
  ]
  for (const document of [
    '{ employees { id ... @defer { details { forename hasChildren home { street } } } } }',
    '{ employees { id details { forename ... @defer { hasChildren home { street } } } } }',
  ])
    expect(fetchLines(document, world)).toEqual(expected)
})
