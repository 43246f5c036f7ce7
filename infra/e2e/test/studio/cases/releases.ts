/** Studio's pages about flags, rollouts and usage, on a router that answers requests. */
import { RolloutDifferences } from '@switchyard/contracts'
import { PATIENTLY, serveSubgraph } from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  expectAccessible,
  expectNoSidewaysScrolling,
  picture,
  SCHEMES,
  type StudioWorld,
} from '../studio-world.ts'

const PRODUCTS =
  'type Query { products: [Product!]! } type Product @key(fields: "id") { id: ID! name: String! }'
const PRICES = PRODUCTS.replace('name: String!', 'name: String! price: Int!')
const NAMES = 'query Names { products { name } }'
/** Enough for guards to say something: each group needs a hundred. */
const USERS = 240

/** Serves products, which the flag names otherwise, and gives the flag to half of the users. */
async function fill(world: StudioWorld, stack: AsyncDisposableStack): Promise<void> {
  const serve = (sdl: string, name: string) =>
    serveSubgraph({ sdl, resolvers: { Query: { products: () => [{ id: '1', name, price: 12 }] } } })
  const base = stack.use(await serve(PRODUCTS, 'Trilby'))
  const flag = stack.use(await serve(PRICES, 'Trilby, dark'))
  const urls = [
    ['products', base.url],
    ['products-prices', flag.url],
  ]
  for (const [name, routingUrl] of urls)
    await world.write('PATCH', `subgraphs/default/${name}`, { routingUrl })
  const common = { graph: 'shop', flag: 'prices' }
  await world.write('POST', 'rollouts/default', {
    ...common,
    name: 'compare',
    mode: 'shadow',
    percent: 100,
    where: [{ on: 'client', equals: 'probe' }],
  })
  await world.write('POST', 'rollouts/default', { ...common, name: 'prices', key: ['header:X-User'] })
  await world.write('POST', 'rollouts/default/prices/ramp', {
    steps: [50, 95, 100],
    everyMs: 24 * 60 * 60_000,
    guards: { errors: { points: 1 }, p99: { ratio: 1.3 }, minimumRequests: 100 },
    stop: { errors: { percent: 20 } },
    forgeableKey: true,
  })
  await vi.waitFor(
    async () =>
      expect(await world.read('rollouts/default/prices')).toMatchObject({
        state: 'live',
        routers: { serving: 1 },
      }),
    PATIENTLY,
  )
  for (let user = 0; user < USERS; user++)
    await world.request(NAMES, user % 3 === 0 ? 'ios' : 'web', { 'x-user': `user-${user}` })
}

export function releases(worldOf: () => StudioWorld): void {
  describe('of releases', () => {
    const stack = new AsyncDisposableStack()
    beforeAll(() => fill(worldOf(), stack))
    afterAll(() => stack.disposeAsync())

    it.each(SCHEMES)('shows flags and where they are served, in %s', async (scheme) => {
      await using visited = await worldOf().visit('/ns/default/feature-flags', { scheme })
      const { page, complaints } = visited
      await page.getByText('products by products-prices').waitFor()
      await page.getByText('on 1 of 1 routers').waitFor()
      await page.getByText('ramping', { exact: true }).waitFor()
      await expectAccessible(page)
      await expectNoSidewaysScrolling(page)
      await page.getByRole('link', { name: 'prices', exact: true }).click()
      await page.getByRole('heading', { name: 'Where it is served' }).waitFor()
      await page.getByText('feature flag "prices" created').waitFor()
      await expectAccessible(page)
      if (scheme === 'light') await picture(page, 'flag')
      await expectNoSidewaysScrolling(page)
      await page.getByRole('link', { name: 'What it changes for clients' }).click()
      await page
        .getByText(/\bprice\b/)
        .filter({ visible: true })
        .first()
        .waitFor()
      expect(page.url()).toMatch(/\/graphs\/shop\/difference\?from=base&to=flag%3Aprices$/)
      expect(complaints).toEqual([])
    })

    it('disables a flag, enables it again, promotes it and takes that back', async () => {
      const world = worldOf()
      await using visited = await world.visit('/ns/default/feature-flags/prices')
      const { page } = visited
      const act = async (button: string, sentence: string | RegExp) => {
        await page.getByRole('button', { name: button, exact: true }).first().click()
        const dialog = page.getByRole('alertdialog')
        await dialog.getByText(sentence).waitFor()
        await dialog.getByRole('button', { name: button, exact: true }).click()
        await dialog.waitFor({ state: 'detached' })
      }
      await act('Disable', 'Rollouts of it give it to nobody meanwhile: compare, prices.')
      await page.getByText('disabled', { exact: true }).first().waitFor()
      await act('Enable', 'So do the requests that rollouts select: compare, prices.')
      await act('Promote', 'Subgraph products gets the schema and the routing URL')
      await page.getByText('launched', { exact: true }).waitFor()
      await act('Undo the promotion', 'Subgraph products gets what it had before the promotion.')
      await page.getByRole('button', { name: 'Promote', exact: true }).waitFor()
      expect(await world.read('feature-flags/default/prices')).not.toHaveProperty('launched')
    })

    it.each(['light', 'dark'] as const)('shows a ramp and what its guards say, in %s', async (scheme) => {
      await using visited = await worldOf().visit('/ns/default/rollouts', { scheme })
      const { page, complaints } = visited
      await page.getByText('those with client equals probe').waitFor()
      await expectAccessible(page)
      await expectNoSidewaysScrolling(page)
      await page.locator('a[href$="/rollouts/prices"]').click()
      await page.getByText('Step 1 of 3 began').waitFor()
      await page.getByText(/^errors: .* inside \(\d+ requests\), .* outside \(\d+\); /).waitFor()
      await expectAccessible(page)
      if (scheme === 'light') await picture(page, 'rollout')
      await expectNoSidewaysScrolling(page)
      expect(complaints).toEqual([])
    })

    it('goes on to the next step, aborts by the keyboard, and sets a percentage by hand', async () => {
      const world = worldOf()
      await using visited = await world.visit('/ns/default/rollouts/prices')
      const { page } = visited
      const dialog = page.getByRole('alertdialog')
      await page.getByRole('button', { name: 'Next step' }).click()
      await dialog.getByText('95 % of its audience get the flag instead of 50 %').waitFor()
      await dialog.getByLabel(/^Reason/).fill('in a hurry')
      expect(await dialog.getByRole('group', { name: 'Command' }).innerText()).toContain(
        "switchyard rollout advance prices --namespace default --reason 'in a hurry'",
      )
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Next step' }).click()
      await page.getByText('Step 2 of 3 began').waitFor()
      await page.getByRole('button', { name: 'Abort' }).focus()
      await page.keyboard.press('Enter')
      await dialog.getByText('which is 95 % of its audience, get base at once').waitFor()
      await dialog.getByRole('button', { name: 'Abort' }).press('Enter')
      await page.getByText('aborted', { exact: true }).first().waitFor()
      expect(await world.read('rollouts/default/prices')).toMatchObject({ status: 'aborted', inForce: 0 })
      await page.getByRole('button', { name: 'Resume' }).click()
      await dialog.getByRole('button', { name: 'Resume' }).click()
      await page.getByRole('button', { name: 'Pause' }).click()
      await dialog.getByRole('button', { name: 'Pause' }).click()
      await page.getByText('ramp paused').waitFor()
      await page.getByLabel('Set it to').fill('25')
      await page.getByRole('button', { name: 'Set', exact: true }).click()
      await dialog.getByText('switchyard rollout update prices --percent 25').waitFor()
      await dialog.getByRole('button', { name: 'Set', exact: true }).click()
      await page.getByText('25 %', { exact: true }).waitFor()
      expect(await world.read('rollouts/default/prices')).toMatchObject({ percent: 25, ramp: null })
    })

    it.each(SCHEMES)('shows what differs in shadows, side by side, in %s', async (scheme) => {
      const world = worldOf()
      // A router that has other things to do drops samples.
      await vi.waitFor(async () => {
        await world.request(NAMES, 'probe')
        const { differences } = RolloutDifferences.parse(
          await world.read('rollouts/default/compare/differences'),
        )
        expect(differences).not.toEqual([])
      }, PATIENTLY)
      await using visited = await world.visit('/ns/default/rollouts/compare', { scheme })
      const { page, complaints } = visited
      await expectAccessible(page)
      await page.getByRole('link', { name: 'Show the differences' }).click()
      await page.getByText('products.*.name').waitFor()
      await page.getByText('"Trilby, dark"').waitFor()
      await expectAccessible(page)
      if (scheme === 'light') await picture(page, 'differences')
      await expectNoSidewaysScrolling(page)
      expect(complaints).toEqual([])
    })
  })
}
