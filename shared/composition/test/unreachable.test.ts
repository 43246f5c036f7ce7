import { describe, expect, it } from 'vitest'
import { composeSdls, expectFailed, FED2 } from './subgraph-fixtures.ts'

const errorsOf = (sdls: Readonly<Record<string, string>>) => expectFailed(composeSdls(sdls))

describe('a path that cannot be resolved', () => {
  it('is told step by step, with the subgraph of each step and the reason why it ends', () => {
    const [error] = errorsOf({
      catalogue: `${FED2}type Query { products: [Product] } type Product @key(fields: "id") { id: ID! }`,
      reviews: `${FED2}type Product @key(fields: "id") { id: ID! reviews: [Review] } type Review { author: User } type User @key(fields: "id") { id: ID! }`,
      users: `${FED2}type User @key(fields: "email") { email: String @inaccessible name: String }`,
    })
    expect(error).toMatchObject({
      code: 'SATISFIABILITY_ERROR',
      message: [
        '"User.name" cannot be resolved on the path Query.products (catalogue) → Product.reviews (reviews) → Review.author (reviews):',
        '- from subgraph "reviews": the @key(fields: "email") of subgraph "users" needs "User.email", which subgraph "reviews" does not have.',
      ].join('\n'),
      subgraphs: ['reviews', 'users'],
      path: [
        { coordinate: 'Query.products', subgraph: 'catalogue' },
        { coordinate: 'Product.reviews', subgraph: 'reviews' },
        { coordinate: 'Review.author', subgraph: 'reviews' },
        { coordinate: 'User.name', subgraph: null },
      ],
      reasons: [
        {
          subgraph: 'reviews',
          target: 'users',
          reason:
            'the @key(fields: "email") of subgraph "users" needs "User.email", which subgraph "reviews" does not have',
        },
      ],
    })
    expect(error?.operation?.replaceAll(/\s+/g, ' ')).toBe('{ products { reviews { author { name } } } }')
  })

  it('comes with an operation that is valid, also for arguments and objects', () => {
    const [error] = errorsOf({
      a: `${FED2}type Query { t(e: E!, in: In!): T } enum E { A } input In { x: Int! } type T @shareable { x: Int }`,
      b: `${FED2}type T @shareable { x: Int y: Y } type Y { z: Int }`,
    })
    expect(error?.operation?.replaceAll(/\s+/g, ' ')).toBe('{ t(e: A, in: { x: 0 }) { y { __typename } } }')
  })
})
