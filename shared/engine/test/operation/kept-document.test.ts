import { Kind, parse, print, visit } from 'graphql'
import { describe, expect, it } from 'vitest'
import { forgetTokens } from '../../src/operation/kept-document.ts'

const TEXT = `
  query Q($first: Int = 2, $w: Boolean!) { a: list(first: $first, by: { name: "x", in: [1, 2] }) @include(if: $w) { ...F } }
  fragment F on Item { ... on Book @skip(if: $w) { title } }
`

describe('a document that is kept', () => {
  it('is the same one without its tokens, and counts its nodes', () => {
    const document = parse(TEXT)
    const nodes = forgetTokens(document)
    let visited = 0
    visit(document, { enter: () => void visited++ })
    expect(nodes).toBe(visited)
    expect(print(document)).toBe(print(parse(TEXT)))
    const tokens: unknown[] = []
    visit(document, { enter: ({ loc }) => void tokens.push(loc?.startToken.next, loc?.endToken.prev) })
    expect(new Set(tokens)).toEqual(new Set([undefined, null]))
  })

  it('tells still where its variables and directives stand', () => {
    const placesOf = (forget: boolean) => {
      const document = parse(TEXT)
      if (forget) forgetTokens(document)
      const places: unknown[] = []
      visit(document, {
        enter: ({ kind, loc }) => {
          if (kind === Kind.VARIABLE_DEFINITION || kind === Kind.DIRECTIVE)
            places.push([loc?.start, loc?.end])
        },
      })
      return places
    }
    expect(placesOf(true)).toEqual(placesOf(false))
    expect(placesOf(true)).toHaveLength(4)
  })
})
