import { describe, expect, it } from 'vitest'
import { SchemaUses } from '../../src/usage/coordinates-task.ts'

const SCHEMA = new SchemaUses(`
  directive @inaccessible on FIELD_DEFINITION
  enum join__Graph { A }
  interface Node { id: ID! }
  type Product implements Node { id: ID! price(in: Currency): Int hidden: Int @inaccessible }
  type Book implements Node { id: ID! title: String }
  union Found = Product | Book
  enum Currency { EUR USD }
  input Filter { color: String }
  type Query { search(filter: Filter): Found node: Node }
`)

const users = (coordinate: string) => SCHEMA.usersOf([coordinate]).get(coordinate)

describe('the uses of a schema', () => {
  it('has a coordinate for everything that clients see', () => {
    const all = [...SCHEMA.coordinates()]
    expect(all).toContain('Product.price(in:)')
    expect(all).toContain('Currency.EUR')
    expect(all).toContain('Found')
    expect(all.filter((one) => one.includes('hidden') || one.includes('join__'))).toEqual([])
  })

  it('knows what it has: types, members and arguments, and nothing that is hidden', () => {
    const has = (...coordinates: readonly string[]) => coordinates.map((one) => SCHEMA.has(one))
    expect(has('Found', 'Book.title', 'Product.price(in:)', 'Currency.EUR', 'Filter.color')).not.toContain(
      false,
    )
    expect(
      has(
        'Foun',
        'Book.titel',
        'Book.title(in:)',
        'Product.price(on:)',
        'Product.hidden',
        'Currency.GBP',
        '',
      ),
    ).not.toContain(true)
  })

  it('counts a field of an interface for the types that implement it, not the other way round', () => {
    expect(users('Product.id')).toEqual(['Product.id', 'Node.id'])
    expect(users('Node.id')).toEqual(['Node.id'])
  })

  it('counts a type for what returns or takes it, also as a member of a union or by an interface', () => {
    expect(users('Book')).toEqual(['Book', 'Node.id', 'Book.id', 'Book.title', 'Query.search', 'Query.node'])
    expect(users('Currency')).toEqual(['Currency', 'Product.price(in:)', 'Currency.EUR', 'Currency.USD'])
    expect(users('Filter.color')).toEqual(['Filter.color'])
    expect(users('Filter')).toEqual(['Filter', 'Filter.color', 'Query.search(filter:)'])
  })
})
