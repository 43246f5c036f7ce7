/**
 * Cases of the published audit of federation gateways that are answered otherwise than it expects, in
 * our own words; docs/federation-audit.md says why.
 */
import { parse, validate } from 'graphql'
import { describe, expect, it } from 'vitest'
import { createEngine } from '../src/harness/run-engine.ts'
import { FED2, type Row, type Suite } from '../src/harness/suite.ts'

const note: Row = { __typename: 'Note', text: 'hello' }
const bill: Row = { __typename: 'Bill', sum: 12 }
const card: Row = { __typename: 'Card', motif: 'sea' }
const trayOf = (...papers: readonly Row[]): Row => ({ __typename: 'Tray', papers })

/** Both subgraphs resolve `Desk.tray`, each with a kind of paper that the other does not know. */
const trays: Suite = {
  name: 'papers that one side knows, below a field of both',
  monolith: `
    type Query { leftDesk: Desk rightDesk: Desk desk: Desk }
    type Desk { id: ID! tray: Tray ownTray: Tray }
    type Tray { papers: [Paper!]! }
    union Paper = Note | Bill | Card
    type Note { text: String }
    type Bill { sum: Int }
    type Card { motif: String }
  `,
  tables: () => ({
    Desk: [{ __typename: 'Desk', id: 'd', tray: trayOf(note), ownTray: trayOf(note, card) }],
  }),
  fields: Object.fromEntries(
    ['leftDesk', 'rightDesk', 'desk'].map((root) => [
      `Query.${root}`,
      (_row: Row, _args: object, tables: Readonly<Record<string, Row[]>>) => tables['Desk']?.[0],
    ]),
  ),
  subgraphs: {
    left: {
      sdl: `${FED2}
        type Query { leftDesk: Desk desk: Desk @shareable }
        type Desk @key(fields: "id") { id: ID! tray: Tray @shareable }
        type Tray @shareable { papers: [Paper!]! }
        union Paper = Note | Bill
        type Note @shareable { text: String }
        type Bill { sum: Int }`,
      fields: { 'Desk.tray': () => trayOf(note, bill) },
    },
    right: {
      sdl: `${FED2}
        type Query { rightDesk: Desk desk: Desk @shareable }
        type Desk @key(fields: "id") { id: ID! tray: Tray @shareable ownTray: Tray }
        type Tray @shareable { papers: [Paper!]! }
        union Paper = Note | Card
        type Note @shareable { text: String }
        type Card { motif: String }`,
      fields: { 'Desk.tray': () => trayOf(note, card) },
    },
  },
  operations: [],
}

const PAPERS = 'papers { __typename ... on Note { text } ... on Bill { sum } ... on Card { motif } }'

async function dataOf(query: string): Promise<unknown> {
  const { result, complaints } = await createEngine(trays).run({ name: query, query })
  expect([result.errors, complaints]).toEqual([[], []])
  return JSON.parse(JSON.stringify(result.data))
}

describe('members of a union that only one of the subgraphs knows that resolve the field', () => {
  const text = { __typename: 'Note', text: 'hello' }

  it.each([
    ['leftDesk', { __typename: 'Bill', sum: null }],
    ['rightDesk', { __typename: 'Card', motif: null }],
  ])('are told by their type alone at %s, though that subgraph has their fields', async (root, alone) => {
    expect(await dataOf(`{ ${root} { tray { ${PAPERS} } } }`)).toEqual({
      [root]: { tray: { papers: [text, alone] } },
    })
  })

  it('are given whole by a field that one subgraph alone resolves', async () => {
    expect(await dataOf(`{ leftDesk { ownTray { ${PAPERS} } } }`)).toEqual({
      leftDesk: { ownTray: { papers: [text, { __typename: 'Card', motif: 'sea' }] } },
    })
  })

  it('that both know are given whole', async () => {
    expect(await dataOf('{ leftDesk { tray { papers { ... on Note { text } } } } }')).toEqual({
      leftDesk: { tray: { papers: [{ text: 'hello' }, {}] } },
    })
  })
})

describe('a directive for operations that subgraphs define', () => {
  const define = (argument: string, root: string) => `extend schema
    @link(url: "https://specs.apollo.dev/federation/v2.1", import: ["@composeDirective"])
    @link(url: "https://shop.example/visible/v1.0", import: ["@visible"])
    @composeDirective(name: "@visible")
    directive @visible(${argument}) on FIELD
    enum Audience { ALL STAFF }
    type Query { ${root}: String }`
  const suite: Suite = {
    name: 'a directive for operations',
    monolith: 'type Query { first: String second: String }',
    subgraphs: {
      a: { sdl: define('to: Audience!', 'first') },
      b: { sdl: define('to: Audience! = ALL', 'second') },
    },
    operations: [],
  }

  it('composes, is not in the schema of clients, and is refused in an operation', () => {
    const { schema } = createEngine(suite)
    expect(schema.getDirective('visible')).toBeUndefined()
    expect(validate(schema, parse('{ first @visible }')).map(({ message }) => message)).toEqual([
      'Unknown directive "@visible".',
    ])
  })
})
