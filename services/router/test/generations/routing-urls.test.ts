/**
 * A router calls no URL that breaks the rule, whoever wrote it down; the rule itself is tested with the
 * contracts.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readExecutionConfig } from '../../src/generations/follow/file-source.ts'
import { readSupergraphFile } from '../../src/generations/follow/supergraph-source.ts'
import { buildArtifact } from '../support/artifacts.ts'
import { ConfigWorld } from '../support/config-world.ts'
import { post, routerOn, until } from '../support/router.ts'
import { type Shop, startShop } from '../support/shop.ts'

const WRONG = [
  'ftp://h/',
  'http://',
  'http:///x',
  'http://u:p@h/',
  'http://h/#f',
  'http://h:0/',
  'http://h\\x',
  'http://h/ x',
  '',
]

const stack = new AsyncDisposableStack()
let shop: Shop
let folder: string
beforeAll(async () => {
  shop = stack.use(await startShop())
  folder = await mkdtemp(join(tmpdir(), 'routing-urls-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
})
afterAll(() => stack.disposeAsync())

function withUrl(reviews: string) {
  return buildArtifact('base', { products: shop.products.url, reviews })
}

describe('a routing URL that breaks the rule', () => {
  it('is rejected in a signed manifest’s artifact, and the old one is served on', async () => {
    await using use = new AsyncDisposableStack()
    const world = use.use(await ConfigWorld.create())
    await world.publish({ revision: 1, base: shop.base })
    const router = use.use(await routerOn(world))
    await router.ready
    for (const [index, url] of WRONG.entries()) {
      const revision = index + 2
      await world.publish({ revision, base: withUrl(url) })
      const rejected = await until(
        () => world.heartbeats.findLast((beat) => beat.rejected?.revision === revision)?.rejected,
        `"${url}" is rejected`,
      )
      expect([rejected?.code, rejected?.message]).toEqual([
        'MANIFEST_NOT_BUILT',
        expect.stringContaining('routingUrl'),
      ])
    }
    expect((await post(router, { query: '{ version }' })).json.data).toEqual({ version: 'products' })
  })

  it.each(WRONG)('(%j) stops the start from an execution config and from a supergraph', async (url) => {
    const config = join(folder, 'config.json')
    const { artifact } = withUrl(url)
    await writeFile(config, JSON.stringify({ formatVersion: 1, base: artifact, featureFlags: {} }))
    await expect(readExecutionConfig(config)).rejects.toThrow(
      /"base\.subgraphs\.1\.routingUrl" is wrong \(a routing URL is/,
    )
    const flagged = { formatVersion: 1, base: shop.base.artifact, featureFlags: { next: artifact } }
    await writeFile(config, JSON.stringify(flagged))
    await expect(readExecutionConfig(config)).rejects.toThrow(
      /"featureFlags\.next\.subgraphs\.1\.routingUrl"/,
    )

    const supergraph = join(folder, 'supergraph.graphql')
    const sdl = shop.base.artifact.supergraphSdl.replace(
      /(graph\(name: "reviews", url: )"[^"]*"/,
      (_, head: string) => `${head}${JSON.stringify(url)}`,
    )
    expect(sdl).toContain(JSON.stringify(url))
    await writeFile(supergraph, sdl)
    await expect(readSupergraphFile(supergraph)).rejects.toThrow(/"reviews" has .* in @join__graph/)
  })
})
