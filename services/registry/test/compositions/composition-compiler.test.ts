import { compose } from '@switchyard/composition'
import { compileSupergraph } from '@switchyard/engine'
import { describe, expect, it } from 'vitest'
import { CompositionCompiler } from '../../src/compositions/composition-compiler.ts'

const LINK = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@key"])'

function supergraph(more: string): string {
  const products = `${LINK} type Query { products: [Product] } type Product @key(fields: "id") { id: ID! ${more} }`
  const reviews = `${LINK} type Product @key(fields: "id") { id: ID! stars: Int }`
  const subgraphs = [
    { name: 'products', routingUrl: 'http://p/', sdl: products },
    { name: 'reviews', routingUrl: 'http://r/', sdl: reviews },
  ]
  const composed = compose({ subgraphs })
  if (composed.kind === 'failed') throw new Error(JSON.stringify(composed.errors))
  return composed.supergraphSdl
}

describe('a compiler of compositions', () => {
  it('makes of each what it is by itself, whatever came before', async () => {
    const base = supergraph('name: String')
    const flags = ['name: String price: Int', 'title: String', 'name: [Int!]'].map(supergraph)
    const other = 'type Query { of: Other } type Other { id: ID }'
    const composed = compose({ subgraphs: [{ name: 'other', routingUrl: 'http://o/', sdl: other }] })
    if (composed.kind === 'failed') throw new Error(JSON.stringify(composed.errors))
    const compiler = new CompositionCompiler()
    const order = [base, ...flags, base, composed.supergraphSdl, ...flags, base]
    for (const text of order) expect(await compiler.compile(text)).toEqual(compileSupergraph(text))
  })

  it('shares what a flag has in common with base', async () => {
    const compiler = new CompositionCompiler()
    const base = await compiler.compile(supergraph('name: String'))
    const flag = await compiler.compile(supergraph('name: String price: Int'))
    const query = ({ types }: typeof base) => types.find(({ name }) => name === 'Query')
    expect(query(flag)).toBe(query(base))
  })
})
