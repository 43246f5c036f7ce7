import { describe, expect, it } from 'vitest'
import { composeSdls, expectFailed } from './subgraph-fixtures.ts'

const messagesOf = (sdl: string) => expectFailed(composeSdls({ shop: sdl })).map(({ message }) => message)

describe('the name of a type that does not exist', () => {
  it('comes with the type of the subgraph, or the scalar, that is near', () => {
    const sdl = 'type Query { a: Prodct b: Strng c: [Nothing!] } type Product { id: ID }'
    expect(messagesOf(sdl)).toEqual([
      '[shop] Unknown type "Prodct"; define it, or correct the name. Did you mean "Product"?',
      '[shop] Unknown type "Strng"; define it, or correct the name. Did you mean "String"?',
      '[shop] Unknown type "Nothing"; define it, or correct the name.',
    ])
  })

  it('comes without a suggestion after the first fifty, since each costs a look at all types', () => {
    const fields = Array.from({ length: 60 }, (_, index) => `f${index}: Produc${index}`).join(' ')
    const messages = messagesOf(`type Query { ${fields} } type Product { id: ID }`)
    const suggested = messages.map((message) => message.endsWith('Did you mean "Product"?'))
    expect(suggested).toEqual(messages.map((_, index) => index < 50))
    expect(messages).toHaveLength(60)
  })
})
