/** Studio as people use it: the built page of a real machine in a browser. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { openStudio } from '@switchyard/studio'
import { PATIENTLY } from '@switchyard/testkit'
import { chromiumAvailable } from '@switchyard/testkit/chromium'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { schemaPages } from './schema-pages.ts'
import { keys } from './cases/keys.ts'
import { refusals } from './cases/refusals.ts'
import { playground } from './cases/playground.ts'
import { releases } from './cases/releases.ts'
import { usage, use } from './cases/usage.ts'
import { traces } from './cases/traces.ts'
import { expectAccessible, expectNoSidewaysScrolling, picture, SCHEMES, StudioWorld } from './studio-world.ts'

const PRODUCTS =
  'type Query { products: [Product!]! } type Product @key(fields: "id") { id: ID! name: String! }'
const REVIEWS = 'type Product @key(fields: "id") { id: ID! reviews: [String!]! }'
/** Says something else than it seems to say, in markup, and with control characters. */
const HOSTILE = '<img src=x onerror="document.title=\'taken\'"> \u202egnp\u202c \u0007 </script>'
const URL = 'http://127.0.0.1:9/graphql'

/** A shop with a flag, and payments whose subgraphs do not fit together any more. */
async function fill(world: StudioWorld): Promise<void> {
  const [shop, payments] = [['team=shop'], ['team=payments']]
  const publish = (name: string, labels: readonly string[], sdl: string, reason?: string) =>
    world.write('PUT', `subgraphs/default/${name}/schema`, { sdl, labels, routingUrl: URL, reason })
  await world.write('POST', 'graphs/default', { name: 'shop', labelMatchers: shop })
  await world.write('POST', 'graphs/default', { name: 'payments', labelMatchers: payments })
  await publish('products', shop, PRODUCTS)
  await publish('reviews', shop, REVIEWS, 'reviews get a service of their own')
  await world.write('POST', 'feature-subgraphs/default', {
    name: 'products-prices',
    routingUrl: URL,
    subgraph: 'products',
  })
  const sdl = PRODUCTS.replace('name: String!', 'name: String! price: Int!')
  await world.write('PUT', 'subgraphs/default/products-prices/schema', { sdl })
  await world.write('POST', 'feature-flags/default', {
    name: 'prices',
    featureSubgraphs: ['products-prices'],
    labels: shop,
    enabled: true,
  })
  await publish('invoices', payments, 'type Query { invoice: String }')
  await publish('ledger', payments, 'type Query { balance: Int }')
  await publish('ledger', payments, 'type Query { invoice: [Int] }', 'invoices move to the ledger')
}

/** Counts connections of `GET /v1/live` to the registry, which runs in this process. */
function countConnections(): Disposable & { readonly open: () => number } {
  const opened = new Set<ServerResponse>()
  const note = (message: unknown) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
    if (request.url?.startsWith('/v1/live') === true) opened.add(response)
  }
  subscribe('http.server.request.start', note)
  return {
    open: () => [...opened].filter(({ closed, destroyed }) => !closed && !destroyed).length,
    [Symbol.dispose]: () => void unsubscribe('http.server.request.start', note),
  }
}

describe.skipIf(!chromiumAvailable())('Studio', () => {
  let world: StudioWorld
  beforeAll(async () => {
    // `make check` and `make test-full` build it.
    expect(openStudio(), 'the page has been built: make studio').not.toBeNull()
    world = await StudioWorld.start()
    await fill(world)
    await use(world)
  })
  afterAll(() => world?.[Symbol.asyncDispose]())

  it.each(['light', 'dark'] as const)('shows all graphs and what changed, in %s', async (scheme) => {
    await using visited = await world.visit('/', { scheme })
    const { page, complaints } = visited
    await page.getByRole('link', { name: /shop/ }).first().waitFor()
    await expect.poll(() => page.getByText('1 of 1').count(), PATIENTLY).toBe(1)
    // The failure comes first, and leads to its graph.
    const attention = page.getByRole('region', { name: 'Wants attention' }).getByRole('listitem')
    expect(await attention.first().innerText()).toMatch(/not composed\s*payments/)
    await expectAccessible(page)
    if (scheme === 'light') await picture(page, 'home')
    await expectNoSidewaysScrolling(page)
    expect(complaints).toEqual([])
  })

  it('loads little before it shows something', async () => {
    await using visited = await world.visit('/')
    const sizes: unknown = await visited.page.evaluate(
      'performance.getEntriesByType("resource").filter(({ name }) => name.includes("/studio/")).map(({ encodedBodySize }) => encodedBodySize)',
    )
    const bytes = (sizes as number[]).reduce((sum, size) => sum + size, 0)
    expect(bytes).toBeGreaterThan(50_000)
    expect(bytes).toBeLessThan(250_000)
  })

  it.each(SCHEMES)('shows a graph, in %s', async (scheme) => {
    await using visited = await world.visit('/ns/default/graphs/shop', { scheme })
    const { page, complaints } = visited
    await page.getByRole('heading', { name: 'Revisions' }).waitFor()
    await expectAccessible(page)
    if (scheme === 'light') await picture(page, 'graph')
    await expectNoSidewaysScrolling(page)
    expect(complaints).toEqual([])
  })

  it.each(SCHEMES)('draws the traffic of a graph, in %s', async (scheme) => {
    await using visited = await world.visit('/', { scheme })
    const { page, complaints } = visited
    // Routers tell whole minutes, for which no test waits.
    const minutes = Array.from({ length: 40 }, (_, at) => ({
      time: 1_700_000_040_000 + at * 60_000,
      routers: 2,
      compositions: [null, 'prices'].map((flag, index) => ({
        flag,
        requests: 4_000 - 2_500 * index + 600 * Math.sin(at / 4),
        errors: at > 30 ? 12 * index : 0,
        latencyMs: { p50: 8 + index, p90: 20, p99: 34 + 9 * index + 6 * Math.sin(at / 3) },
      })),
    }))
    await page.route('**/v1/figures/**', (route) => route.fulfill({ json: { minutes } }))
    await page.goto(`${world.url}/studio/ns/default/graphs/shop`)
    const requests = page.getByRole('figure', { name: 'Requests' })
    await requests.locator('canvas').waitFor()
    await page.getByText('at most 0.2 a second (prices)').waitFor()
    await requests.getByText('Numbers').click()
    expect(await requests.getByRole('row').count()).toBe(41)
    await expectAccessible(page)
    await requests.getByText('Numbers').click()
    await page.getByRole('heading', { name: 'Traffic of the last hour' }).scrollIntoViewIfNeeded()
    if (scheme === 'light') await picture(page, 'traffic')
    await expectNoSidewaysScrolling(page)
    expect(complaints).toEqual([])
  })

  it('goes back by the keyboard, says what that affects, and releases the graph again', async () => {
    await using visited = await world.visit('/ns/default/graphs/shop')
    const { page, complaints } = visited
    await page.getByRole('button', { name: 'Roll back' }).last().focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('alertdialog', { name: 'Roll shop back to revision 1' })
    await dialog.getByText('The router that is running is given what revision 1 held').waitFor()
    await dialog.getByLabel(/^Reason/).fill("it's wrong")
    expect(await dialog.getByRole('group', { name: 'Command' }).innerText()).toContain(
      String.raw`switchyard config rollback shop --to 1 --namespace default --reason 'it'\''s wrong'`,
    )
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Roll back' }).press('Enter')
    await page.getByText('Held on revision 1.').waitFor()
    expect(await world.read('graphs/default/shop')).toMatchObject({ pinnedRevision: 1 })
    await page.getByRole('button', { name: 'Release' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Release' }).click()
    await page.getByText('Held on revision 1.').waitFor({ state: 'detached' })
    expect(await world.read('graphs/default/shop')).toMatchObject({ pinnedRevision: null })
    expect(complaints).toEqual([])
  })

  it.each(SCHEMES)('signs somebody in with an API key, and out again, in %s', async (scheme) => {
    await using visited = await world.visitAsStranger('/ns/default/graphs/shop', { scheme })
    const { page } = visited
    await expectAccessible(page)
    await expectNoSidewaysScrolling(page)
    await world.signIn(page, 'swy_wrong')
    await page.getByRole('alert').waitFor()
    await world.signIn(page)
    // The address is the one that was opened.
    await page.getByRole('heading', { name: 'shop', level: 1 }).waitFor()
    expect(page.url()).toBe(`${world.url}/studio/ns/default/graphs/shop`)
    expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).toBe(
      '[{},{}]',
    )
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  it('signs somebody in with a link, which leaves the address and works once', async () => {
    const link = world.studioLink()
    expect(link).toContain(`${world.url}/studio#t=`)
    const path = link.slice(`${world.url}/studio`.length)
    await using visited = await world.visitAsStranger(path)
    const { page, complaints } = visited
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    expect(page.url()).toMatch(/\/studio\/?$/)
    expect(complaints.filter((complaint) => !complaint.includes('401'))).toEqual([])
    await using again = await world.visitAsStranger(path)
    await again.page.getByText('The link did not sign you in').waitFor()
    expect(again.page.url()).toMatch(/\/studio\/?$/)
    await expectAccessible(again.page)
  })

  it('shows why a graph is not composed, and since when', async () => {
    await using visited = await world.visit('/ns/default/graphs/payments')
    const { page } = visited
    const compositions = page.getByRole('region', { name: 'Compositions' })
    await compositions.getByText('failed', { exact: true }).waitFor()
    await compositions.getByText(/failing since .*: schema of "ledger" published/).waitFor()
    expect(await compositions.innerText()).toContain('invoice')
    await expectAccessible(page)
  })

  it.each(SCHEMES)('tells the history, in %s', async (scheme) => {
    await using visited = await world.visit('/history?namespace=default', { scheme })
    const { page, complaints } = visited
    await page.getByLabel('Find in the changes shown').fill('reviews service')
    const changes = page.getByRole('region', { name: 'Changes' })
    await expect
      .poll(() => changes.getByRole('blockquote').allInnerTexts(), PATIENTLY)
      .toEqual(['reviews get a service of their own'])
    await changes.getByText('revision 2').waitFor()
    await page.getByLabel('Find in the changes shown').fill('')
    await changes.getByText('1 event', { exact: false }).first().click()
    await expectAccessible(page)
    await changes.getByText('1 event', { exact: false }).first().click()
    if (scheme === 'light') await picture(page, 'history')
    await expectNoSidewaysScrolling(page)
    expect(complaints).toEqual([])
  })

  it.each(SCHEMES)('shows the routers that run, in %s', async (scheme) => {
    await using visited = await world.visit('/fleet', { scheme })
    const { page, complaints } = visited
    await page.getByText('serving', { exact: true }).waitFor()
    await page.getByText('the newest').waitFor()
    const services = page.getByRole('region', { name: 'Registries and composers' }).getByRole('listitem')
    for (const kind of ['registry', 'composer'])
      await services.filter({ hasText: kind }).getByText('running', { exact: true }).waitFor()
    await expectAccessible(page)
    if (scheme === 'light') await picture(page, 'fleet')
    await expectNoSidewaysScrolling(page)
    expect(complaints).toEqual([])
  })

  it.each([
    ['a shared worker', false],
    ['one of the tabs', true],
  ])('shows changes as they happen, by %s', async (by, withoutSharedWorkers) => {
    using connections = countConnections()
    // A session of its own, since it ends.
    await using visited = await world.visitAsStranger('/ns/default/graphs/shop', { withoutSharedWorkers })
    const tab = visited.page
    await world.signIn(tab)
    await tab.getByRole('heading', { name: 'shop', level: 1 }).waitFor()
    const other = await tab.context().newPage()
    await other.goto(`${world.url}/studio/`)
    for (const page of [tab, other]) await page.getByRole('status').getByText('Live').waitFor()
    expect(connections.open()).toBe(1)
    // Nobody touches the pages from here on.
    const flags = tab.getByText('1 of 1', { exact: true })
    await flags.waitFor()
    await world.write('POST', 'feature-flags/default/prices/disable', {
      reason: `prices are wrong, by ${by}`,
    })
    await tab.getByText('0 of 1', { exact: true }).waitFor()
    await other.getByText(`prices are wrong, by ${by}`).waitFor()
    await world.restart(async () => {
      for (const page of [tab, other])
        await page
          .getByRole('status')
          .getByText(/^Reconnecting/)
          .waitFor()
    })
    await world.write('POST', 'feature-flags/default/prices/enable', { reason: `prices are right, by ${by}` })
    await other.getByText(`prices are right, by ${by}`).waitFor()
    await flags.waitFor()
    for (const page of [tab, other]) await page.getByRole('status').getByText('Live').waitFor()
    expect(connections.open()).toBe(1)
    // The tab that has the connection is closed, and another one takes over.
    const third = await tab.context().newPage()
    await third.goto(`${world.url}/studio/history`)
    await tab.close()
    await third.getByRole('status').getByText('Live').waitFor()
    await expect.poll(() => connections.open(), PATIENTLY).toBe(1)
    await third.getByRole('button', { name: 'Sign out' }).click()
    await other.getByRole('heading', { name: 'Sign in' }).waitFor()
    await world.signIn(other)
    await third.getByRole('heading', { name: 'History' }).waitFor()
  })

  it('shows names and reasons of others as the text that they are', async () => {
    await world.write('PUT', 'subgraphs/default/reviews/schema', {
      sdl: REVIEWS.replace('reviews:', 'stars: Int reviews:'),
      reason: HOSTILE,
    })
    for (const path of ['/', '/ns/default/graphs/shop', '/history']) {
      await using visited = await world.visit(path)
      const { page, complaints } = visited
      await page.getByText('<img src=x onerror=').first().waitFor()
      expect(await page.locator('img').count()).toBe(0)
      expect(await page.locator('body').innerText()).toContain('⟨202e⟩gnp⟨202c⟩ ⟨0007⟩')
      expect(await page.title()).toMatch(/ · Switchyard Studio$/)
      expect(complaints).toEqual([])
    }
  })

  traces(() => world)
  refusals(() => world)
  schemaPages(() => world)
  keys(() => world)
  releases(() => world)
  usage(() => world)
  playground(() => world)
})
