import { beforeEach, describe, expect, it } from 'vitest'
import { compareErrors, dataText, explainedNulls } from '../src/harness/compare.ts'
import { createMonolith } from '../src/harness/monolith.ts'
import { type CorpusSubgraph, createSubgraphs } from '../src/harness/subgraph-behaviour.ts'
import { FED2, find, type Suite } from '../src/harness/suite.ts'

/** The corpus is only worth something if its subgraphs refuse what a real subgraph could not know. */
const suite: Suite = {
  name: 'harness',
  monolith: `
    type Query { boxes: [Box!]! held: Box }
    type Box { id: ID! weight: Int moved: Int fee: Int }
  `,
  tables: () => ({ Box: [{ __typename: 'Box', id: '1', weight: 5, moved: 6 }] }),
  fields: {
    'Query.boxes': (_row, _args, tables) => tables['Box'],
    'Query.held': (_row, _args, tables) => find(tables['Box'], 'id', '1'),
  },
  computed: { 'Box.fee': { compute: ({ weight }) => Number(weight) * 2 } },
  subgraphs: {
    store: {
      sdl: `${FED2}
        type Query { boxes: [Box!]! held: Box @provides(fields: "weight") }
        type Box @key(fields: "id") { id: ID! weight: Int @external moved: Int fee: Int @requires(fields: "weight") }`,
    },
    scale: {
      sdl: `${FED2} type Box @key(fields: "id") { id: ID! weight: Int moved: Int @override(from: "store") }`,
    },
  },
  operations: [],
}

describe('a subgraph of the corpus', () => {
  let subgraphs: ReadonlyMap<string, CorpusSubgraph>

  beforeEach(() => {
    subgraphs = createSubgraphs(suite, createMonolith(suite).world)
  })

  async function ask(subgraph: string, query: string, representations: readonly unknown[] = []) {
    const found = subgraphs.get(subgraph) ?? expect.fail(subgraph)
    const { body } = await found.server.execute(
      JSON.stringify({ query, variables: { representations } }),
      suite.tables?.(),
    )
    return { text: JSON.stringify(body), ...found }
  }

  const entities = (selection: string) =>
    `query ($representations: [_Any!]!) { _entities(representations: $representations) { ... on Box { ${selection} } } }`

  it('answers what it owns', async () => {
    expect((await ask('scale', entities('weight moved'), [{ __typename: 'Box', id: '1' }])).text).toBe(
      '{"data":{"_entities":[{"weight":5,"moved":6}]}}',
    )
  })

  it('refuses an external field where it is not provided', async () => {
    expect((await ask('store', '{ boxes { weight } }')).text).toContain('Box.weight is external to store')
    expect((await ask('store', '{ held { weight } }')).text).toBe('{"data":{"held":{"weight":5}}}')
  })

  it('refuses a field that was overridden', async () => {
    expect((await ask('store', '{ boxes { moved } }')).text).toContain('overridden by another subgraph')
  })

  it('computes from the representation only', async () => {
    const computed = await ask('store', entities('fee'), [{ __typename: 'Box', id: '1', weight: 50 }])
    expect(computed.text).toBe('{"data":{"_entities":[{"fee":100}]}}')
    expect((await ask('store', '{ boxes { fee } }')).text).toContain('was asked without inputs')
    const incomplete = await ask('store', entities('fee'), [{ __typename: 'Box', id: '1' }])
    expect(incomplete.text).toContain('The required input Box.weight was not sent')
  })

  it.each([
    [{ __typename: 'Box' }, 'holds no whole resolvable key'],
    [{ __typename: 'Box', id: null }, 'holds no whole resolvable key'],
    [{ __typename: 'Box', id: '1', extra: 1 }, '"extra" is neither a key field nor required'],
  ])('complains about the representation %j', async (representation, complaint) => {
    const { complaints } = await ask('scale', entities('id'), [representation])
    expect(complaints.join()).toContain(complaint)
  })

  it('finds what is sent for nothing', async () => {
    const sent = [{ __typename: 'Box', id: '1', weight: 50 }]
    const needed = await ask('store', entities('fee'), sent)
    expect(needed.surplus()).toEqual([])
    const unneeded = await ask('store', entities('id'), sent)
    expect(unneeded.surplus().join()).toContain('weight is sent for nothing')
  })

  it('records a document that is not valid for its schema', async () => {
    const { server } = await ask('scale', '{ boxes { id } }')
    expect(server.invalidDocuments).toHaveLength(1)
    expect(server.calls).toHaveLength(1)
  })
})

describe('comparing with the oracle', () => {
  const operation = { name: 'x', query: '{ x }' }
  const oracle = { data: { a: [null] }, errorPaths: ['["a",0]'], messages: ['m'] }
  const errorAt = (...path: (string | number)[]) => ({ message: 'x', path })
  const result = (...errors: ReturnType<typeof errorAt>[]) => ({ data: oracle.data, errors })

  it('sees the order of keys, and of lists unless told otherwise', () => {
    expect(dataText({ a: 1, b: 2 }, operation)).not.toBe(dataText({ b: 2, a: 1 }, operation))
    expect(dataText([1, 2], operation)).not.toBe(dataText([2, 1], operation))
    const any = { ...operation, anyOrder: true } as const
    expect(dataText([1, { x: [3, 4] }], any)).toBe(dataText([{ x: [4, 3] }, 1], any))
    expect(dataText([1, 1], any)).not.toBe(dataText([1], any))
  })

  it('sees errors that are missing, surplus or elsewhere', () => {
    expect(compareErrors('exact', oracle, result(errorAt('a', 0)))).toEqual([])
    expect(compareErrors('exact', oracle, result())).toHaveLength(1)
    expect(compareErrors('exact', oracle, result(errorAt('a', 0), errorAt('b')))).toHaveLength(1)
    expect(compareErrors('exact', oracle, result(errorAt('a')))).toHaveLength(2)
    expect(compareErrors('prefix', oracle, result(errorAt('a')))).toEqual([])
    expect(compareErrors('prefix', oracle, result(errorAt('b')))).toHaveLength(2)
    expect(compareErrors(undefined, oracle, result(errorAt('a', 0)))).toHaveLength(1)
  })

  it('traces errors to the null they explain', () => {
    expect(explainedNulls({ a: { b: null } }, ['["a","b","c",0]', '["a","b"]'])).toEqual(['["a","b"]'])
    expect(explainedNulls({ a: { b: null } }, ['["a","c"]'])).toEqual(['["a","c"]'])
  })
})
