import { describe, expect, it } from 'vitest'
import { locateInSdl } from '../src/index.ts'

const SDL = `"""
Product
"""
type Product {
  id: ID!
  price(currency: String): Int
}
extend type Product {
  weight: Int
}
enum State { NEW, USED }
directive @big(than: Int) on FIELD
`

describe('the place of a change', () => {
  const PLACES: readonly (readonly [path: string, line: number, column: number])[] = [
    ['Product', 4, 6],
    ['Product.price', 6, 3],
    ['Product.price.currency', 6, 9],
    ['Product.weight', 9, 3],
    ['State.USED', 11, 19],
    ['Product.removed', 4, 6],
    ['Product.price.removed', 6, 3],
    ['State.BROKEN', 11, 6],
  ]
  it.each(PLACES)('of %s is line %i, column %i', (path, line, column) => {
    expect(locateInSdl(SDL, path)).toEqual({ line, column })
  })

  it('is unknown when the file says nothing about the type, and for what is no SDL', () => {
    expect(locateInSdl(SDL, 'Order.id')).toBeNull()
    expect(locateInSdl(SDL, '')).toBeNull()
    expect(locateInSdl('type {', 'Product')).toBeNull()
  })
})
