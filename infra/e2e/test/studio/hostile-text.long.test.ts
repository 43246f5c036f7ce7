/**
 * Texts of others on every page of Studio. What a registry would refuse today is put into its answers on the
 * way to the page: logs of older versions and other programs may hold it.
 */
import { PATIENTLY, waitFor } from '@switchyard/testkit'
import { chromiumAvailable } from '@switchyard/testkit/chromium'
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectNoSidewaysScrolling, StudioWorld } from './studio-world.ts'

/** Markup, characters that control, turn, or hide, and half of a character. */
const HOSTILE =
  '<img src=x onerror="document.title=\'taken\'"></script><svg onload=alert(1)> \u202egnp\u202c \u0007\u200b\u00ad\u{e0041}\ud800'
/** The characters of it that nobody may meet as they are. */
const HIDING = /[\p{Cc}\u00ad\u200b\u202c\u202e\u{e0041}\p{Cs}]/u
const LONG = 'w'.repeat(400)
/** The members of answers that others choose. Names of resources are checked when they are made. */
const FREE =
  /^(?:reason|summary|message|description|detail|actor|actorName|createdBy|label|version|instance|boot|routingUrl|deprecationReason|sdl|advice|hints|warnings|text|defaultValue|errors|problem)$/
/** The objects whose names and versions clients choose. */
const OF_CLIENTS = /^(?:client|clients)$/
const URL = 'http://127.0.0.1:9/graphql'
const PRODUCTS = `"""${HOSTILE.replaceAll('\ud800', '').replaceAll('\u0007', '')}"""
type Product @key(fields: "id") { id: ID! name: String! @deprecated(reason: "${LONG}") }
type Query { products: [Product!]! }`

/** Puts hostile text behind each free text of an answer. */
function hostile(value: unknown, key = '', isFree = false): unknown {
  if (Array.isArray(value)) return value.map((one) => hostile(one, key, isFree))
  if (typeof value === 'string') return isFree || FREE.test(key) ? `${value} ${HOSTILE} ${LONG}` : value
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, member]) => [
    name,
    // Names of keys are free, too.
    hostile(member, name, /^(?:name|version)$/.test(name) && (OF_CLIENTS.test(key) || 'scopes' in value)),
  ])
  return Object.fromEntries(entries)
}

async function answer(route: Route): Promise<void> {
  const url = route.request().url()
  if (route.request().method() !== 'GET' || url.includes('/v1/live')) return route.continue()
  // What a browser adds by itself, and a session needs.
  const headers = { ...route.request().headers(), 'sec-fetch-site': 'same-origin' }
  const response = await route.fetch({ headers })
  const type = response.headers()['content-type'] ?? ''
  if (!response.ok() || !type.includes('json')) return route.fulfill({ response })
  return route.fulfill({ response, json: hostile(await response.json()) })
}

/** Returns all texts of the page, and the attributes that people read, also those in shadow roots. */
async function textsOf(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    const walk = (node: Node): void => {
      if (node instanceof Text) found.push(node.data)
      if (node instanceof Element) {
        for (const name of ['title', 'aria-label', 'placeholder', 'alt', 'value'])
          found.push(node.getAttribute(name) ?? '')
        if (node.shadowRoot !== null) walk(node.shadowRoot)
      }
      for (const child of node.childNodes) walk(child)
    }
    walk(document)
    return found
  })
}

const SHOP = '/ns/default/graphs/shop'
/** Each page, and what has to be there before it is looked at. */
const PAGES: readonly (readonly [path: string, shows: string | RegExp])[] = [
  ['/', 'Lately'],
  ['/history', '⟨202e⟩'],
  ['/fleet', '⟨202e⟩'],
  ['/keys', '⟨202e⟩'],
  [SHOP, '⟨202e⟩'],
  [`${SHOP}/schema?type=Product&field=name`, '⟨202e⟩'],
  [`${SHOP}/difference?from=base&to=flag%3Aprices`, 'prices'],
  [`${SHOP}/operations`, '⟨202e⟩'],
  [`${SHOP}/unused`, 'Nobody knows'],
  ['/ns/default/graphs/broken/errors', '⟨202e⟩'],
  ['/ns/default/graphs/broken', '⟨202e⟩'],
  ['/ns/default/subgraphs', '⟨202e⟩'],
  ['/ns/default/subgraphs/products', '⟨202e⟩'],
  ['/ns/default/checks?subgraph=products', 'Check'],
  ['/ns/default/feature-flags', 'prices'],
  ['/ns/default/feature-flags/prices', '⟨202e⟩'],
  ['/ns/default/rollouts', 'prices'],
  ['/ns/default/rollouts/prices', '⟨202e⟩'],
]

describe.skipIf(!chromiumAvailable())('hostile text in Studio', () => {
  let world: StudioWorld
  beforeAll(async () => {
    world = await StudioWorld.start()
    const publish = (name: string, sdl: string, labels: readonly string[]) =>
      world.write('PUT', `subgraphs/default/${name}/schema`, {
        sdl,
        labels,
        routingUrl: URL,
        reason: HOSTILE,
      })
    await world.write('POST', 'graphs/default', { name: 'shop', labelMatchers: ['team=shop'] })
    await world.write('POST', 'graphs/default', { name: 'broken', labelMatchers: ['team=broken'] })
    await publish('products', PRODUCTS, ['team=shop'])
    await publish('one', 'type Query { a: Int }', ['team=broken'])
    await publish('two', 'type Query { a: String }', ['team=broken'])
    await world.write('POST', 'feature-subgraphs/default', {
      name: 'products-prices',
      routingUrl: URL,
      subgraph: 'products',
    })
    await world.write('PUT', 'subgraphs/default/products-prices/schema', {
      sdl: PRODUCTS.replace('name: String!', 'price: Int name: String!'),
    })
    await world.write('POST', 'feature-flags/default', {
      name: 'prices',
      featureSubgraphs: ['products-prices'],
      labels: ['team=shop'],
      enabled: true,
    })
    await world.write('POST', 'rollouts/default', {
      name: 'prices',
      graph: 'shop',
      flag: 'prices',
      key: ['header:X-User'],
    })
    await world.send('POST', 'api-keys', { name: 'ci', scopes: ['read'] })
    await waitFor('the graph to be served', async () =>
      (await world.request('query Names { products { id } }', '<b>web</b>')).includes('"errors"'),
    )
    // Routers tell a minute when it is over.
    await waitFor(
      'usage',
      async () => JSON.stringify(await world.read('usage/default/shop?group=client')).includes('<b>web</b>'),
      { withinMs: 200_000 },
    )
  })
  afterAll(() => world?.[Symbol.asyncDispose]())

  it.each(PAGES)('is shown as what it is, and breaks nothing, on %s', async (path, shows) => {
    await using visited = await world.visit('/traces')
    const { page, complaints } = visited
    await page.route('**/v1/**', answer)
    await page.goto(`${world.url}/studio${path}`)
    await page.getByText(shows).filter({ visible: true }).first().waitFor()
    await expect.poll(() => page.locator('.waiting').count(), PATIENTLY).toBe(0)
    const hiding = (await textsOf(page)).filter((text) => HIDING.test(text.replace(/[\t\n]/g, '')))
    expect(hiding.map((text) => JSON.stringify(text).slice(0, 300))).toEqual([])
    expect(await page.locator('main img:not(.cm-widgetBuffer), main svg[onload]').count()).toBe(0)
    expect(await page.title()).toMatch(/ · Switchyard Studio$/)
    await expectNoSidewaysScrolling(page)
    expect(complaints).toEqual([])
  })
})
