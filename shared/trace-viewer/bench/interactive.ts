/**
 * How long it takes until the page of a trace of 1 MiB can be used: from the navigation to rows that are
 * there, and from a click to the details. `node shared/trace-viewer/bench/interactive.ts`; needs Chromium.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { temporaryDirectory } from '@switchyard/testkit'
import { startChromium } from '@switchyard/testkit/chromium'
import { traceDocument } from '../src/index.ts'
import { hugeShop } from '../test/fixtures/shop.ts'

const ROUNDS = 7

await using folder = await temporaryDirectory()
const trace = hugeShop()
const file = join(folder.path, 'trace.html')
const html = traceDocument(trace)
await writeFile(file, html)
const browser = await startChromium()
const rounds: { readonly usable: number; readonly opened: number }[] = []
for (let round = 0; round < ROUNDS; round++) {
  const page = await browser.newPage()
  await page.goto(pathToFileURL(file).href)
  rounds.push(
    await page.evaluate(async () => {
      const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)))
      await painted()
      const usable = performance.now()
      document.querySelector<HTMLElement>('[data-row="fetch-300"]')?.click()
      await painted()
      if (document.querySelector('aside h2') === null) throw new Error('The row did not open.')
      return { usable, opened: performance.now() - usable }
    }),
  )
  await page.close()
}
await browser.close()

const median = (values: readonly number[]) =>
  Math.round(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0)
const mebibytes = (text: string) => (Buffer.byteLength(text) / 2 ** 20).toFixed(2)
process.stdout.write(
  `A trace of ${mebibytes(JSON.stringify(trace))} MiB, a page of ${mebibytes(html)} MiB, median of ${ROUNDS}: ` +
    `painted and usable after ${median(rounds.map(({ usable }) => usable))} ms, a row opened in ${median(rounds.map(({ opened }) => opened))} ms\n`,
)
