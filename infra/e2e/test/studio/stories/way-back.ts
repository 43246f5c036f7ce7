/** A change was wrong: the graph goes back to the revision before it, and on again. */
import { PATIENTLY } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import { query } from '../../../src/index.ts'
import { comes, confirm, publishSchema, type StoryWorld } from './story-world.ts'

/** Waits until each router has the field that the change adds, or has it no more. */
async function everyRouterHas({ system }: StoryWorld, isThere: boolean): Promise<void> {
  for (const url of system.routerUrls)
    await expect
      .poll(async () => {
        const { body } = await query(url, {}, '{ __type(name: "User") { fields { name } } }')
        return JSON.stringify(body).includes('"nick"')
      }, PATIENTLY)
      .toBe(isThere)
}

export function wayBack(worldOf: () => StoryWorld): void {
  it('rolls a graph back while others look on, and releases it', async () => {
    const world = worldOf()
    const { browser, shop } = world
    await using visited = await browser.visit('/ns/default/graphs/shop')
    const { page, complaints } = visited
    const other = await page.context().newPage()
    await other.goto(page.url())
    const newest = page.getByRole('region', { name: 'Revisions' }).getByRole('listitem').first()
    await publishSchema(world, 'users', shop.users.sdl.replace('name: String!', 'name: String! nick: String'))
    await comes(newest, 'schema of "users" published')
    await everyRouterHas(world, true)
    await page.getByRole('button', { name: 'Roll back' }).first().click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText(/routers? that (?:is|are) running (?:is|are) given what revision/).waitFor()
    await dialog.getByLabel(/^Reason/).fill('nobody asked for nicknames')
    await dialog.getByRole('button', { name: 'Roll back' }).click()
    await everyRouterHas(world, false)
    for (const one of [page, other]) await comes(one.getByRole('main'), /^Held on revision/)
    await other.goto(other.url().replace(/\/ns\/.*/, '/'))
    await comes(other.getByRole('region', { name: 'Lately' }), 'nobody asked for nicknames')
    await confirm(page, 'Release', 'What was changed while it was held takes effect at once.')
    await everyRouterHas(world, true)
    await page.getByText(/^Held on revision/).waitFor({ state: 'detached' })
    await comes(other.getByRole('region', { name: 'Lately' }), /released/)
    expect(complaints).toEqual([])
  })
}
