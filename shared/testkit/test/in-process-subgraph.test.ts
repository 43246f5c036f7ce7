import { InProcessSubgraph } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'

function createSubgraph() {
  return new InProcessSubgraph({
    name: 'things',
    sdl: `
      extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])
      type Query { hello(name: String): String }
      type Thing @key(fields: "id") { id: ID! size: Int }`,
    resolvers: {
      Query: { hello: (_source, { name }) => `hello ${name}` },
      Thing: {
        size: ({ id }, _args, sizes) => sizes[id],
        __resolveReference: (reference: { id: string }) => (reference.id === 'none' ? null : reference),
      },
    },
  })
}

describe('an in-process subgraph', () => {
  it('answers a request body as a server would, and records it', async () => {
    const subgraph = createSubgraph()
    const query = 'query ($name: String) { hello(name: $name) }'
    const answer = await subgraph.execute(JSON.stringify({ query, variables: { name: 'you' } }))
    expect(answer).toEqual({ status: 200, body: { data: { hello: 'hello you' } } })
    expect(subgraph.calls).toEqual([{ query, variables: { name: 'you' } }])
    subgraph.forget()
    expect(subgraph.calls).toEqual([])
  })

  it('resolves representations, with the context of the call', async () => {
    const query = 'query ($r: [_Any!]!) { _entities(representations: $r) { ... on Thing { size } } }'
    const r = ['a', 'none', 'b'].map((id) => ({ __typename: 'Thing', id }))
    const answer = await createSubgraph().execute(JSON.stringify({ query, variables: { r } }), { a: 1, b: 2 })
    expect(answer.body).toEqual({ data: { _entities: [{ size: 1 }, null, { size: 2 }] } })
  })

  it.each(['{ nothing }', '{ hello', '{ hello(name: 5) }'])(
    'keeps the invalid document %s',
    async (query) => {
      const subgraph = createSubgraph()
      const answer = await subgraph.execute(JSON.stringify({ query }))
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ message: expect.any(String) }] } })
      expect(subgraph.invalidDocuments).toMatchObject([{ query }])
    },
  )

  it('refuses a body that is no GraphQL request', async () => {
    await expect(createSubgraph().execute('{"variables":{}}')).rejects.toThrow('"query"')
  })
})
