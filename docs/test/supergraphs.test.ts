/** The list of docs/supergraphs.md of what composes here and not elsewhere: all of it composes. */
import { compose } from '../../shared/composition/src/index.ts'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@external", "@provides", "@shareable", "@override", "@interfaceObject"])'
const MEDIA =
  'type Query { media: Media } interface Media @key(fields: "id") { id: ID! } type Film implements Media @key(fields: "id") { id: ID! }'

const CASES: Readonly<Record<string, readonly string[]>> = {
  '`@provides` names a field that its owner does not mark with `@shareable`': [
    'type Query { review: Review } type Review { user: User @provides(fields: "name") } type User @key(fields: "id") { id: ID! name: String @external }',
    'type User @key(fields: "id") { id: ID! name: String }',
  ],
  'a subgraph has an interface object and one of the types that implement the interface': [
    MEDIA,
    'type Media @key(fields: "id") @interfaceObject { id: ID! price: Int } type Film @key(fields: "id") { id: ID! minutes: Int }',
  ],
  '`@override` on a field of an interface object': [
    MEDIA,
    'type Media @key(fields: "id") @interfaceObject { id: ID! price: Int }',
    'type Media @key(fields: "id") @interfaceObject { id: ID! price: Int @override(from: "s1") }',
  ],
}

describe('what composes here and not elsewhere', () => {
  const page = readFileSync(new URL('../supergraphs.md', import.meta.url), 'utf8')
  const table = page.split('### What composes here and not elsewhere')[1] ?? ''
  const rows = [...table.matchAll(/^\| ([^|]+?) \| refused/gm)].map(([, what = '']) => what)

  it('has the rows that are tried', () => {
    expect(rows).toEqual(Object.keys(CASES))
  })

  it.each(rows)('composes: %s', (what) => {
    const sdls = CASES[what] ?? []
    const subgraphs = sdls.map((sdl, index) => {
      const name = `s${index}`
      return { name, routingUrl: `http://${name}.example/`, sdl: `${LINK} ${sdl}` }
    })
    const result = compose({ subgraphs })
    expect(result.kind === 'failed' ? result.errors : []).toEqual([])
    const codes = result.hints.map(({ code }) => code)
    expect(codes.includes('PROVIDED_FIELD_NOT_SHAREABLE')).toBe(what.includes('@provides'))
  })
})
