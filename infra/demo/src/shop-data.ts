/** The products and customers of the shop. They never change, so that answers can be compared. */
export type ProductRow = {
  readonly upc: string
  readonly name: string
  readonly price: number
  readonly weight: number
  readonly category: string
  readonly inStock: number
}
export const PRODUCTS: readonly ProductRow[] = [
  { upc: 'tent-2', name: 'Two-person tent', price: 24900, weight: 2400, category: 'Shelter', inStock: 7 },
  { upc: 'tarp', name: 'Tarp', price: 8900, weight: 620, category: 'Shelter', inStock: 31 },
  { upc: 'stove', name: 'Gas stove', price: 5900, weight: 95, category: 'Kitchen', inStock: 3 },
  { upc: 'pot', name: 'Titanium pot', price: 4500, weight: 110, category: 'Kitchen', inStock: 18 },
  { upc: 'bag-0', name: 'Winter sleeping bag', price: 32900, weight: 1250, category: 'Sleeping', inStock: 4 },
  { upc: 'mat', name: 'Sleeping mat', price: 11900, weight: 480, category: 'Sleeping', inStock: 12 },
]

export type UserRow = {
  readonly id: string
  readonly name: string
  readonly username: string
  readonly memberSince: number
}
export const USERS: readonly UserRow[] = [
  { id: 'u1', name: 'Ada Holm', username: 'ada', memberSince: 2019 },
  { id: 'u2', name: 'Bruno Reis', username: 'bruno', memberSince: 2021 },
  { id: 'u3', name: 'Chika Obi', username: 'chika', memberSince: 2024 },
]

export type ReviewRow = {
  readonly id: string
  readonly upc: string
  readonly authorId: string
  readonly rating: number
  readonly body: string
}
export const REVIEWS: readonly ReviewRow[] = [
  { id: 'r1', upc: 'tent-2', authorId: 'u1', rating: 5, body: 'Stood through two storms.' },
  { id: 'r2', upc: 'tent-2', authorId: 'u2', rating: 4, body: 'Light, a little narrow.' },
  { id: 'r3', upc: 'stove', authorId: 'u3', rating: 5, body: 'Boils in three minutes.' },
  { id: 'r4', upc: 'bag-0', authorId: 'u1', rating: 3, body: 'Warm, but the zip catches.' },
  { id: 'r5', upc: 'mat', authorId: 'u3', rating: 4, body: 'Comfortable and loud.' },
]

/** The discount of the new pricing, in percent. */
export const DISCOUNT_PERCENT = 10
