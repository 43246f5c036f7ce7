/** What sample subgraphs once had wrong. */
import { compose } from '@switchyard/composition'
import { describe, expect, it } from 'vitest'
import { openBench } from './bench.ts'

const FED2 =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.7", import: ["@key", "@external", "@requires", "@provides"])\n'

async function bothAnswer(subgraphs: Readonly<Record<string, string>>, query: string) {
  const composed = compose({
    subgraphs: Object.entries(subgraphs).map(([name, sdl]) => ({
      name,
      sdl: FED2 + sdl,
      routingUrl: `http://${name}.test/`,
    })),
  })
  if (composed.kind === 'failed') throw new Error(JSON.stringify(composed.errors))
  const bench = openBench(composed.supergraphSdl)
  const [ours, expected] = [await bench.engine({ query }), await bench.server({ query })]
  expect(ours).toEqual(expected)
  return ours
}

describe('sample subgraphs', () => {
  it('compute required inputs with the defaults of their arguments', async () => {
    const { errors } = await bothAnswer(
      {
        a: 'type Query { all: [T!]! } type T @key(fields: "id") { id: ID! size(unit: String = "m"): Int! }',
        b: `type T @key(fields: "id") { id: ID! size(unit: String = "m"): Int! @external
              area: String! @requires(fields: "size") }`,
      },
      '{ all { area } }',
    )
    expect(errors).toEqual([])
  })

  it('serve what they provide below another type than the supergraph says they declare', async () => {
    const { errors } = await bothAnswer(
      {
        a: `type Query { some: [P!]! } interface Named { name: String }
            type P implements Named @key(fields: "id") { id: ID! name: String label: String }`,
        b: `type Query { any: [Named!]! @provides(fields: "... on P { label }") } interface Named { other: Int }
            type P implements Named @key(fields: "id") { id: ID! other: Int label: String @external }`,
      },
      '{ any { other ... on P { label } } some { id } }',
    )
    expect(errors).toEqual([])
  })
})
