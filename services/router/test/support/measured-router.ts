/** A router whose metrics are kept and served, as those of a process are. */
import { createLogger, startWithMetrics } from '@switchyard/service-kit'
import { freePort, type ScrapedMetric, scrapeMetrics } from '@switchyard/testkit'
import { ConfigWorld } from './config-world.ts'
import { routerOn, type TestRouter } from './router.ts'
import { type Shop, startShop } from './shop.ts'

export type MeasuredRouter = AsyncDisposable & {
  readonly shop: Shop
  readonly world: ConfigWorld
  readonly router: TestRouter
  readonly metrics: () => Promise<ReadonlyMap<string, ScrapedMetric>>
}

/** The shop with the feature flag "next". */
export async function startMeasuredRouter(settings = ''): Promise<MeasuredRouter> {
  await using stack = new AsyncDisposableStack()
  const port = await freePort()
  const shop = stack.use(await startShop())
  const world = stack.use(await ConfigWorld.create())
  await world.publish({ revision: 1, base: shop.base, flags: { next: shop.flag } })
  const env = { SWITCHYARD_METRICS_PORT: String(port) }
  const logger = createLogger({ name: 'router', level: 'silent' })
  const started: { router?: TestRouter } = {}
  stack.use(
    await startWithMetrics({ env, logger }, { service: 'router' }, async () => {
      const router = await routerOn(world, { settings })
      started.router = router
      return router
    }),
  )
  const { router } = started
  if (router === undefined) throw new Error('The router was not started.')
  await router.ready
  const parts = stack.move()
  return {
    shop,
    world,
    router,
    metrics: () => scrapeMetrics(port),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}
