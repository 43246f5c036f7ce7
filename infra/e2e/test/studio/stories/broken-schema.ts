/** A schema is broken: the page of the graph says so, where it is broken, and when it is mended. */
import { expect, it } from 'vitest'
import { comes, everyRouterAnswers, publishSchema, type StoryWorld } from './story-world.ts'

export function brokenSchema(worldOf: () => StoryWorld): void {
  it('shows a schema that breaks the graph at its place, and that it was mended', async () => {
    const world = worldOf()
    const { browser, shop } = world
    await using visited = await browser.visit('/ns/default/graphs/shop')
    const { page, complaints } = visited
    const compositions = page.getByRole('region', { name: 'Compositions' })
    await comes(compositions, 'composed')
    const broken = shop.stock.sdl.replace('inStock: Int!', 'inStock: Int!\n  reviews: [String!]!')
    await publishSchema(world, 'stock', broken)
    await comes(compositions, 'failed')
    await comes(compositions, /failing since .*: schema of "stock" published/)
    await everyRouterAnswers(world, 'base')
    await compositions
      .getByRole('link', { name: /^See where/ })
      .first()
      .click()
    await page.getByRole('heading', { name: /errors?$/, level: 2 }).waitFor()
    for (const subgraph of ['stock', 'reviews']) {
      const source = page.getByRole('textbox', { name: `${subgraph}.graphql` })
      await source.locator('.cm-lit', { hasText: 'reviews' }).first().waitFor()
    }
    // Nobody touches the page from here on.
    await publishSchema(world, 'stock', shop.stock.sdl)
    await comes(page.getByRole('main'), 'There are no errors')
    await page.goBack()
    await compositions.getByText('failed').waitFor({ state: 'detached' })
    await everyRouterAnswers(world, 'base')
    expect(complaints).toEqual([])
  })
}
