/** The two products subgraphs, reviews, and the artifacts composed of them. */
import { type BuiltArtifact, buildArtifact } from './artifacts.ts'
import { startSubgraph, type TestSubgraph } from './subgraph.ts'

export type Shop = AsyncDisposable & {
  readonly products: TestSubgraph
  readonly next: TestSubgraph
  readonly reviews: TestSubgraph
  readonly base: BuiltArtifact
  readonly flag: BuiltArtifact
}

export async function startShop(): Promise<Shop> {
  const stack = new AsyncDisposableStack()
  const products = stack.use(await startSubgraph('products'))
  const next = stack.use(await startSubgraph('products-next'))
  const reviews = stack.use(await startSubgraph('reviews'))
  return {
    products,
    next,
    reviews,
    base: buildArtifact('base', { products: products.url, reviews: reviews.url }),
    flag: buildArtifact('next', { products: next.url, reviews: reviews.url }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
