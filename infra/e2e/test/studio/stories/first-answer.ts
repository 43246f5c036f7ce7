/** The first minutes of somebody who has just started everything: from an empty page to the first answer. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { comes, everyRouterAnswers, routersText, type StoryWorld, SUBGRAPHS } from './story-world.ts'

/** The commands that the page shows, each as its words. None has to be quoted. */
async function commandsOn(page: Page): Promise<readonly (readonly string[])[]> {
  const texts = await page.getByRole('group', { name: 'Command' }).locator('code').allInnerTexts()
  return texts.map((text) => text.split(' '))
}

export function firstAnswer(worldOf: () => StoryWorld): void {
  it('leads from an empty page to the first answer, with the commands that it shows', async () => {
    const world = worldOf()
    const { browser, system, shop } = world
    await using visited = await browser.visit('/')
    const { page, complaints } = visited
    await page.getByText('There is no graph yet').waitFor()
    const [create = [], publish = []] = await commandsOn(page)
    const run = async ([program, ...words]: readonly string[]) => {
      expect(program).toBe('switchyard')
      const { code, stdout, stderr } = await system.cli(...words)
      expect(code, `${words.join(' ')}\n${stdout}${stderr}`).toBe(0)
    }
    await run(create)
    // Nobody touches the page from here on.
    const card = page.getByRole('region', { name: 'Graphs' }).getByRole('link', { name: /^shop/ })
    await comes(card, 'empty')
    // The commands are those for a subgraph of somebody else, by another name and at another address.
    for (const name of SUBGRAPHS) {
      await writeFile(join(system.folder, `${name}.graphql`), shop[name].sdl)
      await run(
        publish.map((word) => (word.startsWith('http') ? shop[name].url : word.replace(/^products/, name))),
      )
    }
    await comes(card, 'composed')
    await comes(card, routersText(world, system.routerUrls.length).replace(' routers', ''))
    await comes(page.getByRole('region', { name: 'Lately' }), 'schema of "users" published')
    await everyRouterAnswers(world, 'base')
    await card.click()
    await page.getByRole('heading', { name: 'shop', level: 1 }).waitFor()
    await comes(
      page.getByRole('region', { name: 'At a glance' }),
      routersText(world, system.routerUrls.length),
    )
    expect(complaints).toEqual([])
  })
}
