import { describe, expect, it } from 'vitest'
import { runTask } from '../src/lanes/compose-task.ts'

const LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.7", import: ["@key", "@override"])\n'

describe('the composition of a flag', () => {
  it('knows which subgraph a feature subgraph replaces, where another one overrides a field of it', () => {
    const task = (replaced: string | null) => ({
      subgraphs: [
        {
          name: 'catalog-next',
          baseName: replaced,
          routingUrl: 'http://catalog.test/',
          sdl: `${LINK}type Query { books: [Book!]! } type Book @key(fields: "id") { id: ID! inStock: Int }`,
        },
        {
          name: 'stock',
          baseName: null,
          routingUrl: 'http://stock.test/',
          sdl: `${LINK}type Book @key(fields: "id") { id: ID! inStock: Int @override(from: "catalog") }`,
        },
      ],
      options: { allowUnenforcedAuthorization: false },
    })

    expect(runTask(task('catalog')).kind).toBe('composed')
    expect(runTask(task(null))).toMatchObject({ kind: 'failed', errors: [{ code: 'INVALID_FIELD_SHARING' }] })
  })
})
