import { graphqlSync, isInputObjectType, isObjectType, printSchema } from 'graphql'
import { describe, expect, it } from 'vitest'
import { buildApiSchema } from '../../src/graph/api-schema.ts'

const MACHINERY = /* GraphQL */ `
  directive @link(url: String, as: String, for: link__Purpose, import: [link__Import]) repeatable on SCHEMA
  directive @join__graph(name: String!, url: String!) on ENUM_VALUE
  directive @join__type(graph: join__Graph!, key: join__FieldSet) repeatable on OBJECT | INTERFACE | UNION | ENUM | INPUT_OBJECT | SCALAR
  directive @join__field(graph: join__Graph) repeatable on FIELD_DEFINITION | INPUT_FIELD_DEFINITION
  directive @inaccessible on FIELD_DEFINITION | OBJECT | INTERFACE | UNION | ARGUMENT_DEFINITION | SCALAR | ENUM | ENUM_VALUE | INPUT_OBJECT | INPUT_FIELD_DEFINITION
  directive @tag(name: String!) repeatable on FIELD_DEFINITION | OBJECT
  scalar join__FieldSet
  scalar link__Import
  enum link__Purpose { SECURITY EXECUTION }
  enum join__Graph { A @join__graph(name: "a", url: "http://a.example") }
`
const LINKS = `
  @link(url: "https://specs.apollo.dev/link/v1.0")
  @link(url: "https://specs.apollo.dev/join/v0.3", for: EXECUTION)
  @link(url: "https://specs.apollo.dev/tag/v0.3")
`
const INACCESSIBLE = '@link(url: "https://specs.apollo.dev/inaccessible/v0.2", for: SECURITY)'

function api(sdl: string, links = LINKS + INACCESSIBLE): string {
  return printSchema(buildApiSchema(`schema ${links} { query: Query }\n${MACHINERY}\n${sdl}`)).trim()
}

const print = (sdl: string) => printSchema(buildApiSchema(sdl)).trim()

describe('the API schema', () => {
  it('holds nothing of the machinery, and keeps what clients read', () => {
    const sdl = (applied: { type: string; tag: string }) => `
      """Runs before the field."""
      directive @trace(level: Int = 1) on FIELD
      """The start."""
      type Query ${applied.type} {
        """Finds."""
        find(
          """What."""
          text: String = "x"
          by: Filter = {size: 3}
          old: Int @deprecated(reason: "Use text")
        ): Thing ${applied.tag}
        gone: Int @deprecated(reason: "No")
      }
      interface Named ${applied.type} { name: String! }
      type Thing implements Named ${applied.type} ${applied.tag} { name: String! link: Url size: Size at: Spot }
      scalar Url @specifiedBy(url: "https://url.example") ${applied.type}
      enum Size ${applied.type} { SMALL LARGE @deprecated(reason: "Too big") }
      input Filter ${applied.type} { size: Int = 1 spot: Spots }
      input Spots @oneOf ${applied.type} { id: ID name: String }
      union Spot ${applied.type} = Thing | Query
    `
    const applied = sdl({ type: '@join__type(graph: A)', tag: '@tag(name: "t")' })
    expect(api(applied)).toBe(print(sdl({ type: '', tag: '' })))
  })

  it('holds nothing inaccessible, nor what can only be seen through it', () => {
    const sdl = `
      type Query {
        a: Thing
        hidden: Int @inaccessible
        secret(arg: Int): Secret
        f(seen: Int, unseen: Int @inaccessible, secret: SecretInput): Size
      }
      interface Named { name: String }
      interface Ghost @inaccessible { id: ID }
      type Thing implements Named & Ghost { name: String id: ID }
      type Secret @inaccessible { x: Int }
      type Hollow { secret: Secret }
      enum Size { SMALL LARGE @inaccessible }
      union Both = Thing | Secret
      union Only = Secret
      input Filter { size: Int hidden: Int @inaccessible }
      input SecretInput @inaccessible { x: Int }
    `
    expect(api(sdl)).toBe(
      print(`
        type Query { a: Thing f(seen: Int): Size }
        interface Named { name: String }
        type Thing implements Named { name: String id: ID }
        enum Size { SMALL }
        union Both = Thing
        input Filter { size: Int }
      `),
    )
  })

  it('follows a renamed import of @inaccessible', () => {
    const renamed = `${LINKS} @link(url: "https://specs.apollo.dev/inaccessible/v0.2", import: [{ name: "@inaccessible", as: "@private" }])`
    const sdl = 'directive @private on FIELD_DEFINITION type Query { a: Int b: Int @private }'
    expect(api(sdl, renamed)).toBe('type Query {\n  a: Int\n}')
  })

  it('leaves out a default that names something inaccessible', () => {
    const sdl = `
      type Query { f(size: Size = LARGE, other: Size = SMALL, by: Filter = { hidden: 1 }): Int }
      enum Size { SMALL LARGE @inaccessible }
      input Filter { size: Size = LARGE hidden: Int @inaccessible }
    `
    const schema = buildApiSchema(`schema ${LINKS} ${INACCESSIBLE} { query: Query } ${MACHINERY} ${sdl}`)
    const query = schema.getType('Query')
    const filter = schema.getType('Filter')
    if (!isObjectType(query) || !isInputObjectType(filter)) throw new Error('types are missing')
    const { f } = query.getFields()
    const defaults = f?.args.map(({ name, default: value }) => [name, value !== undefined])
    expect(defaults).toEqual([
      ['size', false],
      ['other', true],
      ['by', false],
    ])
    expect(filter.getFields()['size']?.default).toBeUndefined()
  })

  it('does not declare @defer, and introspection shows only what clients may use', () => {
    const schema = buildApiSchema(
      `schema ${LINKS} ${INACCESSIBLE} { query: Query } ${MACHINERY} type Query { a: Int secret: Secret } type Secret @inaccessible { x: Int }`,
    )
    const { data } = graphqlSync({
      schema,
      source: '{ __schema { types { name } directives { name } } }',
    })
    const shown = JSON.stringify(data)
    expect(shown).toContain('"Query"')
    expect(shown).not.toMatch(/join__|link__|Secret|inaccessible|"tag"|defer|_Any|_Entity/)
  })
})
