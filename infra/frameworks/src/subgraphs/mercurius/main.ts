/**
 * The subgraph `shipping`, as the documentation of @mercuriusjs/federation shows one: Federation 1, `extend
 * type`.
 */
import { readFileSync } from 'node:fs'
import { mercuriusFederationPlugin } from '@mercuriusjs/federation'
import Fastify from 'fastify'
import mercurius from 'mercurius'
import { type Money, readShopData, type WarehouseKey } from '../../shop-data.ts'

type BookReference = {
  readonly id: string
  readonly weight?: number | null
  readonly price?: Pick<Money, 'currency'> | null
}

const data = readShopData()
const parcels = [...data.parcels]
const carrierOf = (name: string) => data.carriers.find((carrier) => carrier.name === name)

const schema = readFileSync(new URL('schema.graphql', import.meta.url), 'utf8')
const resolvers = {
  Query: {
    carriers: () => data.carriers,
    tracking: (_: unknown, { parcel }: { parcel: string }) => {
      if (data.lost.includes(parcel)) return { reason: 'It fell off the boat.' }
      return parcels.find(({ id }) => id === parcel) ?? null
    },
  },
  Mutation: {
    ship: (_: unknown, { book, carrier }: { book: string; carrier: string }) => {
      if (carrierOf(carrier) === undefined)
        throw new mercurius.ErrorWithProps(`There is no carrier "${carrier}".`, {
          code: 'NO_CARRIER',
          carrier,
        })
      const parcel = { id: `p${parcels.length + data.lost.length + 1}`, book, carrier }
      parcels.push(parcel)
      return parcel
    },
  },
  Book: {
    __resolveReference: (book: BookReference) => book,
    shippingCost: ({ weight, price }: BookReference, { perKilo }: { perKilo: number }) =>
      weight == null || price == null
        ? null
        : { amount: (weight / 1000) * perKilo, currency: price.currency },
    parcels: ({ id }: BookReference) => parcels.filter(({ book }) => book === id),
  },
  Warehouse: {
    __resolveReference: (warehouse: WarehouseKey) => warehouse,
    carriers: ({ country, number }: WarehouseKey) =>
      (data.serves.find((row) => row.country === country && row.number === number)?.carriers ?? []).map(
        carrierOf,
      ),
  },
  Parcel: {
    __resolveReference: ({ id }: { id: string }) => parcels.find((parcel) => parcel.id === id) ?? null,
    book: ({ book }: { book: string }) => ({ id: book }),
    carrier: ({ carrier }: { carrier: string }) => carrierOf(carrier),
  },
  Carrier: { resolveType: ({ type }: { type: string }) => type },
  Tracking: { resolveType: (value: object) => ('reason' in value ? 'Lost' : 'Parcel') },
}

const app = Fastify()
await app.register(mercuriusFederationPlugin, { schema, resolvers })
const url = await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) })
console.log(`shipping is ready at ${url}/graphql`)
