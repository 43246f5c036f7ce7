/** Routers whose compositions are stored in pieces. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type ConfigStore, ConfigStoreUnavailableError } from '@switchyard/config-store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { largeComposition } from '../../bench/large-compositions.ts'
import { type BuiltArtifact, piecesOf } from '../support/artifacts.ts'
import { ConfigWorld, GRAPH } from '../support/config-world.ts'
import { post, routerOn, type TestRouter, until } from '../support/router.ts'
import { type Shop, startShop } from '../support/shop.ts'

const TYPES = 400

const stack = new AsyncDisposableStack()
let shop: Shop
let base: BuiltArtifact
let flag: BuiltArtifact

beforeAll(async () => {
  shop = stack.use(await startShop())
  base = largeComposition(shop.base, TYPES, 'base')
  flag = largeComposition(shop.flag, TYPES, 'flag')
})
afterAll(() => stack.disposeAsync())

const answerOf = async (router: TestRouter, name?: string) =>
  (await post(router, { query: '{ version }' }, name === undefined ? {} : { 'x-feature-flag': name })).json
    .data?.['version']

/** What is read of a store. */
function watched(store: ConfigStore) {
  const read = { artifacts: [] as string[], pieces: [] as string[] }
  const watching = new Proxy(store, {
    get(target, name) {
      if (name === 'getArtifact')
        return (...[graph, sha256]: Parameters<ConfigStore['getArtifact']>) => {
          read.artifacts.push(sha256)
          return target.getArtifact(graph, sha256)
        }
      if (name === 'getPiece')
        return (...[graph, sha256]: Parameters<ConfigStore['getPiece']>) => {
          read.pieces.push(sha256)
          return target.getPiece(graph, sha256)
        }
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { store: watching, read }
}

function unreachable(store: ConfigStore): ConfigStore {
  return new Proxy(store, {
    get: () => () => Promise.reject(new ConfigStoreUnavailableError('nobody answers')),
  })
}

const builtBy = ({ logs }: TestRouter) => logs.filter(({ event }) => event === 'generation.built')

describe('a router', () => {
  it('serves base and flags from pieces, and after a change reads the chunk that changed', async () => {
    await using use = new AsyncDisposableStack()
    const world = use.use(await ConfigWorld.create())
    const { store, read } = watched(world.store)
    await world.publish({ revision: 1, base, flags: { next: flag }, stored: 'in pieces' })
    const router = use.use(await routerOn(world, { source: { store } }))
    await router.ready
    expect([await answerOf(router), await answerOf(router, 'next')]).toEqual(['products', 'products-next'])
    expect(read.artifacts).toEqual([])
    expect(piecesOf(base).pieces.size).toBeGreaterThan(4)

    read.pieces.length = 0
    const changed = largeComposition(shop.base, TYPES, 'changed')
    await world.publish({ revision: 2, base: changed, flags: { next: flag }, stored: 'both' })
    await until(() => builtBy(router).length === 3, 'the change is compiled')
    expect(builtBy(router).at(-1)).toMatchObject({ changed: 1 })
    const before = new Set([...piecesOf(base).pieces.keys(), ...piecesOf(flag).pieces.keys()])
    const others = [...piecesOf(changed).pieces.keys()].filter((sha256) => !before.has(sha256))
    expect(read.pieces.toSorted()).toEqual(others.toSorted())
    expect(others).toHaveLength(2)
    expect(read.artifacts).toEqual([])
    expect(await answerOf(router)).toBe('products')
  })

  it('starts from the pieces of its copy when the store is away', async () => {
    await using use = new AsyncDisposableStack()
    const world = use.use(await ConfigWorld.create())
    await world.publish({ revision: 1, base, flags: { next: flag }, stored: 'in pieces' })
    const first = await routerOn(world, { instance: 'first' })
    await first.ready
    await first[Symbol.asyncDispose]()
    const kept = await readdir(join(world.copies, 'default.shop.artifacts'))
    const wanted = [...piecesOf(base).pieces.keys(), ...piecesOf(flag).pieces.keys()]
    expect(kept.toSorted()).toEqual([...new Set(wanted)].map((sha256) => `${sha256}.gz`).toSorted())
    const router = use.use(await routerOn(world, { source: { store: unreachable(world.store) } }))
    await router.ready
    expect([await answerOf(router), await answerOf(router, 'next')]).toEqual(['products', 'products-next'])
  })

  it.each([
    ['is missing', null],
    ['has other bytes', gzipSync('something else')],
    ['is cut off', gzipSync(Buffer.alloc(100_000, 'x')).subarray(0, 30)],
  ])('reads a composition as a whole of which a chunk %s, and says so', async (_, bytes) => {
    await using use = new AsyncDisposableStack()
    const world = use.use(await ConfigWorld.create())
    await world.publish({ revision: 1, base, flags: { next: flag }, stored: 'both' })
    const own = new Set(piecesOf(base).pieces.keys())
    const [damaged = ''] = [...piecesOf(flag).pieces.keys()].filter((sha256) => !own.has(sha256))
    if (bytes === null) await world.store.deletePiece(GRAPH, damaged, Number.MAX_SAFE_INTEGER)
    else await world.store.putPieces(GRAPH, new Map([[damaged, bytes]]))
    const { store, read } = watched(world.store)
    const router = use.use(await routerOn(world, { source: { store } }))
    await router.ready
    expect([await answerOf(router), await answerOf(router, 'next')]).toEqual(['products', 'products-next'])
    expect(read.artifacts).toEqual([flag.sha256])
    const told = router.logs.filter(({ event }) => event === 'config.pieces-not-used')
    expect(told).toHaveLength(1)
    expect(JSON.stringify(told)).toContain(damaged)
    expect(router.logs.filter(({ event }) => event === 'config.damaged')).toEqual([])
  })

  it('is served by what it has, where a new composition is neither there in pieces nor as a whole', async () => {
    await using use = new AsyncDisposableStack()
    const world = use.use(await ConfigWorld.create())
    await world.publish({ revision: 1, base, stored: 'in pieces' })
    const router = use.use(await routerOn(world))
    await router.ready
    const lost = largeComposition(shop.base, TYPES, 'lost')
    await world.publish({ revision: 2, base: lost, stored: 'in pieces', withoutArtifacts: true })
    await until(
      () => router.logs.some(({ event }) => event === 'config.rejected'),
      'what cannot be read is not taken',
    )
    expect(router.logs.find(({ event }) => event === 'config.rejected')).toMatchObject({
      code: 'MANIFEST_ARTIFACT_MISSING',
    })
    expect(await answerOf(router)).toBe('products')
  })
})
