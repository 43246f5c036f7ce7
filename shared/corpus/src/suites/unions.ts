import { FED2, type Suite } from '../harness/suite.ts'

/** A union whose members not every subgraph knows. */
export const unions: Suite = {
  name: 'unions',
  monolith: `
    type Query { results: [Result!]! films: [Viewable] pick: Pick kiosk: Kiosk }
    union Result = Film | Song | Person
    union Viewable = Film | Series
    union Pick = Film | Note
    type Film { id: ID! title: String minutes: Int cast: [Person!] }
    type Series { id: ID! title: String seasons: Int }
    type Song { id: ID! title: String bars: Int! }
    type Person { id: ID! name: String awards: Int }
    type Note { text: String }
    type Kiosk { id: ID! offer: Offer stock: [Offer!] }
    union Offer = Film | Song | Snack
    type Snack { label: String kcal: Int }
  `,
  tables: () => {
    const person = { __typename: 'Person', id: 'p1', name: 'Liv', awards: 2 }
    const snack = { __typename: 'Snack', label: 'nuts', kcal: 500 }
    const films = [
      { __typename: 'Film', id: 'f1', title: 'Persona', minutes: 83, cast: [person] },
      { __typename: 'Film', id: 'f2', title: 'Skam', minutes: null, cast: null },
    ]
    const song = { __typename: 'Song', id: 's1', title: 'Aase', bars: 44 }
    return {
      Film: films,
      Series: [{ __typename: 'Series', id: 'v1', title: 'Exit', seasons: 3 }],
      Song: [song],
      Person: [person],
      Kiosk: [{ __typename: 'Kiosk', id: 'k1', offer: snack, stock: [snack, films[0], song] }],
    }
  },
  fields: {
    'Query.results': (_row, _args, tables) => [
      tables['Song']?.[0],
      tables['Film']?.[0],
      tables['Person']?.[0],
      tables['Film']?.[1],
    ],
    'Query.films': (_row, _args, tables) => [tables['Film']?.[1], null, tables['Series']?.[0]],
    'Query.pick': () => ({ __typename: 'Note', text: 'sold out' }),
    'Query.kiosk': (_row, _args, tables) => tables['Kiosk']?.[0],
  },
  subgraphs: {
    search: {
      sdl: `${FED2}
        type Query { results: [Result!]! pick: Pick }
        union Result = Film | Song | Person
        union Pick = Film | Note
        type Film @key(fields: "id") { id: ID! title: String }
        type Song @key(fields: "id") { id: ID! title: String }
        type Person @key(fields: "id") { id: ID! }
        type Note { text: String }`,
    },
    cinema: {
      sdl: `${FED2}
        type Query { films: [Viewable] }
        union Viewable = Film | Series
        type Film @key(fields: "id") { id: ID! minutes: Int cast: [Person!] }
        type Series @key(fields: "id") { id: ID! title: String seasons: Int }
        type Person @key(fields: "id") { id: ID! name: String }`,
    },
    music: { sdl: `${FED2} type Song @key(fields: "id") { id: ID! bars: Int! }` },
    prizes: { sdl: `${FED2} type Person @key(fields: "id") { id: ID! awards: Int }` },
    kiosks: {
      sdl: `${FED2}
        type Query { kiosk: Kiosk }
        type Kiosk @key(fields: "id") { id: ID! offer: Offer stock: [Offer!] }
        union Offer = Film | Song | Snack
        type Film @key(fields: "id", resolvable: false) { id: ID! }
        type Song @key(fields: "id", resolvable: false) { id: ID! }
        type Snack { label: String kcal: Int }`,
    },
  },
  operations: [
    { name: 'members of one subgraph', query: '{ results { ... on Film { title } ... on Song { title } } }' },
    {
      name: 'members completed elsewhere',
      query:
        '{ results { ... on Film { title minutes } ... on Song { bars } ... on Person { name awards } } }',
    },
    { name: 'only type names', query: '{ results { __typename } films { __typename } }' },
    { name: 'a member that has no fragment', query: '{ results { ... on Song { id bars } } }' },
    {
      name: 'nulls among members',
      query: '{ films { __typename ... on Film { title cast { awards } } ... on Series { seasons } } }',
    },
    { name: 'a single object', query: '{ pick { ... on Note { text } ... on Film { minutes } } }' },
    {
      name: 'a member without a key',
      query: '{ kiosk { offer { ... on Snack { label kcal } ... on Film { title } } } }',
    },
    {
      name: 'members that the source knows by key only',
      query:
        '{ kiosk { id stock { __typename ... on Film { minutes title } ... on Song { title bars } ... on Snack { label } } } }',
    },
    {
      name: 'one response key for different members',
      query: '{ results { ... on Film { x: title } ... on Song { x: title } ... on Person { x: name } } }',
    },
    {
      name: 'fragments through another union',
      query: '{ results { ... on Viewable { ... on Film { minutes } } } }',
    },
  ],
}
