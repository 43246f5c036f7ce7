/** Routers that answer OFREP, and how they are asked. */
import type { Jwks, ManifestRollout } from '@switchyard/contracts'
import { brokenArtifact, type BuiltArtifact, buildArtifact } from '../../support/artifacts.ts'
import { ConfigWorld } from '../../support/config-world.ts'
import { usersOf } from '../../support/rollouts.ts'
import { type Reply, routerOn, send, type TestRouter, until } from '../../support/router.ts'
import type { Shop } from '../../support/shop.ts'

export const FLAGS = '/ofrep/v1/evaluate/flags'
/** Flags of the settings, of which `gone` is in no manifest. `other` is served, too, and not listed. */
export const LISTED = ['next', 'broken', 'gone'] as const
export const SETTINGS = `ofrep: { enabled: true, flags: [${LISTED.join(', ')}] }`

/** One user inside of 50 percent, and one outside. */
const { inside, outside } = usersOf(50, 1)
export const ANN = { 'x-user': inside[0] ?? '' }
export const BEN = { 'x-user': outside[0] ?? '' }

export type Served = AsyncDisposable & { readonly world: ConfigWorld; readonly router: TestRouter }

/** The flags that the manifests of these tests hold. */
export function flagsOf(shop: Shop): Readonly<Record<string, BuiltArtifact>> {
  const urls = { products: `${shop.next.url}?variant=other`, reviews: shop.reviews.url }
  return { next: shop.flag, other: buildArtifact('next', urls), broken: brokenArtifact() }
}

/** Starts a router that serves `next`, `other` and `broken` with these rollouts. */
export async function serving(
  shop: Shop,
  rollouts: readonly ManifestRollout[],
  { settings = '', traceKeys }: { readonly settings?: string; readonly traceKeys?: Jwks } = {},
): Promise<Served> {
  await using stack = new AsyncDisposableStack()
  const world = stack.use(await ConfigWorld.create())
  const keys = traceKeys === undefined ? {} : { traceKeys }
  await world.publish({ revision: 1, base: shop.base, flags: flagsOf(shop), rollouts, ...keys })
  const router = stack.use(await routerOn(world, { settings: `${SETTINGS}\n${settings}` }))
  await router.ready
  await until(() => router.logs.some(({ event }) => event === 'flag.not-served'), 'all flags were looked at')
  const parts = stack.move()
  return { world, router, [Symbol.asyncDispose]: () => parts.disposeAsync() }
}

export type Asked = {
  readonly headers?: Record<string, string>
  /** An object is sent as JSON. */
  readonly body?: object | string
  /** What follows the path of all flags. */
  readonly path?: string
  readonly method?: string
}

/** Asks a router for flags, by default for all of them. */
export function ask(
  { url }: Pick<TestRouter, 'url'>,
  { headers = {}, body = {}, path = '', method = 'POST' }: Asked = {},
): Promise<Reply> {
  return send(`${url}${FLAGS}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

/** One line for each flag, such as `next off DEFAULT`; with the code where there is an error. */
export function told({ text }: Reply): readonly string[] {
  const { flags }: { readonly flags: readonly Readonly<Record<string, unknown>>[] } = JSON.parse(text)
  return flags.map(({ key, variant, reason, errorCode }) =>
    [key, ...(errorCode === undefined ? [variant, reason] : [errorCode])].join(' '),
  )
}
