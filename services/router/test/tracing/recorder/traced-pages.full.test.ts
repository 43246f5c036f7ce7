/**
 * Traces of the corpus as people look at them: the page of the viewer in a browser, and its curl commands in
 * a shell.
 */
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { fetchesOf, type Trace } from '@switchyard/request-trace'
import { sampled, temporaryDirectory } from '@switchyard/testkit'
import { chromiumAvailable, startChromium } from '@switchyard/testkit/chromium'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SUITES } from '@switchyard/corpus'
import { traceDocument } from '@switchyard/trace-viewer'
import { startCorpusWorld } from '../../support/corpus-world.ts'
import { tracesIn, TRACED } from './traced.ts'
import { post } from '../../support/router.ts'

const SETTINGS =
  '{ dev_mode: true, engine: { enable_defer: true }, tracing: { allowed_headers: ["*"], sensitive_names: [] } }'
/** A browser takes some seconds for each. */
const LOOKED_AT = sampled(SUITES, 6)
/**
 * Two traces are compared of each so many of these: a page with both takes as long as all else about a suite.
 */
const COMPARED_EACH = 2
type Browser = Awaited<ReturnType<typeof startChromium>>
type Page = Awaited<ReturnType<Browser['newPage']>>
const run = promisify(execFile)

/** Texts of totals and of the axis that are not inside of their card. */
function sticksOut(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    // The types of a browser are none of this package's.
    const { document } = globalThis as unknown as {
      document: { querySelectorAll(of: string): Iterable<Box> }
    }
    type Box = {
      textContent: string
      getBoundingClientRect(): { right: number }
      closest(of: string): Box | null
    }
    return [...document.querySelectorAll('.tile, .tick')]
      .filter((one) => {
        const card = one.closest('.card')
        return card !== null && one.getBoundingClientRect().right > card.getBoundingClientRect().right
      })
      .map((one) => one.textContent)
  })
}

describe.skipIf(!chromiumAvailable())('the page of a trace of the corpus', () => {
  const stack = new AsyncDisposableStack()
  let browser: Browser
  let folder: string
  beforeAll(async () => {
    browser = await startChromium()
    stack.defer(() => browser.close())
    folder = stack.use(await temporaryDirectory()).path
  })
  afterAll(() => stack.disposeAsync())

  /** Of what the page says to whoever looks for errors. */
  async function open(html: string, look: (page: Page) => Promise<void>): Promise<readonly string[]> {
    const file = join(folder, 'trace.html')
    await writeFile(file, html)
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    const complaints: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(pathToFileURL(file).href)
    await look(page)
    await page.close()
    return complaints
  }

  it.each(LOOKED_AT)('shows input and output of each fetch: $name', async (suite) => {
    await using world = await startCorpusWorld(suite, SETTINGS)
    const traces: Trace[] = []
    for (const { query, variables = {}, operationName = null } of suite.operations)
      traces.push(
        ...tracesIn(await post(world.router, { query, variables, operationName }, TRACED)).slice(-1),
      )
    const [trace, other = trace] = traces.toSorted((a, b) => fetchesOf(b).length - fetchesOf(a).length)
    if (trace === undefined) throw new Error('The suite has no operation')
    const fetches = fetchesOf(trace)

    const complaints = await open(traceDocument(trace), async (page) => {
      for (const [index, { source_name, trace: load }] of fetches.entries()) {
        await page.locator(`[data-row="fetch-${index}"]`).click()
        const details = page.locator('aside')
        expect(await details.locator('h2').textContent()).toContain(source_name)
        if (load.input === undefined) continue
        expect(await details.getByRole('group', { name: 'Query' }).textContent()).toContain('{')
        if (load.output === undefined || 'truncated' in load.output) continue
        const shown = await details.getByRole('group', { name: 'Body' }).textContent()
        if (typeof load.output.body === 'object') expect(JSON.parse(shown ?? '')).toEqual(load.output.body)
      }
      expect(await sticksOut(page)).toEqual([])
      const index = fetches.findIndex(({ trace: load }) => load.input !== undefined)
      const asked = fetches[index]
      if (asked === undefined) return
      await page.locator(`[data-row="fetch-${index}"]`).click()
      await page.getByText('As curl', { exact: true }).click()
      const command = await page.getByRole('group', { name: 'curl' }).textContent()
      world.takeReceived()
      await run('sh', ['-c', `${command} --silent`]).catch(() => null)
      const { input } = asked.trace
      const body = input !== undefined && 'body' in input ? input.body : undefined
      expect(world.takeReceived()).toEqual([{ subgraph: asked.source_name, body }])
    })
    expect(complaints).toEqual([])
    if (LOOKED_AT.indexOf(suite) % COMPARED_EACH > 0) return

    const compared = traceDocument(trace, { compare: other, title: 'one', compareTitle: 'other' })
    const complaintsOfBoth = await open(compared, async (page) => {
      const rows = page.locator('[role=option]')
      for (let index = 0; index < (await rows.count()); index++) await rows.nth(index).click()
      expect(await page.locator('aside .side').count()).toBe(2)
      expect(await sticksOut(page)).toEqual([])
    })
    expect(complaintsOfBoth).toEqual([])
  })
})
