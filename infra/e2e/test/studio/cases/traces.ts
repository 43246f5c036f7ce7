/** Studio's page of traces: what people open there, and what they had better not. */
import { PATIENTLY } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import {
  dropText,
  expectAccessible,
  expectNoSidewaysScrolling,
  picture,
  SCHEMES,
  type StudioWorld,
} from '../studio-world.ts'
import { monday, responseWith, tuesday } from './saved-traces.ts'

/** Says something else than it seems to say, in markup, and with control characters. */
const HOSTILE = '<img src=x onerror="document.title=\'taken\'"> \u202egnp\u202c \u0007 </script>'

export function traces(worldOf: () => StudioWorld): void {
  it.each(SCHEMES)('shows a trace, and compares two, in %s', async (scheme) => {
    await using visited = await worldOf().visit('/traces', { scheme })
    const { page, complaints } = visited
    await expectAccessible(page)
    await page.getByLabel('Open a file for trace A').setInputFiles({
      name: 'monday.json',
      mimeType: 'application/json',
      buffer: Buffer.from(responseWith(monday(), 100)),
    })
    await page.getByRole('option', { name: /^reviews/ }).waitFor()
    await expectAccessible(page)
    await dropText(page, responseWith(tuesday(), 110))
    await page.getByRole('heading', { name: 'Two traces compared' }).waitFor()
    expect(
      await page.getByRole('region', { name: 'What stands out' }).getByRole('listitem').allInnerTexts(),
    ).toEqual([
      expect.stringContaining('B took 33 ms (34 %) less than A.'),
      expect.stringContaining('The largest change: reviews at products.@, −36 ms.'),
      expect.stringContaining(
        'Slower in B by 1 ms or more: products. Faster in B by 1 ms or more: reviews at products.@.',
      ),
      expect.stringContaining(
        'Different compositions answered: the base graph of revision 42, then flag prices of revision 42.',
      ),
      expect.stringContaining('1 fetch is only in B.'),
      expect.stringContaining('reviews at products.@ asked for something else in B.'),
      expect.stringContaining('All answers of subgraphs that can be compared are the same.'),
      expect.stringContaining('The clients were answered differently, first at data.products.0.price.'),
    ])
    await expectAccessible(page)
    if (scheme === 'light') await picture(page, 'traces', 700)
    await expectNoSidewaysScrolling(page)
    await page.getByRole('button', { name: 'Exchange A and B' }).press('Enter')
    await page.getByText('B took 33 ms (51 %) more than A.').waitFor()
    await page.getByRole('button', { name: 'Close trace A' }).press('Enter')
    await page.getByRole('heading', { name: 'ProductList' }).waitFor()
    expect(complaints).toEqual([])
  })

  it('says why it shows no trace, whatever the text, and answers meanwhile', async () => {
    await using visited = await worldOf().visit('/traces')
    const { page, complaints } = visited
    const refusals = [
      ['{"data": {}}', 'This response has no extensions.trace'],
      ['<html>', 'The file is no JSON'],
      [' ', 'It is empty.'],
      [JSON.stringify({ ...monday(), version: HOSTILE }), 'This is no trace of version "1".'],
      [
        JSON.stringify({ ...monday(), warnings: ['x'.repeat(1_000_000)] }),
        'a name or message of 1000000 characters',
      ],
      ['['.repeat(4_000_000), 'The file is no JSON'],
      ['x'.repeat(16_000_000), 'It has 16 MiB.'],
    ] as const
    for (const [text, why] of refusals) {
      await dropText(page, text)
      const alert = page.getByRole('alert')
      await expect.poll(() => alert.innerText(), PATIENTLY).toContain(why)
      expect((await alert.innerText()).length).toBeLessThan(2_000)
    }
    await page.getByLabel('Text of trace A').fill(JSON.stringify({ ...monday(), warnings: [HOSTILE] }))
    await page.getByRole('button', { name: 'Show it' }).click()
    await page.getByText('<img src=x onerror=').waitFor()
    expect(await page.locator('img').count()).toBe(0)
    expect(complaints).toEqual([])
  })
}
