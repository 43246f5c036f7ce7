/** Somebody asks the same of base and of a flag, and compares what the router did. */
import { expect, it } from 'vitest'
import { query } from '../../../src/index.ts'
import { dropText } from '../studio-world.ts'
import type { StoryWorld } from './story-world.ts'

const TRACED = { 'x-vendor-trace': 'true' }

export function twoTraces(worldOf: () => StoryWorld): void {
  it('compares what the router did for base and for a flag', async () => {
    const { browser, system } = worldOf()
    const [url = ''] = system.routerUrls
    const base = await query(url, TRACED)
    const flag = await query(url, { ...TRACED, 'x-feature-flag': 'next' })
    await using visited = await browser.visit('/traces')
    const { page, complaints } = visited
    await dropText(page, JSON.stringify(base.body))
    await page.getByRole('option', { name: /^catalogue/ }).waitFor()
    await dropText(page, JSON.stringify(flag.body))
    await page.getByRole('heading', { name: 'Two traces compared' }).waitFor()
    const found = page.getByRole('region', { name: 'What stands out' })
    await found.getByText(/Different compositions answered: the base graph .*, then flag next/).waitFor()
    await found.getByText('The clients were answered differently').waitFor()
    expect(complaints).toEqual([])
  })
}
