/** Somebody wants to remove a field, and looks for who still asks for it. */
import { UsageReport } from '@switchyard/contracts'
import { PATIENTLY } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import { query } from '../../../src/index.ts'
import { comes, everyRouterAnswers, type StoryWorld } from './story-world.ts'

/** Routers tell a minute when it is over, at a second of their own. */
const WITHIN_MINUTES = { timeout: 200_000, interval: 1000 }
const PRICES = 'query Prices { products { price } }'
const NAMES = 'query Names { products { nameVariant } }'

async function ask({ system }: StoryWorld): Promise<void> {
  const client = (name: string) => ({
    'apollographql-client-name': name,
    'apollographql-client-version': '3.2',
  })
  for (const url of system.routerUrls) {
    const answers = [
      await query(url, client('ios'), PRICES),
      await query(url, { ...client('ios'), 'x-feature-flag': 'next' }, PRICES),
      await query(url, client('web'), NAMES),
    ]
    for (const { body } of answers) expect(body).toMatchObject({ data: {} })
  }
}

/** A router that stops tells what it counted. One process for everything has nobody left to hear it. */
async function restartRouters(world: StoryWorld): Promise<void> {
  const { system } = world
  const routers = [...system.programs.values()].filter(({ name }) => name.startsWith('router-'))
  for (const router of routers) {
    await router.stop()
    await router.start()
  }
  await everyRouterAnswers(world, 'base')
}

export function whoUses(worldOf: () => StoryWorld): void {
  it('tells which clients still ask for a field, and by which flag', WITHIN_MINUTES, async () => {
    const world = worldOf()
    const { browser, system } = world
    await ask(world)
    await restartRouters(world)
    await expect
      .poll(async () => {
        const { body } = await system.manage('GET', '/v1/usage/default/shop?group=client')
        return UsageReport.parse(body).groups.map(({ client }) => client?.name)
      }, WITHIN_MINUTES)
      .toEqual(expect.arrayContaining(['ios', 'web']))
    await using visited = await browser.visit('/ns/default/graphs/shop/schema?type=Product')
    const { page, complaints } = visited
    await page.getByRole('link', { name: 'price', exact: true }).click()
    const asking = page.getByRole('group', { name: 'Who asks for Product.price' })
    await comes(asking, `${2 * system.routerUrls.length} requests`)
    await asking.getByRole('row', { name: /^ios 3\.2/ }).waitFor()
    expect(await asking.getByRole('row', { name: /^web/ }).count()).toBe(0)
    await page.goto(`${system.registryUrls[0]}/studio/ns/default/graphs/shop/operations`)
    await page.getByRole('link', { name: 'Prices' }).click()
    await page.getByText('ios 3.2').waitFor()
    const flags = page.getByRole('region', { name: 'Answered by' })
    for (const name of ['base', 'next'])
      await flags.getByRole('row', { name: new RegExp(`^${name}`) }).waitFor()
    await page.goto(`${system.registryUrls[0]}/studio/ns/default/feature-flags/next`)
    await page.getByRole('row', { name: /^ios 3\.2 shop/ }).waitFor()
    expect(complaints).toEqual([])
  })
}

/** Waits for charts of what the other stories sent. The minute of now is in none. */
export function traffic(worldOf: () => StoryWorld): void {
  it('draws the traffic that routers told', WITHIN_MINUTES, async () => {
    const world = worldOf()
    const { browser, system } = world
    await ask(world)
    await restartRouters(world)
    await expect
      .poll(async () => {
        const { body } = await system.manage('GET', '/v1/figures/default/shop')
        return JSON.stringify(body)
      }, WITHIN_MINUTES)
      .toContain('"flag":"next"')
    await using visited = await browser.visit('/ns/default/graphs/shop')
    const { page, complaints } = visited
    for (const name of ['Requests', 'Errors', 'Latency'])
      await page.getByRole('figure', { name }).locator('canvas').waitFor(PATIENTLY)
    const requests = page.getByRole('figure', { name: 'Requests' })
    await requests.getByText('Numbers').click()
    await requests.getByRole('columnheader', { name: 'next' }).waitFor()
    // Minutes before the registry heard of any router are none without requests.
    expect(await requests.getByRole('row').count()).toBeLessThan(20)
    expect(complaints).toEqual([])
  })
}
