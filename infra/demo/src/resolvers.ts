/**
 * The resolvers of each subgraph. They share the data file as a real shop shares a warehouse: each serves its
 * own columns.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { DISCOUNT_PERCENT, PRODUCTS, REVIEWS, USERS } from './shop-data.ts'
import type { ProductRow, ReviewRow, UserRow } from './shop-data.ts'

type Reference<Key extends string> = Readonly<Record<Key, string>>
/** A representation for `@requires(fields: "price weight")`: the key and both fields. */
type ProductForShipping = { readonly upc: string; readonly price: number; readonly weight: number }

type Media =
  | { readonly __typename: 'Photo'; readonly url: string; readonly width: number }
  | { readonly __typename: 'Video'; readonly url: string; readonly seconds: number }
type CategoryValue = { readonly __typename: 'Category'; readonly name: string }
type ProductValue = ProductRow & { readonly __typename: 'Product' }

export const productsResolvers = productResolvers((row) => row.price)

export const productsNextResolvers = (() => {
  const discounted = (row: ProductRow) => Math.round((row.price * (100 - DISCOUNT_PERCENT)) / 100)
  const base = productResolvers(discounted)
  return { ...base, Product: { ...base.Product, discountPercent: () => DISCOUNT_PERCENT } }
})()

function productResolvers(price: (row: ProductRow) => number) {
  return {
    Query: {
      products: (_: unknown, { first }: { first: number }) => PRODUCTS.slice(0, Math.max(0, first)),
      product: (_: unknown, { upc }: { upc: string }) => findProduct(upc),
      search: (_: unknown, { term }: { term: string }) => search(term),
    },
    Product: {
      __resolveReference: ({ upc }: Reference<'upc'>) => findProduct(upc),
      price,
      category: (row: ProductRow): CategoryValue => ({ __typename: 'Category', name: row.category }),
      media: (row: ProductRow): readonly Media[] => mediaOf(row),
    },
    Category: {
      products: ({ name }: CategoryValue) => PRODUCTS.filter(({ category }) => category === name),
    },
  }
}

const CARRIER_TAKES_MS = 2000
const ORDERS_COME_EVERY_MS = 1000

export const inventoryResolvers = {
  Query: {
    runningLow: (_: unknown, { atMost }: { atMost: number }) =>
      PRODUCTS.filter(({ inStock }) => inStock <= atMost).map(({ upc }) => ({ upc })),
  },
  Subscription: { productOrdered: { subscribe: orderedProducts } },
  Product: {
    __resolveReference: (reference: ProductForShipping) =>
      findProduct(reference.upc) === null ? null : reference,
    deliveryDays: async ({ upc }: Reference<'upc'>) => {
      await delay(CARRIER_TAKES_MS)
      return (findProduct(upc)?.inStock ?? 0) > 0 ? 2 : 9
    },
    inStock: ({ upc }: Reference<'upc'>) => findProduct(upc)?.inStock ?? 0,
    shippingEstimate: ({ price, weight }: ProductForShipping) => (price > 20_000 ? 0 : Math.ceil(weight / 2)),
  },
}

export const accountsResolvers = {
  Query: {
    me: () => USERS[0] ?? null,
    user: (_: unknown, { id }: { id: string }) => findUser(id),
  },
  User: { __resolveReference: ({ id }: Reference<'id'>) => findUser(id) },
}

/** One product after the other. The first comes at once, so that nobody waits to see that it works. */
async function* orderedProducts(): AsyncGenerator<{ readonly productOrdered: Reference<'upc'> }, undefined> {
  for (let turn = 0; ; turn++) {
    const { upc = '' } = PRODUCTS[turn % PRODUCTS.length] ?? {}
    yield { productOrdered: { upc } }
    await delay(ORDERS_COME_EVERY_MS)
  }
}

/** Reviews can be added: each running demo has its own list. */
export function createReviewsResolvers() {
  const reviews: ReviewRow[] = [...REVIEWS]
  const ofProduct = (upc: string) => reviews.filter((review) => review.upc === upc)
  return {
    Query: {
      latestReviews: (_: unknown, { first }: { first: number }) =>
        reviews.slice(-Math.max(1, first)).reverse(),
    },
    Mutation: {
      addReview: (_: unknown, added: Omit<ReviewRow, 'id'>) => {
        if (findProduct(added.upc) === null) throw new Error(`There is no product "${added.upc}".`)
        if (findUser(added.authorId) === null) throw new Error(`There is no user "${added.authorId}".`)
        if (added.rating < 1 || added.rating > 5) throw new Error('A rating is from 1 to 5.')
        const { upc, authorId, rating, body } = added
        const review = { id: `r${reviews.length + 1}`, upc, authorId, rating, body }
        reviews.push(review)
        return review
      },
    },
    Review: {
      __resolveReference: ({ id }: Reference<'id'>) => reviews.find((review) => review.id === id) ?? null,
      author: ({ authorId }: ReviewRow) => ({
        id: authorId,
        username: findUser(authorId)?.username ?? authorId,
      }),
      product: ({ upc }: ReviewRow) => ({ upc }),
    },
    Product: {
      __resolveReference: ({ upc }: Reference<'upc'>) => ({ upc }),
      reviews: ({ upc }: Reference<'upc'>) => ofProduct(upc),
      averageRating: ({ upc }: Reference<'upc'>) => {
        const ratings = ofProduct(upc).map(({ rating }) => rating)
        return ratings.length === 0 ? null : ratings.reduce((sum, rating) => sum + rating, 0) / ratings.length
      },
    },
    User: {
      __resolveReference: ({ id }: Reference<'id'>) => ({ id }),
      reviews: ({ id }: Reference<'id'>) => reviews.filter(({ authorId }) => authorId === id),
    },
  }
}

function findProduct(upc: string): ProductRow | null {
  return PRODUCTS.find((row) => row.upc === upc) ?? null
}

function findUser(id: string): UserRow | null {
  return USERS.find((row) => row.id === id) ?? null
}

function search(term: string): readonly (ProductValue | CategoryValue)[] {
  const holds = (name: string) => name.toLowerCase().includes(term.toLowerCase())
  const categories = [...new Set(PRODUCTS.map(({ category }) => category))].filter(holds)
  return [
    ...PRODUCTS.filter(({ name }) => holds(name)).map(
      (row): ProductValue => ({ __typename: 'Product', ...row }),
    ),
    ...categories.map((name): CategoryValue => ({ __typename: 'Category', name })),
  ]
}

function mediaOf({ upc, category }: ProductRow): readonly Media[] {
  const photo: Media = { __typename: 'Photo', url: `https://shop.example/${upc}.jpg`, width: 1600 }
  if (category !== 'Shelter') return [photo]
  return [photo, { __typename: 'Video', url: `https://shop.example/${upc}.mp4`, seconds: 42 }]
}
