/** Compositions of products and reviews, with a gate in front of reviews: what is deferred waits there. */
import { type BuiltArtifact, buildArtifact } from './artifacts.ts'
import { ConfigWorld } from './config-world.ts'
import { type Gate, startGate } from './gate.ts'

export const DEFERRING = 'engine: { enable_defer: true }'

export type GatedWorld = {
  readonly world: ConfigWorld
  readonly gate: Gate
  readonly compose: (composition: 'base' | 'next', products: string) => BuiltArtifact
}

/** `next`: the products of a flag of this name. */
export async function gatedWorld(
  use: AsyncDisposableStack,
  urls: { readonly products: string; readonly next?: string; readonly reviews: string },
): Promise<GatedWorld> {
  const gate = use.use(await startGate(urls.reviews))
  const world = use.use(await ConfigWorld.create())
  const compose = (composition: 'base' | 'next', products: string) =>
    buildArtifact(composition, { products, reviews: gate.url })
  await world.publish({
    revision: 1,
    base: compose('base', urls.products),
    ...(urls.next === undefined ? {} : { flags: { next: compose('next', urls.next) } }),
  })
  return { world, gate, compose }
}
