/**
 * Opens each page of Studio in Chromium as on a computer that is four times slower, and measures what happens
 * after the last answer has come until the page can be used.
 *
 * Times are CPU of the page's main thread, of which a slowed page takes four times as much: what else runs on
 * the machine makes them no longer.
 */
import type { Table } from '@switchyard/lab'
import { startChromium } from '@switchyard/testkit/chromium'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { type MainThread, mainThreadOf } from './main-thread.ts'
import { type MeasuredPage, PAGES } from './pages.ts'
import type { Platform } from './platform.ts'

const SLOWER = 4
const WITHIN_MS = 240_000
/** Milliseconds without a request and without a task, after which a page is done. */
const QUIET_MS = 500

export type PageFigures = MainThread & {
  readonly name: string
  /** Requests to the API, and bytes of their answers as they came. */
  readonly requests: number
  readonly bytes: number
  readonly elements: number
}

export async function measurePages(platform: Platform, only = ''): Promise<readonly PageFigures[]> {
  const browser = await startChromium()
  try {
    const signedIn = await signIn(browser, platform)
    const figures: PageFigures[] = []
    for (const page of PAGES) {
      if (!page.name.toLowerCase().includes(only.toLowerCase())) continue
      // The first time is that of the registry, which then knows what it is asked for.
      await visit(browser, signedIn, platform, page, 1)
      figures.push(await visit(browser, signedIn, platform, page, SLOWER))
      console.log(JSON.stringify(figures.at(-1)))
    }
    return figures
  } finally {
    await browser.close()
  }
}

export function pagesTable(figures: readonly PageFigures[]): Table {
  const head = [
    'page',
    'requests',
    'bytes of answers',
    'elements',
    'from the data to usable',
    'all until usable',
    'longest task',
  ]
  const ms = (value: number) => `${value.toFixed(0)} ms`
  return {
    head,
    rows: figures.map(({ name, requests, bytes, elements, afterData, total, longestTask }) => [
      name,
      String(requests),
      `${(bytes / 1024).toFixed(0)} KiB`,
      String(elements),
      ms(afterData),
      ms(total),
      ms(longestTask),
    ]),
  }
}

type SignedIn = Awaited<ReturnType<BrowserContext['storageState']>>

/** Signs in as people do. Returns the cookies. */
export async function signIn(browser: Browser, { url, key }: Platform): Promise<SignedIn> {
  const context = await browser.newContext()
  const page = await context.newPage()
  page.setDefaultTimeout(WITHIN_MS)
  await page.goto(`${url}/studio/`)
  await page.getByLabel('API key', { exact: true }).fill(key)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  const state = await context.storageState()
  await context.close()
  return state
}

async function visit(
  browser: Browser,
  storageState: SignedIn,
  { url }: Platform,
  { name, path, content }: MeasuredPage,
  slower: number,
): Promise<PageFigures> {
  const context = await browser.newContext({ storageState, viewport: { width: 1280, height: 900 } })
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(WITHIN_MS)
    const devtools = await context.newCDPSession(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slower })
    await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline', 'blink.user_timing'] })
    await page.goto(`${url}/studio${path}`)
    await page.locator(content).first().waitFor()
    await untilQuiet(page)
    const trace = await browser.stopTracing()
    const { requests, bytes, elements } = await page.evaluate(() => {
      const asked = performance
        .getEntriesByType('resource')
        .filter((entry) => entry instanceof PerformanceResourceTiming)
        .filter((entry) => entry.name.includes('/v1/'))
      return {
        requests: asked.length,
        bytes: asked.reduce((sum, one) => sum + one.encodedBodySize, 0),
        elements: document.querySelectorAll('*').length,
      }
    })
    return { name, requests, bytes, elements, ...mainThreadOf(trace) }
  } finally {
    await context.close()
  }
}

/** Waits until nothing is read any more, marks that, and waits until the page has nothing to do either. */
async function untilQuiet(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('h1') !== null)
  await page.waitForFunction(() => document.querySelector('.waiting') === null)
  await page.evaluate(async (quietMs) => {
    const painted = () =>
      new Promise((resolve) => {
        requestAnimationFrame(() => setTimeout(resolve, 0))
      })
    await painted()
    performance.mark('shown')
    let last = performance.now()
    const observer = new PerformanceObserver(() => {
      last = performance.now()
    })
    observer.observe({ entryTypes: ['longtask', 'resource'] })
    while (performance.now() - last < quietMs) await painted()
    performance.mark('quiet')
  }, QUIET_MS)
}
