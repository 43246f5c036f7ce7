/**
 * The shop's subgraphs: four that make the base graph, and one that replaces `products` behind a feature
 * flag.
 */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { buildSubgraphSchema } from '@apollo/subgraph'
import type { GraphQLResolverMap } from '@apollo/subgraph'
import { parse } from 'graphql'
import { serveGraphQL } from './graphql-server.ts'
import type { GraphQLServer } from './graphql-server.ts'
import {
  accountsResolvers,
  createReviewsResolvers,
  inventoryResolvers,
  productsNextResolvers,
  productsResolvers,
} from './resolvers.ts'

export const SUBGRAPHS = ['products', 'inventory', 'reviews', 'accounts'] as const
export const FEATURE_SUBGRAPH = 'products-next'
export const DEMO_SERVERS = [...SUBGRAPHS, FEATURE_SUBGRAPH] as const
export type DemoServerName = (typeof DEMO_SERVERS)[number]

/** `schemaFile` is its path from the checkout. */
export type DemoServer = GraphQLServer & { readonly name: DemoServerName; readonly schemaFile: string }

/** Rejects with the error of `listen` when the port is taken. */
export async function startSubgraph(name: DemoServerName, host: string, port: number): Promise<DemoServer> {
  const file = fileURLToPath(new URL(`../schemas/${name}.graphql`, import.meta.url))
  const typeDefs = parse(await readFile(file, 'utf8'))
  const schema = buildSubgraphSchema([{ typeDefs, resolvers: resolversOf(name) }])
  const server = await serveGraphQL(schema, { host, port })
  return Object.assign(server, { name, schemaFile: `infra/demo/schemas/${name}.graphql` })
}

function resolversOf(name: DemoServerName): GraphQLResolverMap {
  switch (name) {
    case 'products':
      return productsResolvers
    case 'products-next':
      return productsNextResolvers
    case 'inventory':
      return inventoryResolvers
    case 'reviews':
      return createReviewsResolvers()
    case 'accounts':
      return accountsResolvers
    default:
      return name satisfies never
  }
}
