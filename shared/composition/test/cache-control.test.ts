import { buildSchema, parse, print, validateSchema } from 'graphql'
import { describe, expect, it } from 'vitest'
import { composeSdls, expectComposed } from './subgraph-fixtures.ts'

const LINK = (extra = '') =>
  `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable", "@interfaceObject", "@composeDirective"])${extra}`
const DEFINED = `
enum CacheControlScope { PUBLIC PRIVATE }
directive @cacheControl(maxAge: Int, scope: CacheControlScope, inheritMaxAge: Boolean) on FIELD_DEFINITION | OBJECT | INTERFACE | UNION
`

/** What the supergraph says of a line that begins so. */
const said = (sdl: string, line: string) =>
  sdl
    .split('\n')
    .find((each) => each.startsWith(line))
    ?.match(/@cacheControl(?:\([^)]*\))?/g) ?? []

const composed = (sdls: Readonly<Record<string, string>>): string => {
  const sdl = expectComposed(composeSdls(sdls))
  expect(validateSchema(buildSchema(sdl))).toEqual([])
  // One line for the head of a type.
  return print(parse(sdl))
}

describe('@cacheControl', () => {
  const supergraphOf = (sdls: Readonly<Record<string, string>>, link = LINK()) =>
    composed(Object.fromEntries(Object.entries(sdls).map(([name, sdl]) => [name, `${link}\n${sdl}`])))

  it('stands in the supergraph, on types and fields, with its definition', () => {
    const sdl = supergraphOf({
      a: `${DEFINED}
        type Query { a: A @cacheControl(maxAge: 60, scope: PUBLIC) u: U }
        type A @key(fields: "id") @cacheControl(maxAge: 30, scope: PRIVATE) { id: ID! }
        interface I @cacheControl(maxAge: 5) { id: ID! }
        union U @cacheControl(maxAge: 7) = A`,
      b: `${DEFINED} type A @key(fields: "id") { id: ID! b: String @cacheControl(inheritMaxAge: true) }`,
    })
    expect(said(sdl, '  a: A')).toEqual(['@cacheControl(maxAge: 60)'])
    expect(said(sdl, 'type A')).toEqual(['@cacheControl(maxAge: 30, scope: PRIVATE)'])
    expect(said(sdl, 'interface I')).toEqual(['@cacheControl(maxAge: 5)'])
    expect(said(sdl, 'union U')).toEqual(['@cacheControl(maxAge: 7)'])
    expect(said(sdl, '  b: String')).toEqual(['@cacheControl(inheritMaxAge: true)'])
    expect(said(sdl, '  id: ID!')).toEqual([])
    expect(sdl.match(/directive @cacheControl/g)).toHaveLength(1)
  })

  it('is the most restrictive of what subgraphs say of a field that they share', () => {
    const one = (args: string) => `${DEFINED} type Query { a: Int @shareable @cacheControl${args} }`
    const sdl = supergraphOf({
      a: one('(maxAge: 60, inheritMaxAge: true)'),
      b: one('(maxAge: 20)'),
      c: one('(scope: PRIVATE)'),
      d: `type Query { a: Int @shareable }`,
    })
    expect(said(sdl, '  a: Int')).toEqual(['@cacheControl(maxAge: 20, scope: PRIVATE)'])
  })

  it('reaches the types of an interface whose objects a subgraph knows as one type', () => {
    const sdl = supergraphOf({
      a: `type Query { i: I } interface I @key(fields: "id") { id: ID! } type A implements I @key(fields: "id") { id: ID! }`,
      b: `${DEFINED} type I @key(fields: "id") @interfaceObject { id: ID! more: Int @cacheControl(maxAge: 3) }`,
    })
    expect(sdl.match(/more: Int .*@cacheControl\(maxAge: 3\)/g)?.length).toBeGreaterThan(0)
  })

  it('needs no scope, and reads what is written in an extension', () => {
    const sdl = supergraphOf({
      a: `directive @cacheControl(maxAge: Int) on FIELD_DEFINITION | OBJECT
        type Query { a: A } type A { x: Int } extend type A @cacheControl(maxAge: 9)`,
    })
    expect(said(sdl, 'type A')).toEqual(['@cacheControl(maxAge: 9)'])
    expect(sdl).toContain('directive @cacheControl(maxAge: Int, inheritMaxAge: Boolean)')
  })

  it('is left alone where composition has taken it over by itself', () => {
    const link = LINK(
      ' @link(url: "https://example.com/caching/v1.0", import: ["@cacheControl"]) @composeDirective(name: "@cacheControl")',
    )
    const sdl = supergraphOf({ a: `${DEFINED} type Query { a: Int @cacheControl(maxAge: 4) }` }, link)
    expect(said(sdl, '  a: Int')).toEqual(['@cacheControl(maxAge: 4)'])
    expect(sdl.match(/directive @cacheControl/g)).toHaveLength(1)
  })

  it('changes no supergraph in which nothing is said', () => {
    const sdl = supergraphOf({ a: `${DEFINED} type Query { a: Int }` })
    expect(sdl).not.toContain('@cacheControl')
  })
})
