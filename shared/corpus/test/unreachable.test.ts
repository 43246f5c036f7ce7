/**
 * Supergraphs that promise more than their subgraphs can keep: no composition lets them through, but one may
 * come from elsewhere. What cannot be had is an error before any call; all the rest is answered.
 */
import { compose } from '@switchyard/composition'
import { describe, expect, it } from 'vitest'
import { createMonolith } from '../src/harness/monolith.ts'
import { createEngine } from '../src/harness/run-engine.ts'
import { FED2, subgraphInputs } from '../src/harness/suite.ts'
import type { Suite } from '../src/harness/suite.ts'
import { interfaceObjects } from '../src/suites/interface-objects.ts'
import { loneInterfaceObjects } from '../src/suites/lone-interface-objects.ts'
import { sharedNodes } from '../src/suites/shared-nodes.ts'

describe('a key field that one subgraph only takes', () => {
  const suite = sharedNodes
  const supergraphSdl = edited(
    suite,
    /(type Account[^{]*\{\s*)id: ID!/,
    '$1id: ID! @join__field(graph: LOGINS) @join__field(graph: TALKS, external: true)',
  )

  it.each([
    '{ talk(id: "t1") { text account { id } } }',
    '{ talk(id: "t1") { account { login } } }',
    '{ node(id: "t1") { ... on Talk { account { id login } } } account(id: "a1") { id } }',
  ])('is not asked of it: %s', (query) => refuses(suite, supergraphSdl, query))

  it.each([
    '{ talk(id: "t1") { account { __typename talks { id text } } } }',
    '{ node(id: "a1") { id __typename ... on Account { login talks { id words } } } }',
    '{ account(id: "a1") { id login talks { account { talks { id } } } } }',
  ])('is sent to it: %s', (query) => answers(suite, supergraphSdl, query))
})

describe('an interface object that cannot be entered', () => {
  const suite = interfaceObjects
  const supergraphSdl = edited(
    suite,
    '@join__type(graph: RENTAL, key: "id", isInterfaceObject: true)',
    '@join__type(graph: RENTAL, key: "id", resolvable: false, isInterfaceObject: true)',
  )

  it.each([
    '{ film(id: "f1") { title price } }',
    '{ media { id price } }',
    '{ reviewed { price } rentals { day } }',
    '{ top { verdict } }',
  ])('is not entered: %s', (query) => refuses(suite, supergraphSdl, query))

  it.each([
    '{ rentals { item { id price } } }',
    '{ rentals { item { __typename price title ... on Film { minutes dubbed price } } } }',
  ])('answers at its own roots: %s', (query) => answers(suite, supergraphSdl, query))
})

describe('an interface that cannot be entered', () => {
  const suite = interfaceObjects
  const supergraphSdl = edited(
    suite,
    /(interface Media[^{]*)@join__type\(graph: LIBRARY, key: "id"\)/,
    '$1@join__type(graph: LIBRARY, key: "id", resolvable: false)',
  )

  it.each([
    '{ rentals { item { title } } }',
    '{ rentals { item { price ... on Film { minutes } } } }',
    '{ rentals { day item { __typename price } } }',
    '{ rentals { item { id ... on Film { price } } } }',
    '{ rentals { item { price ... on Media { kind: __typename } } } }',
  ])('tells nobody the true type: %s', (query) => refuses(suite, supergraphSdl, query))

  it('is named with the path at which the type is missing', async () => {
    const query = '{ rentals { item { kind: __typename } other: item { ... on Film { price } } } }'
    const { result } = await createEngine(suite, { supergraphSdl }).run({ name: query, query })
    expect(result.errors.map(({ path, message }) => [path?.join('.'), message])).toEqual([
      ['rentals.item.kind', expect.stringContaining('which type the "Media" at this place')],
      ['rentals.other', expect.stringContaining('which type the "Media" at this place')],
    ])
  })

  it('leaves the type to another subgraph that answers the same field', async () => {
    const sdl = supergraphSdl
      .replace(
        /top: Media @join__field\(graph: LIBRARY\)/,
        'top: Media @join__field(graph: LIBRARY) @join__field(graph: RENTAL)',
      )
      .replace(/(key: "id")(, isInterfaceObject: true)/g, '$1, resolvable: false$2')
    const rental = suite.subgraphs['rental']?.sdl.replace(
      'rentals: [Rental!]!',
      'rentals: [Rental!]! top: Media',
    )
    const shared = { ...suite, subgraphs: { ...suite.subgraphs, rental: { sdl: rental ?? '' } } }
    await answers(shared, sdl, '{ top { __typename price } }')
    await answers(shared, sdl, '{ top { id ... on Film { price } ... on Album { tracks price } } }')
    await refuses(shared, sdl, '{ rentals { item { __typename } } }')
  })

  it.each(['{ rentals { item { id price stars } } }', '{ media { __typename title price } }'])(
    'answers what needs no type: %s',
    (query) => answers(suite, supergraphSdl, query),
  )
})

describe('a place where there can be no object', () => {
  const whole = 'type Query { a: I b: I x: Int } interface I { id: ID! field: Int }'
  const real = `${FED2} type Query { a: I x: Int } interface I { id: ID! field: Int }`
  const suites: readonly Suite[] = [
    {
      name: 'an interface that no type implements',
      monolith: whole.replace('b: I ', ''),
      subgraphs: { real: { sdl: real } },
      operations: [],
    },
    {
      name: 'the same where another subgraph has it as interface object',
      monolith: whole,
      subgraphs: {
        real: { sdl: real },
        object: {
          sdl: `${FED2} type Query { b: I } type I @interfaceObject @key(fields: "id") { id: ID! }`,
        },
      },
      operations: [],
    },
  ]

  it.each(suites)('is null, and whatever is selected there is not refused: $name', async (suite) => {
    for (const query of ['{ a { field } }', '{ a { id __typename field } x }', '{ a { ... { field } } }'])
      await answers(suite, composed(suite), query)
  })

  it('is not where the interface object itself gives objects', async () => {
    const [, suite] = suites
    if (suite === undefined) expect.fail('There is no second suite.')
    await refuses(suite, composed(suite), '{ b { field } }')
    await answers(suite, composed(suite), '{ b { id } a { id } }')
  })
})

describe('an interface object without implementations', () => {
  const suite = loneInterfaceObjects
  const supergraphSdl = composed(suite)

  it.each([
    '{ badge(id: "b1") { id __typename } }',
    '{ badges { label } wall { badges { wall { badges { kind: __typename } } } } }',
    '{ badge(id: "none") { ... on Badge { __typename } } }',
  ])('has no type: %s', (query) => refuses(suite, supergraphSdl, query))

  it('has nothing of a subgraph in which the interface is a real one', async () => {
    const sdl = supergraphSdl.replace(
      'label: String @join__field(graph: AWARDS)',
      'label: String @join__field(graph: CATALOGUE)',
    )
    expect(sdl).not.toBe(supergraphSdl)
    await refuses(suite, sdl, '{ badges { id label } }')
  })
})

async function refuses(suite: Suite, supergraphSdl: string, query: string): Promise<void> {
  const { result, calls } = await createEngine(suite, { supergraphSdl }).run({ name: query, query })
  expect(result.data).toBeNull()
  expect(calls).toEqual({})
  expect(new Set(result.errors.map(({ extensions }) => extensions?.['code']))).toEqual(
    new Set(['PLAN_UNREACHABLE']),
  )
}

async function answers(suite: Suite, supergraphSdl: string, query: string): Promise<void> {
  const operation = { name: query, query }
  const { result, complaints } = await createEngine(suite, { supergraphSdl }).run(operation)
  const oracle = await createMonolith(suite).answer(operation)
  expect(complaints).toEqual([])
  expect(result.errors).toEqual([])
  expect(JSON.stringify(result.data)).toBe(JSON.stringify(oracle.data))
}

function composed(suite: Suite): string {
  const result = compose({ subgraphs: subgraphInputs(suite) })
  if (result.kind === 'failed')
    throw new Error(`The suite ${suite.name} does not compose: ${JSON.stringify(result.errors)}`)
  return result.supergraphSdl
}

/** The supergraph of the suite with one thing changed. */
function edited(suite: Suite, pattern: string | RegExp, replacement: string): string {
  const before = composed(suite)
  const sdl = before.replace(pattern, replacement)
  if (sdl === before) throw new Error(`The supergraph of ${suite.name} has no such text`)
  return sdl
}
