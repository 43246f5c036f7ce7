/** Cases of the pages about schemas: a graph whose newest composition fails, and what was composed before. */
import { PATIENTLY } from '@switchyard/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  expectAccessible,
  expectNoSidewaysScrolling,
  picture,
  SCHEMES,
  type StudioWorld,
} from './studio-world.ts'

/** Says something else than it seems to say, in markup, and with characters that hide. */
const HOSTILE = '<img src=x onerror="document.title=1"> \u202egnp'
const LINK = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@external", "@requires", "@shareable"])
`
const PRODUCTS = `${LINK}
"""A thing that can be bought."""
type Product @key(fields: "id") {
  id: ID!
  "The name in the language of the shop."
  name: String! @shareable
  weight: Int
  color: Color
  oldName: String @deprecated(reason: "name says more")
}

"""${HOSTILE}"""
enum Color {
  RED
  BLUE
}

type Query {
  products(first: Int = 10, color: Color): [Product!]!
  product(id: ID!): Product
}
`
const STOCK = `${LINK}
type Product @key(fields: "id") {
  id: ID!
  weight: Int @external
  inStock: Boolean!
  "The price of sending it, by its weight."
  shippingCost: Int @requires(fields: "weight")
}
`
/** Has another type for `name` than the products have. */
const BROKEN = STOCK.replace('inStock: Boolean!', 'inStock: Boolean!\n  name: Int! @shareable')
/** Has a price, and no old name any more. */
const NEXT = PRODUCTS.replace(/ {2}oldName.*\n/, '  price: Float\n')
/** What the client `web` may ask for. */
const DOCUMENTS = {
  format: 'apollo-persisted-query-manifest',
  version: 1,
  operations: [
    { id: 'a1', name: 'Shipping', type: 'query', body: 'query Shipping { products { shippingCost } }' },
    { id: 'a2', name: 'OldNames', type: 'query', body: 'query OldNames { products { oldName } }' },
    { id: 'a3', name: 'Stock', type: 'query', body: 'query Stock { products { inStock } }' },
  ],
}
const URL = 'http://127.0.0.1:9/graphql'
const STORE = '/ns/lab/graphs/store'

export function schemaPages(current: () => StudioWorld): void {
  describe('about schemas', () => {
    let world: StudioWorld
    beforeAll(async () => {
      world = current()
      const publish = (name: string, sdl: string) =>
        world.write('PUT', `subgraphs/lab/${name}/schema`, { sdl, routingUrl: URL })
      await world.write('POST', 'namespaces', { name: 'lab' })
      await world.write('POST', 'graphs/lab', { name: 'store' })
      await publish('products', PRODUCTS)
      await publish('stock', STOCK)
      await world.write('POST', 'feature-subgraphs/lab', {
        name: 'products-next',
        subgraph: 'products',
        routingUrl: URL,
      })
      await publish('products-next', NEXT)
      await world.write('POST', 'feature-flags/lab', {
        name: 'prices',
        featureSubgraphs: ['products-next'],
        enabled: true,
      })
      await world.write('PUT', 'graphs/lab/store/documents/web', { manifest: JSON.stringify(DOCUMENTS) })
      await publish('stock', BROKEN)
    })

    it.each(SCHEMES)('shows an error at its places, in %s', async (scheme) => {
      await using visited = await world.visit(`${STORE}/errors`, { scheme })
      const { page, complaints } = visited
      await page.getByRole('textbox', { name: 'stock.graphql' }).waitFor()
      const lit = page.locator('.sources .cm-lit')
      await expect
        .poll(() => lit.allInnerTexts(), PATIENTLY)
        .toEqual([expect.stringMatching(/^ {2}name: String!/), expect.stringMatching(/^ {2}name: Int!/)])
      await expectAccessible(page)
      if (scheme === 'light') await picture(page, 'errors', 600)
      await expectNoSidewaysScrolling(page)
      expect(complaints).toEqual([])
    })

    it('leads from an error to the schema, and shows what its last version changed', async () => {
      await using visited = await world.visit(`${STORE}/errors`)
      const { page, complaints } = visited
      await page.locator('.sources').getByRole('link', { name: 'stock' }).press('Enter')
      await page.getByRole('link', { name: /^Changes that/ }).press('Enter')
      const after = page.getByRole('textbox', { name: 'stock.graphql, after' })
      await expect
        .poll(() => after.locator('.cm-changedLine').allInnerTexts(), PATIENTLY)
        .toEqual(['  name: Int! @shareable'])
      await expectAccessible(page)
      await picture(page, 'subgraph')
      await expectNoSidewaysScrolling(page)
      expect(complaints).toEqual([])
    })

    it.each(SCHEMES)('shows who resolves and uses a field, in %s', async (scheme) => {
      await using visited = await world.visit(`${STORE}/schema`, { scheme })
      const { page, complaints } = visited
      await page.getByRole('searchbox', { name: 'Search' }).fill('its WEIGHT')
      await page.getByRole('link', { name: 'Product.shippingCost' }).press('Enter')
      const field = page.locator('[data-chosen="true"]')
      await field.getByText('resolves it, requires weight').waitFor()
      await field.getByText('No request for it is known.').waitFor()
      await field.getByText('This is no evidence: No router was heard').waitFor()
      await expectAccessible(page)
      if (scheme === 'light') await picture(page, 'schema')
      await expectNoSidewaysScrolling(page)
      // Without what was sought for.
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await field.getByRole('button', { name: 'Copy link to this field' }).click()
      const link = await page.evaluate('navigator.clipboard.readText()')
      expect(link).toBe(`${world.url}/studio${STORE}/schema?type=Product&field=shippingCost`)
      expect(complaints).toEqual([])
    })

    it('shows the schema of a flag, and leads from type to type', async () => {
      await using visited = await world.visit(`${STORE}/schema?type=Product&field=name`)
      const { page, complaints } = visited
      expect(await page.getByRole('link', { name: 'price', exact: true }).count()).toBe(0)
      await page.getByLabel('Composition').selectOption('flag:prices')
      await page.getByRole('link', { name: 'price', exact: true }).waitFor()
      await page.getByRole('link', { name: 'Color', exact: true }).press('Enter')
      await page.getByText('<img src=x').waitFor()
      await page.getByRole('link', { name: 'Query.products(color:)' }).press('Enter')
      const chosen = page.locator('[data-chosen="true"]')
      await chosen.getByRole('list', { name: 'Arguments' }).getByText('first: Int = 10').waitFor()
      expect(page.url()).toContain('composition=flag')
      expect(complaints).toEqual([])
    })

    it('scrolls through 20,000 types, of which few are there at a time', async () => {
      await using visited = await world.visit(STORE)
      const { page, complaints } = visited
      const names = Array.from({ length: 20_000 }, (_, place) => `T${place}`)
      const column = names.map(() => 0)
      await page.route('**/types?*', (route) =>
        route.fulfill({
          json: {
            subgraphs: ['products'],
            roots: { query: 'Query', mutation: null, subscription: null },
            names: ['Query', ...names],
            kinds: [0, ...column],
            sizes: [0, ...column],
            subgraphSets: [[0]],
            definedBy: [0, ...column],
          },
        }),
      )
      await page.getByRole('link', { name: 'Schema' }).click()
      const list = page.getByRole('list', { name: 'Types' })
      await list.getByRole('link', { name: /^Query/ }).press('End')
      await list.getByRole('link', { name: /^T19999/ }).waitFor()
      expect(await list.getByRole('listitem').count()).toBeLessThan(100)
      expect(complaints).toEqual([])
    })

    it.each(['light', 'dark'] as const)('compares base with a flag, in %s', async (scheme) => {
      await using visited = await world.visit(`${STORE}/difference`, { scheme })
      const { page, complaints } = visited
      await page.getByText('Choose two compositions').waitFor()
      await page.getByRole('combobox', { name: 'To', exact: true }).selectOption('flag:prices')
      await page.getByRole('link', { name: /^breaking Product\.oldName/ }).waitFor()
      await page.locator('summary', { hasText: 'OldNames' }).press('Enter')
      await page.getByText('flag prices refuses it: Cannot query field "oldName"').waitFor()
      await page.locator('summary', { hasText: 'OldNames' }).press('Enter')
      await page.locator('summary', { hasText: 'Shipping' }).press('Enter')
      const after = page.getByRole('textbox', { name: 'base → flag prices, after' })
      await after.getByText('products-next').first().waitFor()
      expect(await page.getByRole('group', { name: 'Command' }).innerText()).toContain(
        'switchyard config diff store latest latest --to-flag prices --namespace lab',
      )
      await expectAccessible(page)
      if (scheme === 'light') await picture(page, 'difference', 900)
      await expectNoSidewaysScrolling(page)
      expect(complaints).toEqual([])
    })

    it.each(SCHEMES)('checks a schema, and publishes nothing, in %s', async (scheme) => {
      const before = await world.read('subgraphs/lab/stock')
      await using visited = await world.visit('/ns/lab/checks?subgraph=stock', { scheme })
      const { page, complaints } = visited
      await page.getByRole('textbox', { name: 'stock.graphql' }).focus()
      await page.keyboard.press('Control+A')
      await page.keyboard.insertText(STOCK.replace('  inStock: Boolean!\n', ''))
      await page.getByRole('button', { name: 'Check' }).click()
      await page.getByText('does not pass').waitFor()
      const compositions = page.getByRole('region', { name: 'Compositions' })
      await expect.poll(() => compositions.getByText('composes').count(), PATIENTLY).toBe(2)
      expect(await page.getByRole('region', { name: 'Changes' }).innerText()).toContain('Product.inStock')
      expect(await page.getByRole('region', { name: 'Documents' }).innerText()).toContain('Stock')
      await expectAccessible(page)
      if (scheme === 'light') await picture(page, 'checks', 900)
      await expectNoSidewaysScrolling(page)
      expect(await world.read('subgraphs/lab/stock')).toEqual(before)
      expect(complaints).toEqual([])
    })

    it('finds a subgraph by its name, with the keyboard', async () => {
      await using visited = await world.visit('/ns/lab/subgraphs?graph=store', { scheme: 'dark' })
      const { page, complaints } = visited
      await expectAccessible(page)
      await page.getByRole('link', { name: /^products http/ }).press('End')
      await expect.poll(() => page.evaluate('document.activeElement.innerText'), PATIENTLY).toContain('stock')
      await page.getByRole('searchbox', { name: 'Name' }).fill('PROD')
      await page.getByRole('link', { name: /^stock/ }).waitFor({ state: 'detached' })
      await expectNoSidewaysScrolling(page)
      await page.getByRole('link', { name: /^products http/ }).press('Enter')
      await page.getByRole('textbox', { name: 'products.graphql' }).getByText('<img src=x').waitFor()
      await expectAccessible(page)
      expect(complaints).toEqual([])
    })
  })
}
