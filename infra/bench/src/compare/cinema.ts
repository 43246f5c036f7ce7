/**
 * The graph that gateways are compared on: four subgraphs of a cinema, whose rows are computed from
 * numbers, so that there are as many as a question asks for and everybody answers the same.
 */
import { InProcessSubgraph } from '@switchyard/testkit'
import { buildSchema, type GraphQLSchema, graphql } from 'graphql'

type Row = Readonly<Record<string, unknown>>
type First = { readonly first: number }
type Reference = { readonly id: string }

/** The number of different people, whatever the number of films. */
const PEOPLE = 40
/** Text as reviews have it. */
const WORDS = 'light sound silence morning harbour winter letter stranger garden river '

const LINK = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3",
  import: ["@key", "@external", "@requires"])`

/** SDL by name; `extraTypes` are in the first one, and nobody asks for them. */
export function cinemaSdl(extraTypes = 0): Readonly<Record<string, string>> {
  const extras = Array.from({ length: extraTypes }, (_, index) => extraType(index, extraTypes))
  const extraField = extraTypes === 0 ? '' : 'extra: Extra0'
  return {
    program: `${LINK}
      type Query { films(first: Int!): [Film!]! ${extraField} }
      type Film @key(fields: "id") {
        id: ID! title: String! year: Int! director: Person! summary(size: Int!): String!
      }
      type Person @key(fields: "id", resolvable: false) { id: ID! }
      ${extras.join('\n')}`,
    people: `${LINK}
      type Query { people(first: Int!): [Person!]! }
      type Person @key(fields: "id") { id: ID! name: String! born: Int! knownFor: [Film!]! }
      type Film @key(fields: "id", resolvable: false) { id: ID! }`,
    reviews: `${LINK}
      type Film @key(fields: "id") { id: ID! reviews(first: Int!): [Review!]! }
      type Review @key(fields: "id") { id: ID! stars: Int! text: String! film: Film! author: Person! }
      type Person @key(fields: "id") { id: ID! reviews(first: Int!): [Review!]! }`,
    tickets: `${LINK}
      type Film @key(fields: "id") {
        id: ID! year: Int! @external price: Int! seats: Int! isClassic: Boolean! @requires(fields: "year")
      }`,
  }
}

function extraType(index: number, count: number): string {
  return `type Extra${index} { id: ID! name(first: Int = 1): String next: Extra${(index + 1) % count} }`
}

const RESOLVERS = {
  program: {
    Query: { films: (_: unknown, { first }: First) => many(first, film) },
    Film: { __resolveReference: ({ id }: Reference) => film(numberOf(id)) },
  },
  people: {
    Query: { people: (_: unknown, { first }: First) => many(first, person) },
    Person: { __resolveReference: ({ id }: Reference) => person(numberOf(id)) },
  },
  reviews: {
    Film: { __resolveReference: ({ id }: Reference) => film(numberOf(id)) },
    Person: { __resolveReference: ({ id }: Reference) => person(numberOf(id)) },
    Review: { __resolveReference: ({ id }: Reference) => review(numberOf(id)) },
  },
  tickets: {
    Film: {
      __resolveReference: (film_: Reference & { readonly year?: number }) => ({
        ...film(numberOf(film_.id)),
        isClassic: (film_.year ?? 0) < CLASSIC_BEFORE,
      }),
    },
  },
} as const

const CLASSIC_BEFORE = 1970

/** The subgraphs, without a server. */
export function cinemaSubgraphs(extraTypes = 0): readonly InProcessSubgraph[] {
  return Object.entries(cinemaSdl(extraTypes)).map(
    ([name, sdl]) =>
      new InProcessSubgraph({ name, sdl, resolvers: RESOLVERS[name as keyof typeof RESOLVERS] }),
  )
}

/**
 * Returns the data that one server with the whole schema answers at once. It equals a deferred answer whose
 * parts are put together.
 */
export async function expectedData(query: string): Promise<unknown> {
  const source = query.replaceAll('@defer', '')
  const { data, errors } = await graphql({ schema: WHOLE, source, rootValue: WHOLE_ROOT })
  if (errors !== undefined) throw new Error(`The question ${query} is wrong: ${errors.join('; ')}`)
  return JSON.parse(JSON.stringify(data))
}

const WHOLE: GraphQLSchema = buildSchema(`
  type Query { films(first: Int!): [Film!]! people(first: Int!): [Person!]! }
  type Film {
    id: ID! title: String! year: Int! director: Person! summary(size: Int!): String!
    reviews(first: Int!): [Review!]! price: Int! seats: Int! isClassic: Boolean!
  }
  type Person { id: ID! name: String! born: Int! knownFor: [Film!]! reviews(first: Int!): [Review!]! }
  type Review { id: ID! stars: Int! text: String! film: Film! author: Person! }`)
const WHOLE_ROOT = {
  films: ({ first }: First) => many(first, film),
  people: ({ first }: First) => many(first, person),
}

function film(index: number): Row {
  const year = 1920 + ((index * 7) % 105)
  return {
    id: `film-${index}`,
    title: `${words(index, 3)} ${index}`,
    year,
    director: () => person(index * 3),
    summary: ({ size }: { readonly size: number }) =>
      WORDS.repeat(Math.ceil(size / WORDS.length)).slice(0, size),
    reviews: ({ first }: First) => many(first, (offset) => review(index * 5 + offset)),
    price: 800 + ((index * 37) % 900),
    seats: (index * 13) % 240,
    isClassic: year < CLASSIC_BEFORE,
  }
}

function person(number: number): Row {
  const index = number % PEOPLE
  return {
    id: `person-${index}`,
    name: words(index + 3, 2),
    born: 1900 + index,
    knownFor: () => many(2, (offset) => film(index + offset)),
    reviews: ({ first }: First) => many(first, (offset) => review(index * 11 + offset)),
  }
}

function review(index: number): Row {
  return {
    id: `review-${index}`,
    stars: 1 + (index % 5),
    text: words(index, 12),
    film: () => film(index % 50),
    author: () => person(index * 7),
  }
}

function many(count: number, make: (index: number) => Row): readonly Row[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

function words(from: number, count: number): string {
  const list = WORDS.trim().split(' ')
  return many(count, (offset) => ({ word: list[(from * 3 + offset * 7) % list.length] }))
    .map(({ word }) => String(word))
    .join(' ')
}

function numberOf(id: string): number {
  return Number(id.slice(id.lastIndexOf('-') + 1))
}
