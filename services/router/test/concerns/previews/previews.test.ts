/** Previews over HTTP: who serves them, until when, and what their subgraphs get to see. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPropagation, createLogger } from '@switchyard/service-kit'
import { type BuiltArtifact, packed } from '../../support/artifacts.ts'
import { ConfigWorld, GRAPH } from '../../support/config-world.ts'
import { post, routerOn, send, type TestRouter, type TestRouterOptions, until } from '../../support/router.ts'
import { type Shop, startShop } from '../../support/shop.ts'

const FLAG = 'pr-481-0123456789abcdef'
const EXPIRES = '2026-12-01T00:00:00.000Z'
const END = Date.parse(EXPIRES)
const SERVE = 'previews: { serve: true }\n'

let shop: Shop
let preview: BuiltArtifact
beforeAll(async () => {
  shop = await startShop()
  preview = previewOf(shop)
})
afterAll(() => shop[Symbol.asyncDispose]())

/** The composition of the flag as that of a preview. */
function previewOf({ flag: { artifact } }: Shop): BuiltArtifact {
  return packed({
    ...artifact,
    subgraphs: artifact.subgraphs.map((one) =>
      one.baseName === undefined ? one : { ...one, preview: true },
    ),
  })
}

async function openRouter(use: AsyncDisposableStack, options: TestRouterOptions = {}) {
  const world = use.use(await ConfigWorld.create())
  await publish(world, 1)
  const router = use.use(
    await routerOn(world, {
      settings: SERVE,
      ...options,
      overrides: { now: () => END - 1, ...options.overrides },
    }),
  )
  await router.ready
  return { world, router }
}
const publish = (world: ConfigWorld, revision: number, of = preview) =>
  world.publish({
    revision,
    base: shop.base,
    flags: { next: shop.flag },
    previews: { [FLAG]: { of, expires: EXPIRES } },
  })

const versionOf = async (router: TestRouter, flag = FLAG, headers = {}) => {
  const { json, headers: answered } = await post(
    router,
    { query: '{ version }' },
    { 'x-feature-flag': flag, ...headers },
  )
  return [json.data?.['version'], answered['x-feature-flag']]
}
const PREVIEW = ['products-next', FLAG]
const BASE = ['products', undefined]

describe('a preview', () => {
  it('is served to whoever knows its name, by header and by cookie', async () => {
    await using use = new AsyncDisposableStack()
    const { router } = await openRouter(use)
    expect(await versionOf(router)).toEqual(PREVIEW)
    expect(await versionOf(router, '', { cookie: `feature_flag=${FLAG}` })).toEqual(PREVIEW)
    for (const stranger of ['pr-481', 'pr-481-', 'pr-481-0123456789abcdee', FLAG.toUpperCase(), 'pr-481-*'])
      expect(await versionOf(router, stranger), stranger).toEqual(BASE)
  })

  it('is served by no router that was not told to', async () => {
    await using use = new AsyncDisposableStack()
    const { router, world } = await openRouter(use, { settings: '' })
    expect(await versionOf(router)).toEqual(BASE)
    await world.store.deleteArtifact(GRAPH, preview.sha256)
    await publish(world, 2)
    await until(() => world.heartbeats.at(-1)?.revision === 2, 'the next revision is served')
    expect(await versionOf(router)).toEqual(BASE)
  })

  it('ends at its time by the clock of the router, whatever the registry does', async () => {
    await using use = new AsyncDisposableStack()
    let now = END - 1
    const { router } = await openRouter(use, { overrides: { now: () => now } })
    expect(await versionOf(router)).toEqual(PREVIEW)
    now = END
    expect(await versionOf(router)).toEqual(BASE)
  })

  it('is told nowhere: not on the health page, in heartbeats, or to other routers', async () => {
    await using use = new AsyncDisposableStack()
    const { router, world } = await openRouter(use)
    expect(await versionOf(router)).toEqual(PREVIEW)
    await world.store.deleteArtifact(GRAPH, preview.sha256)
    await publish(world, 2, packed({ ...preview.artifact, compatibilityVersion: 'join/v0.4' }))
    await until(() => world.heartbeats.at(-1)?.revision === 2, 'the next revision is served')
    expect(JSON.stringify(world.heartbeats)).not.toContain('pr-481')
    const pages = await Promise.all(
      ['/health/ready', '/health/live', '/'].map((path) => send(router.url + path)),
    )
    expect(pages.map(({ text }) => text).join()).not.toContain('pr-481')
  })

  it('keeps no config from being served when it is damaged, and the health page does not name it', async () => {
    await using use = new AsyncDisposableStack()
    const { router, world } = await openRouter(use)
    expect(await versionOf(router)).toEqual(PREVIEW)
    const other = packed({ ...preview.artifact, compatibilityVersion: 'join/v0.4' })
    await world.publish({
      revision: 2,
      base: shop.base,
      flags: { next: shop.flag },
      previews: { [FLAG]: { of: other, expires: EXPIRES } },
      withoutArtifacts: true,
    })
    await until(() => world.heartbeats.at(-1)?.revision === 2, 'the next revision is served')
    expect((await post(router, { query: '{ version }' }, { 'x-feature-flag': FLAG })).status).toBe(503)
    const { text } = await send(`${router.url}/health/ready`)
    expect(text).toContain('a preview is not served')
    expect(text).not.toContain('pr-481')
  })

  it('is compiled when somebody names it, and not before', async () => {
    await using use = new AsyncDisposableStack()
    const { router } = await openRouter(use)
    await until(() => built(router).includes('next'), 'the flag is compiled')
    expect(built(router)).not.toContain(FLAG)
    await versionOf(router)
    await until(() => built(router).includes(FLAG), 'the preview is compiled')
  })

  it('is a flag like any other to a flag of its name, which comes first', async () => {
    await using use = new AsyncDisposableStack()
    const world = use.use(await ConfigWorld.create())
    await world.publish({
      revision: 1,
      base: shop.base,
      flags: { [FLAG]: shop.base },
      previews: { [FLAG]: { of: preview, expires: EXPIRES } },
    })
    const router = use.use(await routerOn(world, { settings: SERVE, overrides: { now: () => END - 1 } }))
    await router.ready
    expect((await versionOf(router))[0]).toBe('products')
  })
})

const built = ({ logs }: TestRouter) =>
  logs.filter(({ event }) => event === 'flag.built').map((line) => line['featureFlag'] ?? line['flag'])

describe('a subgraph of a preview', () => {
  const SETTINGS = `${SERVE}
headers:
  request: [{ propagate: authorization }, { set: x-secret, value: s3cret }, { propagate_matching: 'x-*' }]
  subgraphs: { products-next: { request: [{ propagate: x-tenant }] } }
  flags: { ${FLAG}: { request: [{ propagate: x-beta }], response: [{ set: x-flagged, value: 'yes' }] } }
`
  const SENT = {
    authorization: 'Bearer t',
    'x-tenant': 'a',
    'x-beta': 'b',
    'x-secret': 'c',
    baggage: 'user=ann',
    tracestate: 'v=1',
    traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
  }
  const asked = ['authorization', 'x-secret', 'x-tenant', 'x-beta', 'x-more', 'baggage', 'tracestate']
  const QUERY = `{ ${asked.map((name, index) => `h${index}: header(name: "${name}")`).join(' ')} }`

  it('sees no header of clients, and no rule is applied to it', async () => {
    await using use = new AsyncDisposableStack()
    const logger = createLogger({ name: 'router', level: 'silent' })
    const propagation = await openPropagation({ OTEL_PROPAGATORS: 'tracecontext,baggage' }, logger)
    const { router } = await openRouter(use, { settings: SETTINGS, propagation })
    const { json } = await post(router, { query: QUERY }, { ...SENT, 'x-feature-flag': FLAG })
    expect(Object.values(json.data ?? {})).toEqual(asked.map(() => null))
    const base = await post(router, { query: QUERY }, SENT)
    expect(Object.values(base.json.data ?? {})).toEqual(['Bearer t', 'c', 'a', 'b', null, 'user=ann', 'v=1'])
  })

  it('sees what is named for previews', async () => {
    await using use = new AsyncDisposableStack()
    const settings = `${SERVE}headers: { request: [{ propagate: authorization }], previews: { request: [{ propagate: x-tenant }] } }`
    const { router } = await openRouter(use, { settings })
    const { json } = await post(router, { query: QUERY }, { ...SENT, 'x-feature-flag': FLAG })
    expect(Object.values(json.data ?? {})).toEqual([null, null, 'a', null, null, null, null])
  })
})
