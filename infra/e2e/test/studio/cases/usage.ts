/** Studio's pages about usage, on a router that answers requests. */
import { UsageReport } from '@switchyard/contracts'
import { PATIENTLY } from '@switchyard/testkit'
import { describe, expect, it, vi } from 'vitest'
import { expectAccessible, expectNoSidewaysScrolling, picture, type StudioWorld } from '../studio-world.ts'

const WITHIN_MINUTES = { timeout: 180_000, interval: 2000 }

/** Sends what the page is to show: routers tell it a minute later, while other cases run. */
export async function use(world: StudioWorld): Promise<void> {
  await vi.waitFor(async () => {
    expect(await world.request('query Names { products { name } }', 'web')).toContain('"data"')
    expect(await world.request('query Ids { products { id } }', 'ios')).toContain('"data"')
  }, PATIENTLY)
}

export function usage(worldOf: () => StudioWorld): void {
  describe('of usage', () => {
    // Routers tell a minute when it is over.
    it('shows operations, one of them, and says why nothing is called unused', WITHIN_MINUTES, async () => {
      const world = worldOf()
      await vi.waitFor(async () => {
        const { groups } = UsageReport.parse(await world.read('usage/default/shop'))
        expect(groups.map(({ operation }) => operation?.name)).toEqual(
          expect.arrayContaining(['Names', 'Ids']),
        )
      }, WITHIN_MINUTES)
      await using visited = await world.visit('/ns/default/graphs/shop/operations')
      const { page, complaints } = visited
      await page.getByRole('link', { name: 'Ids' }).waitFor()
      await expectAccessible(page)
      await picture(page, 'operations')
      await expectNoSidewaysScrolling(page)
      await page.getByLabel('Only names with').fill('ids')
      await page.getByRole('link', { name: 'Names' }).waitFor({ state: 'detached' })
      expect(page.url()).toContain('search=ids')
      await page.getByLabel('A line for each').selectOption('hour')
      await page.getByRole('img', { name: /requests by the hour/ }).waitFor()
      await page.getByLabel('A line for each').selectOption('operation')
      await page.getByRole('link', { name: 'Ids' }).click()
      await page.getByText('ios 1.4.0').waitFor()
      await page.getByText('Product.id', { exact: true }).waitFor()
      await page.getByText('query Ids', { exact: false }).first().waitFor()
      await expectAccessible(page)
      await expectNoSidewaysScrolling(page)
      await page.goto(`${world.url}/studio/ns/default/graphs/shop/unused`)
      await page.getByText('Nobody knows what is unused in this time.').waitFor()
      await expectAccessible(page)
      await expectNoSidewaysScrolling(page)
      expect(complaints).toEqual([])
    })
  })
}
