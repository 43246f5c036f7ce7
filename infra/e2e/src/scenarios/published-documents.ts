/** Manifests of documents from the command line to the routers, told once and run on every set-up. */
import { hash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { waitFor } from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  CATALOGUE_SDL,
  type Constellation,
  type Finished,
  GRAPH,
  openShop,
  publishShop,
  query,
  type Shop,
  SHOP_QUERY,
  type StartOptions,
} from '../index.ts'

const SETTINGS = 'documents: { mode: safelist, published: true }\n'
const PRODUCTS = 'query Products { products { id nameVariant } }'
/** Only the flag `next` has badges. */
const BADGES = 'query Badges { products { badge } }'
const idOf = (text: string): string => hash('sha256', text)
const NEXT = { 'X-Feature-Flag': 'next' }
const THREE = { products: ['1', '2', '3'].map((id) => ({ id, nameVariant: 'base' })) }

type Asked = { readonly documentId: string } | { readonly query: string }
type Headers = Readonly<Record<string, string>>

async function ask(url: string, body: Asked, headers: Headers = {}): Promise<unknown> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return response.json()
}

const refused = (code: string) => ({ errors: [{ extensions: { code } }] })

/** Before any test of a set-up, only the text that tells base from flag may be sent. */
export function describeDocuments(
  setUp: string,
  start: (options: StartOptions) => Promise<Constellation>,
): void {
  describe(`documents that are published (${setUp})`, () => {
    let shop: Shop
    let system: Constellation
    beforeAll(async () => {
      shop = await openShop()
      system = await start({ routerSettings: SETTINGS })
      await publishShop(system, shop, async () => {
        const first = await publish('probe', { [idOf(SHOP_QUERY)]: SHOP_QUERY })
        expect(first, first.stderr).toMatchObject({ code: 0 })
        expect(first.stderr).toContain('Nothing is composed for federated graph "shop" yet')
      })
    }, 90_000)
    afterAll(async () => {
      await system?.[Symbol.asyncDispose]()
      await shop?.[Symbol.asyncDispose]()
    })

    async function publish(name: string, manifest: object, ...more: string[]): Promise<Finished> {
      const file = `${name}.json`
      await writeFile(join(system.folder, file), JSON.stringify(manifest))
      return system.cli('documents', 'publish', name, '--graph', GRAPH, '--manifest', file, ...more)
    }

    async function everyRouterAnswers(body: Asked, expected: object, headers: Headers = {}): Promise<void> {
      for (const url of system.routerUrls)
        await waitFor(`${url} to answer ${JSON.stringify(body)}`, async () => {
          const answer = await ask(url, body, headers)
          expect(answer, system.report()).toMatchObject(expected)
          return true
        })
    }

    it('may be sent by text and by identifier, and nothing else may', async () => {
      await everyRouterAnswers({ documentId: idOf(PRODUCTS) }, refused('PERSISTED_QUERY_NOT_IN_LIST'))
      await everyRouterAnswers({ query: PRODUCTS }, refused('QUERY_NOT_IN_SAFELIST'))
      const { code, stdout, stderr } = await publish(
        'web',
        { [`sha256:${idOf(PRODUCTS)}`]: PRODUCTS },
        '--require-live',
      )
      expect(code, stderr).toBe(0)
      const routers = system.routerUrls.length
      expect(stdout).toContain('Manifest "web" with 1 document was published for federated graph "shop".')
      expect(stdout).toMatch(new RegExp(`live on ${routers}/${routers} router`))
      await everyRouterAnswers({ documentId: `sha256:${idOf(PRODUCTS)}` }, { data: THREE })
      await everyRouterAnswers({ query: PRODUCTS }, { data: THREE })
      await everyRouterAnswers({ query: '{ __typename }' }, refused('QUERY_NOT_IN_SAFELIST'))
    })

    it('are checked against base and each flag', async () => {
      const { code, stdout, stderr } = await publish('badges', { [idOf(BADGES)]: BADGES })
      expect(code, stderr).toBe(0)
      expect(`${stdout}${stderr}`).toMatch(
        /1 of 1 documents do not fit base, for example "[0-9a-f]{64}" \(Badges\): Cannot query field "badge"/,
      )
      await everyRouterAnswers(
        { documentId: idOf(BADGES) },
        { data: { products: [{ badge: 'new' }, {}, {}] } },
        NEXT,
      )
      const strict = await publish('badges-too', { [idOf(BADGES)]: BADGES }, '--strict')
      expect(strict.code).toBe(1)
      expect(strict.stderr).toContain('Documents of manifest "badges-too" do not fit the graph')
      const nowhere = 'query Nowhere { products { color } }'
      const wrong = await publish('wrong', { [idOf(nowhere)]: nowhere, [idOf(PRODUCTS)]: PRODUCTS })
      expect(wrong.code).toBe(1)
      expect(wrong.stderr).toContain('Cannot query field "color" on type "Product"')
      const listed = await system.cli('documents', 'list', '--graph', GRAPH, '--json')
      expect(JSON.parse(listed.stdout)).toMatchObject({
        result: { manifests: [{ name: 'badges' }, { name: 'probe' }, { name: 'web' }] },
      })
    })

    it('are tried by a check of a schema, before it takes them from clients', async () => {
      const without = CATALOGUE_SDL.replace('nameVariant: String!', 'name: String')
      await writeFile(join(system.folder, 'changed.graphql'), without)
      const check = ['check', 'catalogue', '--schema', 'changed.graphql'] as const
      const base = await system.cli('subgraph', ...check, '--json')
      expect(base.code, base.stderr).toBe(1)
      const { documents } = JSON.parse(base.stdout).result
      expect(documents).toMatchObject({ tried: 3, unanswered: 0, partlyAnswered: 2 })
      expect(documents.lost).toContainEqual(
        expect.objectContaining({
          graph: GRAPH,
          id: idOf(PRODUCTS),
          manifests: ['web'],
          operationName: 'Products',
          answeredElsewhere: true,
          compositions: [
            {
              featureFlag: null,
              message: expect.stringContaining('Cannot query field "nameVariant" on type "Product"'),
              locations: [{ line: 1, column: 32 }],
            },
          ],
        }),
      )
      const flag = await system.cli('fs', 'check', 'catalogue-next', '--schema', 'changed.graphql')
      expect(flag.code, flag.stderr).toBe(1)
      expect(flag.stdout).toMatch(
        /documents that nothing would answer \(1\)\n {2}Badges \([0-9a-f]{12}\) of manifest badges\n {4}1:27: /,
      )
      await everyRouterAnswers({ documentId: idOf(PRODUCTS) }, { data: THREE })
    })

    it('are for the clients that they name', async () => {
      const texts = ['{ me { name } }', '{ me { id } }'] as const
      expect(await publish('ios', { me: texts[0] }, '--client', 'ios')).toMatchObject({ code: 0 })
      expect(await publish('kiosk', { me: texts[1] }, '--client', 'kiosk')).toMatchObject({ code: 0 })
      const ios = { 'graphql-client-name': 'ios' }
      const kiosk = { 'graphql-client-name': 'kiosk' }
      await everyRouterAnswers({ documentId: 'me' }, { data: { me: { name: 'Ada' } } }, ios)
      await everyRouterAnswers({ documentId: 'me' }, { data: { me: { id: 'u1' } } }, kiosk)
      await everyRouterAnswers({ documentId: 'me' }, refused('PERSISTED_QUERY_NOT_IN_LIST'))
      const both = await publish('all', { me: '{ me { __typename } }' })
      expect(both.code).toBe(1)
      expect(both.stderr).toContain('"me" has another text in manifest "ios"')
      expect(both.stderr).toContain('"me" has another text in manifest "kiosk"')
    })

    it('are known to a router that starts again, and no more once they are deleted', async () => {
      for (const program of system.programs.values()) {
        if (!/^(?:router|up)/.test(program.name)) continue
        await program.kill9()
        await program.start()
      }
      await everyRouterAnswers({ documentId: idOf(PRODUCTS) }, { data: THREE })
      const fetched = await system.cli('documents', 'fetch', 'web', '--graph', GRAPH)
      expect(JSON.parse(fetched.stdout)).toEqual({ [idOf(PRODUCTS)]: PRODUCTS })
      const deleted = await system.cli('documents', 'delete', 'web', '--graph', GRAPH, '--force')
      expect(deleted, deleted.stderr).toMatchObject({ code: 0 })
      await everyRouterAnswers({ documentId: idOf(PRODUCTS) }, refused('PERSISTED_QUERY_NOT_IN_LIST'))
      await everyRouterAnswers({ query: PRODUCTS }, refused('QUERY_NOT_IN_SAFELIST'))
      for (const url of system.routerUrls) expect((await query(url)).status).toBe(200)
    })

    it('are in the file that routers without a registry start from', async () => {
      const { stdout } = await system.cli('config', 'fetch', GRAPH)
      await writeFile(join(system.folder, 'fetched.json'), JSON.stringify(JSON.parse(stdout)))
      expect(JSON.parse(stdout)).toMatchObject({
        documents: [
          { name: 'badges', manifest: { [idOf(BADGES)]: BADGES } },
          { name: 'ios', clients: ['ios'], manifest: { me: '{ me { name } }' } },
          { name: 'kiosk', clients: ['kiosk'] },
          { name: 'probe', manifest: { [idOf(SHOP_QUERY)]: SHOP_QUERY } },
        ],
      })
      const checked = await system.cli('router', 'check-documents', '--execution-config', 'fetched.json')
      expect(checked.code, checked.stderr).toBe(1)
      expect(checked.stdout).toContain('base: 1 of 4 documents do not fit\n')
      expect(checked.stdout).toContain('feature flag "next": 4 of 4 documents fit\n')
    })
  })
}
