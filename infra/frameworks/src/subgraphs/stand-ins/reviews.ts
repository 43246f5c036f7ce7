/** Resolvers with the answers of the subgraph in gqlgen. */
import { GraphQLError } from 'graphql'
import { readShopData, type ReviewRow } from '../../shop-data.ts'

type Reference = { readonly id: string }
type Signed = Reference & { readonly email: string; readonly address?: { readonly city: string } | null }

export function reviewsResolvers() {
  const data = readShopData()
  const reviews: ReviewRow[] = [...data.reviews]
  const find = (id: string) => reviews.find((review) => review.id === id) ?? null
  return {
    Query: {
      review: (_: unknown, { id }: Reference) => find(id),
      latestReviews: (_: unknown, { first }: { first: number }) => [...reviews].reverse().slice(0, first),
      activity: () => [find('r1'), { id: 'u2' }],
    },
    Mutation: {
      addReview: (_: unknown, { input }: { input: Omit<ReviewRow, 'id' | 'posted'> }) => {
        if (input.stars < 1 || input.stars > 5)
          throw new GraphQLError(`${input.stars} is not between 1 and 5 stars.`, {
            extensions: { code: 'BAD_STARS', stars: input.stars },
          })
        const review = {
          ...input,
          mood: input.mood ?? null,
          id: `r${reviews.length + 1}`,
          posted: '2026-05-01',
        }
        reviews.push(review)
        return review
      },
    },
    Activity: { __resolveType: (value: object) => ('stars' in value ? 'Review' : 'User') },
    Review: {
      __resolveReference: ({ id }: Reference) => find(id),
      author: ({ author }: ReviewRow) => {
        const user = data.users.find(({ id }) => id === author)
        return user === undefined ? null : { id: author, name: user.name }
      },
      item: ({ item }: ReviewRow) => ({ id: item }),
    },
    Item: {
      __resolveReference: ({ id }: Reference) => ({ id }),
      reviews: ({ id }: Reference) => reviews.filter(({ item }) => item === id),
      averageStars: ({ id }: Reference) => {
        const stars = reviews.filter(({ item }) => item === id).map((review) => review.stars)
        return stars.length === 0 ? null : stars.reduce((sum, more) => sum + more, 0) / stars.length
      },
    },
    User: {
      __resolveReference: (user: Reference) => user,
      reviews: ({ id }: Reference) => reviews.filter(({ author }) => author === id),
      reviewCount: ({ id }: Reference) => reviews.filter(({ author }) => author === id).length,
      signature: ({ email, address }: Signed) =>
        address == null ? `<${email}>` : `<${email}> from ${address.city}`,
    },
  }
}
