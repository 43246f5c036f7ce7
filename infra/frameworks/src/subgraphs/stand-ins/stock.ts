/** Resolvers with the answers of the subgraph in Strawberry, or, with `next`, of a later version of it. */
import { GraphQLError } from 'graphql'
import { type Money, readShopData, type WarehouseKey } from '../../shop-data.ts'

type BookReference = { readonly id: string; readonly price?: Money | null }
type GadgetReference = { readonly maker: { readonly code: string }; readonly model: number }

const NEWLY_ARRIVED = 100

export function stockResolvers(next: boolean) {
  const { gadgetStock, stock, uncounted, warehouses } = readShopData()
  const rowOf = (id: string) => stock.find(({ book }) => book === id)
  const find = ({ country, number }: WarehouseKey) =>
    warehouses.find((row) => row.country === country && row.number === number) ?? null
  const gadget = ({ maker, model }: GadgetReference) =>
    gadgetStock.find((row) => row.maker === maker.code && row.model === model)
  return {
    Query: {
      warehouses: () => warehouses,
      warehouse: (_: unknown, { key }: { key: WarehouseKey }) => find(key),
      stocked: (_: unknown, { atLeast }: { atLeast: number }) => [
        ...stock.filter(({ inStock }) => inStock >= atLeast).map(({ book }) => ({ id: book })),
        ...gadgetStock
          .filter(({ inStock }) => inStock >= atLeast)
          .map(({ maker, model }) => ({ maker: { code: maker }, model })),
      ],
    },
    Stocked: { __resolveType: (value: object) => ('id' in value ? 'Book' : 'Gadget') },
    Book: {
      // Asynchronous, since an error that is thrown at once fails all the entities of a request, not this
      // one.
      __resolveReference: async (book: BookReference) => {
        if (!uncounted.includes(book.id)) return book
        throw new GraphQLError(`The stock of "${book.id}" is being counted.`, {
          extensions: { code: 'COUNTING', hours: 2 },
        })
      },
      inStock: ({ id }: BookReference) => (rowOf(id)?.inStock ?? 0) + (next ? NEWLY_ARRIVED : 0),
      restocked: ({ id }: BookReference) => rowOf(id)?.restocked ?? null,
      discounted: ({ price }: BookReference, { percent }: { percent: number }) =>
        price == null ? null : { ...price, amount: (price.amount * (100 - percent)) / 100 },
      attributes: ({ id }: BookReference) => ({ id, sizes: [1, 2.5, null], nested: { fits: true } }),
      ...(next ? { reserved: ({ id }: BookReference) => (id === 'b1' ? 3 : 0) } : {}),
    },
    Gadget: {
      __resolveReference: (key: GadgetReference) => (gadget(key) === undefined ? null : key),
      inStock: (key: GadgetReference) => gadget(key)?.inStock,
    },
    Warehouse: {
      __resolveReference: find,
      internalName: () => '',
      books: ({ holds }: { holds: readonly string[] }) => holds.map((id) => ({ id })),
    },
  }
}
