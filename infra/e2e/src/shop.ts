/**
 * The shop of the scenarios: four base subgraphs and two feature subgraphs that a flag switches together.
 * Every field carries the variant of the subgraph that answered it, so an answer that mixes two compositions
 * shows itself.
 */
import { type HttpSubgraph, serveSubgraph } from '@switchyard/testkit'

export const LINK = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.7", import: ["@key", "@shareable", "@external", "@requires"])\n`

export const CATALOGUE_SDL = `${LINK}
type Query { products: [Product!]! }
type Product @key(fields: "id") { id: ID! nameVariant: String! price: Int! }`
export const STOCK_SDL = `${LINK}
type Product @key(fields: "id") { id: ID! stockVariant: String! inStock: Int! }`
const reviews = `${LINK}
type Product @key(fields: "id") { id: ID! reviews: [Review!]! }
type Review { text: String! author: User! }
type User @key(fields: "id") { id: ID! }`
const users = `${LINK}
type Query { me: User }
type User @key(fields: "id") { id: ID! name: String! }`

const IDS = ['1', '2', '3']

export function catalogueResolvers(variant: string) {
  const product = (id: string) => ({ id, nameVariant: variant, price: Number(id) * 10 })
  return {
    Query: { products: () => IDS.map(product) },
    Product: { __resolveReference: (key: { id: string }) => product(key.id) },
  }
}
/** Each answer waits for `before`. */
export function stockResolvers(variant: string, before: () => Promise<void> | undefined = () => undefined) {
  return {
    Product: {
      async __resolveReference({ id }: { id: string }) {
        await before()
        return { id, stockVariant: variant, inStock: Number(id) }
      },
    },
  }
}

export type ShopOptions = { readonly beforeStock?: () => Promise<void> | undefined }

export type Shop = AsyncDisposable & {
  readonly catalogue: HttpSubgraph
  readonly stock: HttpSubgraph
  readonly reviews: HttpSubgraph
  readonly users: HttpSubgraph
  readonly catalogueNext: HttpSubgraph
  readonly stockNext: HttpSubgraph
}

/** Answers of the stock wait for `beforeStock`, which is called for each product. */
export async function openShop({ beforeStock }: ShopOptions = {}): Promise<Shop> {
  const shop = {
    catalogue: await serveSubgraph({ sdl: CATALOGUE_SDL, resolvers: catalogueResolvers('base') }),
    stock: await serveSubgraph({ sdl: STOCK_SDL, resolvers: stockResolvers('base', beforeStock) }),
    reviews: await serveSubgraph({
      sdl: reviews,
      resolvers: {
        Product: {
          __resolveReference: (key: { id: string }) => ({
            id: key.id,
            reviews: [{ text: `review of ${key.id}`, author: { id: 'u1' } }],
          }),
        },
      },
    }),
    users: await serveSubgraph({
      sdl: users,
      resolvers: {
        Query: { me: () => ({ id: 'u1', name: 'Ada' }) },
        User: { __resolveReference: (key: { id: string }) => ({ id: key.id, name: 'Ada' }) },
      },
    }),
    catalogueNext: await serveSubgraph({
      sdl: CATALOGUE_SDL.replace('price: Int!', 'price: Int! badge: String!'),
      resolvers: {
        ...catalogueResolvers('next'),
        Query: {
          products: () =>
            IDS.map((id) => ({ id, nameVariant: 'next', price: Number(id) * 10, badge: 'new' })),
        },
      },
    }),
    stockNext: await serveSubgraph({ sdl: STOCK_SDL, resolvers: stockResolvers('next', beforeStock) }),
  }
  return {
    ...shop,
    async [Symbol.asyncDispose]() {
      await Promise.all(Object.values(shop).map((subgraph) => subgraph[Symbol.asyncDispose]()))
    },
  }
}

export const SHOP_QUERY =
  '{ products { id nameVariant stockVariant inStock reviews { text author { name } } } }'

/** 'base', 'next', or what is wrong with the answer. */
export function variantOf(answer: GraphQLAnswer): string {
  if (answer.status !== 200) return `status ${answer.status}: ${JSON.stringify(answer.body).slice(0, 200)}`
  const body = answer.body as {
    errors?: unknown
    data?: { products: readonly { nameVariant: string; stockVariant: string }[] } | null
  }
  if (body.errors !== undefined || body.data === null || body.data === undefined)
    return `failed: ${JSON.stringify(body).slice(0, 300)}`
  const variants = new Set(
    body.data.products.flatMap((product) => [product.nameVariant, product.stockVariant]),
  )
  return variants.size === 1 ? ([...variants][0] ?? 'empty') : `mixed: ${JSON.stringify(body).slice(0, 300)}`
}

export type GraphQLAnswer = {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

export async function query(
  routerUrl: string,
  headers: Readonly<Record<string, string>> = {},
  text: string = SHOP_QUERY,
): Promise<GraphQLAnswer> {
  const response = await fetch(`${routerUrl}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query: text }),
  })
  const raw = await response.text()
  let body: unknown = raw
  try {
    body = JSON.parse(raw)
  } catch {
    // Kept as text: the caller reports it.
  }
  return { status: response.status, headers: response.headers, body }
}
