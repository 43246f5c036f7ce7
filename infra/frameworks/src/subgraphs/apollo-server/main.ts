/**
 * The subgraph `catalog`, as the documentation of Apollo Server shows one: schema first,
 * `startStandaloneServer`.
 */
import { readFileSync } from 'node:fs'
import { ApolloServer } from '@apollo/server'
import { startStandaloneServer } from '@apollo/server/standalone'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { GraphQLError, parse } from 'graphql'
import { type GadgetRow, type ItemRow, readShopData } from '../../shop-data.ts'

type Reference<Key extends string> = Readonly<Record<Key, string>>
type GadgetKey = { readonly maker: { readonly code: string }; readonly model: number }
type GadgetReference = Partial<Reference<'id'>> & Partial<GadgetKey>

const { items, makers } = readShopData()
const itemOf = (id: string): ItemRow | null => items.find((item) => item.id === id) ?? null
const isGadget = (item: ItemRow): item is GadgetRow => item.type === 'Gadget'

const typeDefs = parse(readFileSync(new URL('schema.graphql', import.meta.url), 'utf8'))
const resolvers = {
  Query: {
    item: (_: unknown, { id }: Reference<'id'>) => itemOf(id),
    items: (_: unknown, { ids }: { ids: readonly string[] }) => ids.map(itemOf),
    books: (_: unknown, { first, language }: { first: number; language?: string | null }) =>
      items
        .filter((item) => item.type === 'Book' && (language == null || item.language === language))
        .slice(0, first),
    search: (_: unknown, { term }: { term: string }) => items.filter(({ title }) => title.includes(term)),
    convert: (_: unknown, { input }: { input: unknown }) => input,
    secret: () => {
      throw new GraphQLError('The secret is kept.', { extensions: { code: 'SECRET_KEPT', level: 3 } })
    },
  },
  Item: {
    __resolveType: ({ type }: ItemRow) => type,
    __resolveReference: ({ id }: Reference<'id'>) => itemOf(id),
  },
  Subject: { __resolveType: ({ type }: ItemRow) => type },
  Book: {
    __resolveReference: ({ id }: Reference<'id'>) => itemOf(id),
    shelfCode: ({ id }: Reference<'id'>) => `shelf-${id}`,
    // The subgraph `stock` has taken this field over: nobody asks here any more.
    inStock: () => -1,
  },
  Gadget: {
    __resolveReference: ({ id, maker, model }: GadgetReference) =>
      items.find(
        (item) =>
          isGadget(item) &&
          (id === undefined ? item.maker === maker?.code && item.model === model : item.id === id),
      ) ?? null,
    maker: ({ maker }: GadgetRow) => makers.find(({ code }) => code === maker),
  },
}

const server = new ApolloServer({ schema: buildSubgraphSchema([{ typeDefs, resolvers }]) })
const { url } = await startStandaloneServer(server, {
  listen: { host: '127.0.0.1', port: Number(process.env['PORT']) },
})
console.log(`catalog is ready at ${url}`)
