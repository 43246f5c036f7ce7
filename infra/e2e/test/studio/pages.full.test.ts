/** Studio as people use it: the built page of a real machine in a browser. */
import { openStudio } from '@switchyard/studio'
import { PATIENTLY } from '@switchyard/testkit'
import { chromiumAvailable } from '@switchyard/testkit/chromium'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScrolling, picture, StudioWorld } from './studio-world.ts'

const PRODUCTS =
  'type Query { products: [Product!]! } type Product @key(fields: "id") { id: ID! name: String! }'
const REVIEWS = 'type Product @key(fields: "id") { id: ID! reviews: [String!]! }'
/** Says something else than it seems to say, in markup, and with control characters. */
const HOSTILE = '<img src=x onerror="document.title=\'taken\'"> \u202egnp\u202c \u0007 </script>'
const URL = 'http://127.0.0.1:9/graphql'

describe.skipIf(!chromiumAvailable())('Studio', () => {
  let world: StudioWorld
  beforeAll(async () => {
    // `make check` and `make test-full` build it.
    expect(openStudio(), 'the page has been built: make studio').not.toBeNull()
    world = await StudioWorld.start()
    await world.write('POST', 'graphs/default', { name: 'shop' })
    await world.write('PUT', 'subgraphs/default/products/schema', { sdl: PRODUCTS, routingUrl: URL })
    await world.write('PUT', 'subgraphs/default/reviews/schema', {
      sdl: REVIEWS,
      routingUrl: URL,
      reason: HOSTILE,
    })
  })
  afterAll(() => world?.[Symbol.asyncDispose]())

  it.each(['light', 'dark'] as const)('shows all graphs and what changed, in %s', async (scheme) => {
    await using visited = await world.visit('/', { scheme })
    const { page, complaints } = visited
    await page.getByRole('link', { name: /shop/ }).first().waitFor()
    await expect.poll(() => page.getByText('1 of 1').count(), PATIENTLY).toBe(1)
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

  it.each(['light', 'dark'] as const)('shows a graph, in %s', async (scheme) => {
    await using visited = await world.visit('/ns/default/graphs/shop', { scheme })
    const { page, complaints } = visited
    await page.getByRole('heading', { name: 'Revisions' }).waitFor()
    await expectAccessible(page)
    if (scheme === 'light') await picture(page, 'graph')
    await expectNoSidewaysScrolling(page)
    expect(complaints).toEqual([])
  })

  it('goes back by the keyboard, says what that affects, and releases the graph again', async () => {
    await using visited = await world.visit('/ns/default/graphs/shop')
    const { page, complaints } = visited
    await page.getByRole('button', { name: 'Roll back' }).first().focus()
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

  it.each(['light', 'dark'] as const)(
    'signs somebody in with an API key, and out again, in %s',
    async (scheme) => {
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
    },
  )
})
