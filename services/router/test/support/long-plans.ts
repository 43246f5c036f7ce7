/** Operations that take long to plan, and routers on which a test decides when that ends. */
import { ConfigWorld } from './config-world.ts'
import type { HeldPlanning } from './held-planning.ts'
import { type Reply, routerOn, type TestRouter, type TestRouterOptions } from './router.ts'
import type { Shop } from './shop.ts'

export const CHEAP = '{ version }'
/** Many places to plan one by one. */
export const HOSTILE = `query Hostile { version ${Array.from(
  { length: 100 },
  (_, index) => `a${index}: product(upc: "1") { name reviews { id body } }`,
).join(' ')} }`
/** Well within the limits of operations, and more than the serving thread plans. */
export const ENORMOUS = `{ ${Array.from(
  { length: 200 },
  (_, index) => `a${index}: product(upc: "1") { name price b: reviews { id body } }`,
).join(' ')} }`
/** More than `CHEAP` takes, less than `HOSTILE`. */
const MAIN_THREAD_STEPS = 200
export const SETTINGS = 'planning: { time_limit: 1h, budget: 1h }'

export async function worldWithRouter(
  use: AsyncDisposableStack,
  shop: Shop,
  held: HeldPlanning,
  options: TestRouterOptions = {},
) {
  const world = use.use(await ConfigWorld.create())
  await world.publish({ revision: 1, base: shop.base })
  const router = use.use(
    await routerOn(world, {
      settings: SETTINGS,
      ...options,
      overrides: {
        createPlanningWorker: held.createWorker,
        mainThreadSteps: MAIN_THREAD_STEPS,
        ...options.overrides,
      },
    }),
  )
  use.defer(() => held.release())
  await router.ready
  return { world, router }
}

export const codeOf = (reply: Reply) => reply.json.errors?.[0]?.extensions['code']
export const eventsOf = (router: TestRouter, event: string) =>
  router.logs.filter((line) => line.event === event)
