import { FED2, find, type Suite } from '../harness/suite.ts'

/** Interfaces and unions of values without keys, shared by subgraphs that know different parts of them. */
export const valueInterfaces: Suite = {
  name: 'abstract values without keys',
  monolith: `
    type Query { page: Page pages: [Page!]! }
    type Page { id: ID! blocks: [Block!] hero: Block footer: Footer views: Int }
    interface Block { anchor: String }
    type Text implements Block { anchor: String body: String }
    type Gallery implements Block { anchor: String images: [Image!] }
    type Quote implements Block { anchor: String who: Person }
    type Image { url: String! alt: String }
    type Person { id: ID! name: String }
    union Footer = Text | Legal
    type Legal { year: Int owner: Person }
  `,
  tables: () => {
    const text = { __typename: 'Text', anchor: 't', body: 'words' }
    const gallery = {
      __typename: 'Gallery',
      anchor: null,
      images: [
        { __typename: 'Image', url: '/1', alt: null },
        { __typename: 'Image', url: '/2', alt: 'two' },
      ],
    }
    const person = { __typename: 'Person', id: 'p', name: 'Pia' }
    const quote = { __typename: 'Quote', anchor: 'q', who: person }
    return {
      Person: [person],
      Page: [
        {
          __typename: 'Page',
          id: '1',
          blocks: [text, quote, gallery],
          hero: gallery,
          footer: { __typename: 'Legal', year: 2026, owner: person },
          views: 9,
        },
        { __typename: 'Page', id: '2', blocks: null, hero: quote, footer: text, views: null },
      ],
    }
  },
  fields: {
    'Query.page': (_row, _args, tables) => find(tables['Page'], 'id', '1'),
    'Query.pages': (_row, _args, tables) => tables['Page'],
  },
  subgraphs: {
    content: {
      sdl: `${FED2}
        type Query { page: Page pages: [Page!]! }
        type Page @key(fields: "id") { id: ID! blocks: [Block!] hero: Block footer: Footer }
        interface Block { anchor: String }
        type Text implements Block { anchor: String body: String }
        type Gallery implements Block { anchor: String images: [Image!] }
        type Quote implements Block { anchor: String who: Person }
        type Image { url: String! alt: String }
        union Footer = Text | Legal
        type Legal { year: Int owner: Person }
        type Person @key(fields: "id") { id: ID! }`,
    },
    people: { sdl: `${FED2} type Person @key(fields: "id") { id: ID! name: String }` },
    stats: { sdl: `${FED2} type Page @key(fields: "id") { id: ID! views: Int }` },
  },
  operations: [
    { name: 'the common field', query: '{ page { blocks { anchor } hero { anchor } views } }' },
    {
      name: 'members with values inside',
      query: '{ pages { blocks { ... on Text { body } ... on Gallery { images { alt url } } } } }',
    },
    {
      name: 'an entity inside a member',
      query: '{ pages { hero { ... on Quote { who { name } } anchor } } }',
    },
    {
      name: 'an entity inside a union member',
      query: '{ pages { footer { ... on Legal { owner { name id } year } ... on Text { body } } } }',
    },
    {
      name: 'the same entity through several members',
      query:
        '{ page { blocks { ... on Quote { who { name } } } footer { ... on Legal { owner { name } } } } }',
    },
    {
      name: 'one key, different shapes of lists and leaves',
      query:
        '{ pages { hero { ... on Quote { x: anchor } ... on Gallery { x: anchor images { url } } } footer { ... on Text { x: anchor } } } }',
    },
    {
      name: 'only conditions that do not hold',
      query: '{ page { hero { ... on Quote { anchor } } footer { ... on Text { body } } views } }',
    },
    {
      name: 'type names everywhere',
      query:
        '{ pages { __typename blocks { __typename } hero { t: __typename } footer { __typename ... on Legal { owner { __typename } } } } }',
    },
  ],
}
