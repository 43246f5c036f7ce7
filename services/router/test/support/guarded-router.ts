/** A router with a guarded rollout of the flag `next`, and the figures that it reports. */
import type { ManifestRollout } from '@switchyard/contracts'
import { clusterOf, type RouterFigures } from '@switchyard/guards'
import { createLogger, FleetKey, hearFigures } from '@switchyard/service-kit'
import { brokenArtifact } from './artifacts.ts'
import { ConfigWorld } from './config-world.ts'
import { rollout, untilServed, usersOf } from './rollouts.ts'
import { post, type Reply, routerOn, type TestRouter, type TestRouterOptions, until } from './router.ts'
import type { Shop } from './shop.ts'

export const FLEET_KEY = new FleetKey('the key of a fleet of test routers')

/** Users inside of 50 %, each in a cluster of its own, and users outside. */
export const USERS = ((): { readonly inside: readonly string[]; readonly outside: readonly string[] } => {
  const { inside, outside } = usersOf(50, 400)
  const apart = (users: readonly string[]) =>
    [...new Map(users.map((user) => [clusterOf(user), user])).values()].slice(0, 20)
  return { inside: apart(inside), outside: apart(outside) }
})()

export const guarded = (change: Partial<ManifestRollout> = {}): ManifestRollout =>
  rollout({ guard: { step: 7 }, ...change })

export type GuardedRouter = AsyncDisposable & {
  readonly world: ConfigWorld
  readonly router: TestRouter
  readonly heard: readonly RouterFigures[]
  /** Publishes another revision, and waits until it is served. */
  serve(revision: number, rollouts: readonly ManifestRollout[]): Promise<void>
  readonly ask: (query: string, user: string, headers?: Record<string, string>) => Promise<Reply>
  /** Waits for figures that fulfil a condition. */
  reported(isMeant: (figures: RouterFigures) => boolean, what: string): Promise<RouterFigures>
}

export async function startGuarded(
  shop: Shop,
  rollouts: readonly ManifestRollout[],
  options: TestRouterOptions = {},
): Promise<GuardedRouter> {
  await using stack = new AsyncDisposableStack()
  const world = stack.use(await ConfigWorld.create())
  const heard: RouterFigures[] = []
  stack.use(
    hearFigures({
      subscribe: (subject, handler) => world.announcer.subscribe(subject, handler),
      fleetKey: FLEET_KEY,
      logger: createLogger({ name: 'test', to: { write: () => {} } }),
      onFigures: (figures) => heard.push(figures),
    }),
  )
  const flags = { next: shop.flag, broken: brokenArtifact() }
  const publish = (revision: number, served: readonly ManifestRollout[]) =>
    world.publish({ revision, base: shop.base, flags, rollouts: served })
  await publish(1, rollouts)
  const source = { trusted: true, ...options.source }
  const router = stack.use(await routerOn(world, { fleetKey: FLEET_KEY, ...options, source }))
  await router.ready
  const parts = stack.move()
  return {
    world,
    router,
    heard,
    async serve(revision, served) {
      await publish(revision, served)
      await untilServed(router, revision)
    },
    ask: (query, user, headers = {}) => post(router, { query }, { 'x-user': user, ...headers }),
    reported: (isMeant, what) => until(() => heard.findLast(isMeant), what),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}
