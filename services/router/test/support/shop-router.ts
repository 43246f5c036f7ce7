import { ConfigWorld } from './config-world.ts'
import { routerOn, type TestRouter, type TestRouterOptions } from './router.ts'
import { type Shop, startShop } from './shop.ts'

export type ShopRouter = AsyncDisposable & { readonly shop: Shop; readonly router: TestRouter }

/** The shop's subgraphs, and a router that serves them. */
export async function startShopRouter(options: TestRouterOptions = {}): Promise<ShopRouter> {
  await using stack = new AsyncDisposableStack()
  const shop = stack.use(await startShop())
  const world = stack.use(await ConfigWorld.create())
  await world.publish({ revision: 1, base: shop.base })
  const router = stack.use(await routerOn(world, options))
  await router.ready
  const parts = stack.move()
  return { shop, router, [Symbol.asyncDispose]: () => parts.disposeAsync() }
}
