/** The black-box scenario of the product, told once and run on every set-up. */
import { waitFor } from '@switchyard/testkit'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Constellation,
  type Finished,
  GRAPH,
  openShop,
  query,
  type Shop,
  variantOf,
  waitForReady,
} from '../index.ts'

export function describeScenario(setUp: string, start: () => Promise<Constellation & AsyncDisposable>): void {
  describe(`publish, compose, distribute, serve (${setUp})`, () => {
    let shop: Shop
    let system: Constellation
    beforeAll(async () => {
      shop = await openShop()
      system = await start()
    }, 90_000)
    afterAll(async () => {
      await system?.[Symbol.asyncDispose]()
      await shop?.[Symbol.asyncDispose]()
    })

    async function ok(...args: string[]): Promise<Finished> {
      const finished = await system.cli(...args)
      expect(
        finished.code,
        `${args.join(' ')}\n${finished.stdout}\n${finished.stderr}\n${system.report()}`,
      ).toBe(0)
      return finished
    }
    async function everyRouterAnswers(expected: string, headers: Record<string, string> = {}): Promise<void> {
      for (const url of system.routerUrls)
        await waitFor(`${url} to answer ${expected}`, async () => {
          const got = variantOf(await query(url, headers))
          if (got !== expected) throw new Error(`${got}\n${system.report()}`)
          return true
        })
    }

    it('creates a graph and tells that it has nothing to compose yet', async () => {
      const { stdout } = await ok('federated-graph', 'create', GRAPH, '--label-matcher', 'team=shop')
      expect(stdout.toLowerCase()).toContain('nothing to compose')
    })

    it('publishes four subgraphs and serves the graph', async () => {
      const subgraphs = {
        catalogue: shop.catalogue,
        stock: shop.stock,
        reviews: shop.reviews,
        users: shop.users,
      }
      for (const [name, subgraph] of Object.entries(subgraphs)) {
        await writeFile(join(system.folder, `${name}.graphql`), subgraph.sdl)
        await ok('subgraph', 'create', name, '--routing-url', subgraph.url, '--label', 'team=shop')
        const published = await system.cli(
          'subgraph',
          'publish',
          name,
          '--schema',
          `${name}.graphql`,
          '--json',
        )
        const report = JSON.parse(published.stdout) as { ok: boolean; compositions: { status: string }[] }
        expect(report.ok, published.stdout + published.stderr).toBe(true)
        expect(report.compositions.length).toBe(1)
      }
      await Promise.all(system.routerUrls.map((url) => waitForReady(system, url)))
      await everyRouterAnswers('base')
      const answer = await query(system.routerUrls[0] ?? '')
      expect(answer.headers.get('vary')).toBe('Accept, X-Feature-Flag, Cookie')
      expect(answer.body).toEqual({
        data: {
          products: ['1', '2', '3'].map((id) => ({
            id,
            nameVariant: 'base',
            stockVariant: 'base',
            inStock: Number(id),
            reviews: [{ text: `review of ${id}`, author: { name: 'Ada' } }],
          })),
        },
      })
    })

    it('serves an enabled flag to those who name it by header or cookie, and base to everyone else', async () => {
      const features = { 'catalogue-next': shop.catalogueNext, 'stock-next': shop.stockNext }
      for (const [name, subgraph] of Object.entries(features)) {
        await writeFile(join(system.folder, `${name}.graphql`), subgraph.sdl)
        await ok('fs', 'create', name, '--routing-url', subgraph.url, '--subgraph', name.replace('-next', ''))
        await ok('subgraph', 'publish', name, '--schema', `${name}.graphql`)
      }
      await ok(
        'feature-flag',
        'create',
        'next',
        '--label',
        'team=shop',
        '--feature-subgraphs',
        'catalogue-next',
        'stock-next',
        '--enabled',
      )
      await everyRouterAnswers('next', { 'X-Feature-Flag': 'next' })
      await everyRouterAnswers('next', { Cookie: 'a=b; feature_flag=next' })
      await everyRouterAnswers('base')
      await everyRouterAnswers('base', { 'X-Feature-Flag': 'no-such-flag' })
      await everyRouterAnswers('base', { 'X-Feature-Flag': 'constructor' })
      await everyRouterAnswers('base', { 'X-Feature-Flag': 'no-such-flag', Cookie: 'feature_flag=next' })
      const hit = await query(
        system.routerUrls[0] ?? '',
        { 'X-Feature-Flag': 'next' },
        '{ products { badge } }',
      )
      expect(hit.headers.get('x-feature-flag')).toBe('next')
      expect(hit.body).toMatchObject({
        data: { products: [{ badge: 'new' }, { badge: 'new' }, { badge: 'new' }] },
      })
    })

    it('answers from base once the flag is disabled, and from the flag once it is enabled again', async () => {
      await ok('ff', 'disable', 'next')
      await everyRouterAnswers('base', { 'X-Feature-Flag': 'next' })
      const again = await ok('ff', 'disable', 'next', '--json')
      expect(JSON.parse(again.stdout)).toMatchObject({ ok: true, compositions: [] })
      const enabled = await ok('ff', 'enable', 'next', '--require-live')
      expect(enabled.stdout).toMatch(
        new RegExp(`live on ${system.routerUrls.length}/${system.routerUrls.length} router`),
      )
      await everyRouterAnswers('next', { 'X-Feature-Flag': 'next' })
    })

    it('republishes: identical SDL changes nothing, a new field is served', async () => {
      const same = await ok('subgraph', 'publish', 'users', '--schema', 'users.graphql', '--json')
      expect(JSON.parse(same.stdout)).toMatchObject({ ok: true, compositions: [] })
      await writeFile(
        join(system.folder, 'users.graphql'),
        shop.users.sdl.replace('name: String!', 'name: String! nick: String'),
      )
      await ok('subgraph', 'publish', 'users', '--schema', 'users.graphql')
      for (const url of system.routerUrls)
        await waitFor('the new field in the schema', async () => {
          const answer = await query(url, {}, '{ __type(name: "User") { fields { name } } }')
          return JSON.stringify(answer.body).includes('"nick"')
        })
    })

    it('keeps serving the last good graph when a publish does not compose, and says what is wrong', async () => {
      await writeFile(
        join(system.folder, 'broken.graphql'),
        shop.stock.sdl.replace('inStock: Int!', 'inStock: Int! reviews: [String!]!'),
      )
      const broken = await system.cli('subgraph', 'publish', 'stock', '--schema', 'broken.graphql')
      expect(broken.code, broken.stdout + broken.stderr).toBe(4)
      expect(broken.stdout + broken.stderr).toContain('reviews')
      await everyRouterAnswers('base')
      await ok('ff', 'disable', 'next')
      await everyRouterAnswers('base', { 'X-Feature-Flag': 'next' })
      await ok('subgraph', 'publish', 'stock', '--schema', 'stock.graphql')
      await ok('ff', 'enable', 'next')
      await everyRouterAnswers('next', { 'X-Feature-Flag': 'next' })
    })

    it('lists what there is', async () => {
      const lists = await Promise.all([
        ok('namespace', 'list', '--json'),
        ok('graph', 'list', '--json'),
        ok('subgraph', 'list', '--json'),
        ok('ff', 'list', '--json'),
        ok('router', 'list', '--json'),
      ])
      const texts = lists.map((list) => JSON.stringify(JSON.parse(list.stdout)))
      expect(texts[0]).toContain('"default"')
      expect(texts[1]).toContain(`"${GRAPH}"`)
      expect(texts[2]).toContain('"catalogue-next"')
      expect(texts[3]).toContain('"served"')
      expect(JSON.parse(lists[4]?.stdout ?? '').result.routers.length).toBe(system.routerUrls.length)
    })

    it('has programs that do their own job alone: each logs under its own name', () => {
      for (const [name, { events }] of system.programs) {
        const service = system.kind === 'embedded' ? 'standalone' : name.replace(/-\d+$/, '')
        expect(new Set(events.map((event) => event['name'])), name).toEqual(new Set([service]))
      }
    })
  })
}
