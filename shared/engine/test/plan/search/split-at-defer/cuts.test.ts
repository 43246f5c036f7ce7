import { parse, validate } from 'graphql'
import { describe, expect, it } from 'vitest'
import { lines } from '../../support/planned.ts'
import { deferred, fetchLines, world } from './planned.ts'

const USER = 'query($r0:[_Any!]!){_entities(representations:$r0){...on User'

describe('deferred fields are fetched later', () => {
  it('by the key, also from the subgraph that gives the object', () => {
    expect(fetchLines('{ me { id ... @defer { name friend { name } } } }')).toEqual([
      '0 a {me{id}}',
      `for 1: 1 a after 0 ${USER}{name friend{name}}}}`,
    ])
  })

  it('from other subgraphs, each fragment by requests of its own', () => {
    expect(
      fetchLines(
        '{ me { name ... @defer { mail } ... @defer { m: mail } } books { id ... @defer { stock } } }',
      ),
    ).toEqual([
      '0 a {me{name id} books{id}}',
      `for 1: 1 b after 0 ${USER}{mail}}}`,
      `for 2: 2 b after 0 ${USER}{m:mail}}}`,
      'for 3: 3 b after 0 query($r0:[_Any!]!){_entities(representations:$r0){...on Book{stock}}}',
    ])
  })

  it('at the root, by a request that waits for nothing', () => {
    expect(fetchLines('{ now ... @defer { me { name } } }')).toEqual(['0 a {now}', 'for 1: 1 a {me{name}}'])
  })

  it('on a path of single objects from the root, or from an object with a key', () => {
    expect(fetchLines('{ box { x inner { p ... @defer { q } } } }')).toEqual([
      '0 a {box{x inner{p}}}',
      'for 1: 1 a {box{inner{q}}}',
    ])
    expect(fetchLines('{ books { id } me { name details { a deep { a ... @defer { b } } } } }')).toEqual([
      '0 a {books{id} me{name details{a deep{a}} id}}',
      `for 1: 1 a after 0 ${USER}{details{deep{b}}}}}`,
    ])
  })

  it('of objects in lists by their key', () => {
    expect(fetchLines('{ books { id ... @defer { title } } }')).toEqual([
      '0 a {books{id}}',
      'for 1: 1 a after 0 query($r0:[_Any!]!){_entities(representations:$r0){...on Book{title}}}',
    ])
  })

  it('nested ones with the keys that the outer one fetched', () => {
    expect(fetchLines('{ me { ... @defer { friend { name ... @defer { mail } } } } }')).toEqual([
      '0 a {me{id}}',
      `for 1: 1 a after 0 ${USER}{friend{name id}}}}`,
      `for 2: 2 b after 0,1 ${USER}{mail}}}`,
    ])
  })

  it('with inputs of @requires from what is there, or fetched for the same fragment', () => {
    expect(fetchLines('{ me { age ... @defer { greeting } } }')).toEqual([
      '0 a {me{age id}}',
      `for 1: 1 c after 0 ${USER}{greeting}}}`,
    ])
    expect(fetchLines('{ me { id ... @defer { address } } }')).toEqual([
      '0 a {me{id}}',
      `for 1: 1 b after 0 ${USER}{mail}}}`,
      `for 1: 2 c after 0,1 ${USER}{address}}}`,
    ])
    // What the initial part fetches anyway is not fetched again.
    expect(fetchLines('{ me { mail ... @defer { address } } }')).toEqual([
      '0 a {me{id}}',
      `1 b after 0 ${USER}{mail}}}`,
      `for 1: 2 c after 0,1 ${USER}{address}}}`,
    ])
  })

  it('below the last field of a mutation', () => {
    expect(fetchLines('mutation { rename { id ... @defer { name mail } } }')).toEqual([
      '0 a mutation{rename{id}}',
      `for 1: 1 a after 0 ${USER}{name}}}`,
      `for 1: 2 b after 0 ${USER}{mail}}}`,
    ])
  })
})

describe('deferred fields are fetched with their surroundings', () => {
  it.each([
    [
      'in a list of objects without a key',
      '{ box { inners { p ... @defer { q } } } }',
      '0 a {box{inners{p q}}}',
    ],
    [
      'across an abstract type',
      '{ box { some { ... on Thing @defer { r } } } }',
      '0 a {box{some{__typename ...on Thing{r}}}}',
    ],
    [
      'where they are the key that is fetched anyway',
      '{ books { title ... @defer { id } } }',
      '0 a {books{title id}}',
    ],
    [
      'below a field of a mutation that gives objects without a key',
      'mutation { pack { x inner { p ... @defer { q } } } }',
      '0 a mutation{pack{x inner{p q}}}',
    ],
    [
      'below a field of a mutation that another one follows',
      'mutation { rename { id ... @defer { name } } sell { id } }',
      '0 a mutation{rename{id name} sell{id}}',
    ],
  ])('%s', (_where, document, fetch) => {
    expect(fetchLines(document)).toEqual([fetch])
    expect(deferred(document).groups[1]).toMatchObject({ isLive: true })
  })

  it('after the first 64 fragments, since each is a request', () => {
    const fragments = Array.from({ length: 66 }, (_, index) => `... @defer { a${index + 1}: name }`)
    const plan = deferred(`{ me { ${fragments.join(' ')} } }`)
    expect(new Set(plan.fetches.map(({ group }) => group))).toEqual(new Set(Array(65).keys()))
    const surroundings = plan.fetches.filter(({ group }) => group === 0)
    expect(surroundings).toHaveLength(1)
    expect(lines(world.graph, plan)[surroundings[0]?.id ?? -1]).toBe('0 a {me{a65:name a66:name id}}')
    expect(plan.groups.every(({ isLive }) => isLive)).toBe(true)
  })
})

describe('documents of deferred fetches', () => {
  it.each([
    '{ me { ... @defer { details { a } } details { b } ... @defer { friends { name ... @defer { age mail } } } } }',
    '{ node { ... @defer { id } ... on User @defer { name friend { ... @defer { id name } } } ... on Book @defer { title stock } } }',
    '{ box { ... @defer { inner { p } x } inner { ... @defer { p q } } } }',
  ])('are valid, and no field waits for a fragment that comes after its own: %s', (document) => {
    const plan = deferred(document)
    for (const fetch of plan.fetches) {
      const schema = world.subgraphs.get(world.graph.compiled.subgraphs[fetch.subgraph]?.name ?? '')?.schema
      expect(schema === undefined ? ['no schema'] : validate(schema, parse(fetch.document))).toEqual([])
      for (const other of fetch.after) expect(plan.fetches[other]?.group).toBeLessThanOrEqual(fetch.group)
    }
  })
})
