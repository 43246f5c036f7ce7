/**
 * The data of the shop. Every subgraph, whatever its language, reads the same file, like a shared warehouse.
 */
import { readFileSync } from 'node:fs'

export type Money = { readonly amount: number; readonly currency: 'EUR' | 'NOK' | 'USD' }

export type UserRow = {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly born: string | null
  readonly role: 'STAFF' | 'READER'
  readonly address: { readonly street: string; readonly city: string } | null
  readonly favourite: string | null
  readonly wishlist: readonly string[]
}

type ItemColumns = { readonly id: string; readonly title: string; readonly price: Money | null }
export type BookRow = ItemColumns & {
  readonly type: 'Book'
  readonly weight: number | null
  readonly language: 'EN' | 'NB'
}
export type GadgetRow = ItemColumns & {
  readonly type: 'Gadget'
  readonly maker: string
  readonly model: number
  readonly volts: number | null
}
export type ItemRow = BookRow | GadgetRow

export type WarehouseKey = { readonly country: string; readonly number: number }
export type ReviewRow = {
  readonly id: string
  readonly item: string
  readonly author: string
  readonly stars: number
  readonly mood: 'HAPPY' | 'CALM' | null
  readonly body: string
  readonly posted: string
}
export type CarrierRow =
  | { readonly type: 'Postal'; readonly name: string; readonly stampless: boolean }
  | { readonly type: 'Courier'; readonly name: string; readonly phone: string }

export type ShopData = {
  readonly users: readonly UserRow[]
  readonly makers: readonly { readonly code: string; readonly name: string }[]
  readonly items: readonly ItemRow[]
  readonly warehouses: readonly (WarehouseKey & {
    readonly city: string
    readonly holds: readonly string[]
  })[]
  readonly stock: readonly {
    readonly book: string
    readonly inStock: number
    readonly restocked: string | null
  }[]
  readonly gadgetStock: readonly {
    readonly maker: string
    readonly model: number
    readonly inStock: number
  }[]
  /** Books whose stock is being counted: asking for it is an error. */
  readonly uncounted: readonly string[]
  readonly reviews: readonly ReviewRow[]
  readonly carriers: readonly CarrierRow[]
  readonly serves: readonly (WarehouseKey & { readonly carriers: readonly string[] })[]
  readonly parcels: readonly { readonly id: string; readonly book: string; readonly carrier: string }[]
  readonly lost: readonly string[]
}

export const SHOP_DATA_FILE = new URL('shop-data.json', import.meta.url)

export function readShopData(): ShopData {
  return JSON.parse(readFileSync(SHOP_DATA_FILE, 'utf8')) as ShopData
}
