/** The page as people use it, in a browser without a network. */
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Trace } from '@switchyard/request-trace'
import { sampled, temporaryDirectory } from '@switchyard/testkit'
import { chromiumAvailable, startChromium } from '@switchyard/testkit/chromium'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { linkModules } from '../src/link-modules.ts'
import { traceDocument, type TraceDocumentOptions } from '../src/index.ts'
import { buildTrace } from './fixtures/build-trace.ts'
import * as shop from './fixtures/shop.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Visit = TraceDocumentOptions & {
  readonly width?: number
  readonly scheme?: 'light' | 'dark'
  /** Lets a checker run beside the page's own script. */
  readonly bypassPolicy?: boolean
}

type Opened = AsyncDisposable & {
  readonly page: Page
  /** Errors and warnings of the console, and errors that nobody caught. */
  readonly complaints: readonly string[]
  readonly requests: readonly string[]
  /** Addresses that the page's policy kept it from. */
  readonly blocked: readonly string[]
}

describe.skipIf(!chromiumAvailable())('the page of a trace', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startChromium()
  })
  afterAll(() => browser.close())

  async function open(
    trace: Trace,
    { width = 1280, scheme = 'light', bypassPolicy, ...options }: Visit = {},
  ): Promise<Opened> {
    const folder = await temporaryDirectory()
    const file = join(folder.path, 'trace.html')
    await writeFile(file, traceDocument(trace, options))
    const context = await browser.newContext({
      viewport: { width, height: 800 },
      colorScheme: scheme,
      bypassCSP: bypassPolicy === true,
    })
    const page = await context.newPage()
    const complaints: string[] = []
    const requests: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    const blocked: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    page.on('requestfailed', (request) => {
      if (request.failure()?.errorText === 'csp') blocked.push(request.url())
    })
    await page.goto(pathToFileURL(file).href)
    return {
      page,
      complaints,
      requests,
      blocked,
      async [Symbol.asyncDispose]() {
        await context.close()
        await folder[Symbol.asyncDispose]()
      },
    }
  }

  const row = (page: Page, id: string) => page.locator(`[data-row="${id}"]`)
  const focusedRow = (page: Page) =>
    page.evaluate(() => document.activeElement?.getAttribute('data-row') ?? null)

  /** A sample of these has those that are written in the most ways. */
  const TRACES = {
    deferred: shop.deferredShop,
    plain: shop.plainShop,
    'first part': shop.firstPartOfShop,
    hostile: shop.hostileShop,
    invalid: shop.invalidOperation,
    predictable: shop.predictableShop,
    troubled: shop.troubledShop,
    excluded: shop.excludedShop,
    'another user': shop.shopAsAnother,
  }

  it.each(sampled(Object.entries(TRACES), 3))(
    'opens every row of a %s trace without an error and without a request',
    async (_, make) => {
      await using opened = await open(make())
      const { page, complaints, requests } = opened
      const rows = page.locator('[role=option]')
      for (let index = 0; index < (await rows.count()); index++) {
        await rows.nth(index).click()
        const closed = page.locator('aside details:not([open]) > summary:visible')
        while ((await closed.count()) > 0) await closed.first().click()
      }
      expect(complaints).toEqual([])
      expect(requests.filter((url) => !url.startsWith('file:'))).toEqual([])
      expect(requests).toHaveLength(1)
    },
  )

  it('says who asked, and what it cost, as text', async () => {
    await using opened = await open({
      ...shop.plainShop(),
      asked_by: {
        client: { name: '<b>web</b>', version: '1.2' },
        token: { provider: 'main', subject: 'ann' },
        document: 'sha256:abc',
      },
      cost: { estimated: 12, actual: 7, exceeded: null },
      rate_limits: [
        { name: 'all', exceeded: false },
        { name: 'tried', exceeded: true },
      ],
    })
    const origin = await opened.page.locator('.origin').innerText()
    for (const part of [
      'client <b>web</b> 1.2',
      'the token of ann, verified as main',
      'document sha256:abc',
      'cost 7, 12 estimated',
      'counts for the rate limits all, tried (exceeded, not enforced)',
    ])
      expect(origin).toContain(part)
  })

  it('quotes the errors of the response at the top, as text, and the first few of many', async () => {
    const told = ['Cannot query field "nam".', '<b onclick="harm()">bold</b>', '3', '4', '5', '6', '7']
    const errors = told.map((message) => ({ message, path: null }))
    await using opened = await open(shop.invalidOperation(), { errors })
    const quoted = opened.page.getByLabel('Errors of the response').locator('li')
    expect(await quoted.allInnerTexts()).toEqual([
      expect.stringContaining('Cannot query field "nam".'),
      expect.stringContaining('<b onclick="harm()">bold</b>'),
      ...['3', '4', '5'].map((text) => expect.stringContaining(text)),
      expect.stringContaining('… and 2 more errors'),
    ])
    await using without = await open(shop.invalidOperation())
    expect(await without.page.getByLabel('Errors of the response').count()).toBe(0)
  })

  it('tells an error of many places once, with the first of its paths', async () => {
    const at = (message: string, ...paths: (string | null)[]) => paths.map((path) => ({ message, path }))
    const errors = [
      ...at('closed', 'items.0.stock', 'items.1.stock', 'items.2.stock', 'items.3.stock', 'items.4.stock'),
      ...at('gone', 'report'),
      ...at('invalid', null, null),
    ]
    await using opened = await open(shop.invalidOperation(), { errors })
    const quoted = opened.page.getByLabel('Errors of the response').locator('li')
    expect(await quoted.allInnerTexts()).toEqual([
      expect.stringContaining('closed (at items.0.stock, items.1.stock, items.2.stock, and 2 more)'),
      expect.stringContaining('gone (at report)'),
      expect.stringContaining('invalid (2 times)'),
    ])
  })

  it('shows input and output of a fetch at a click', async () => {
    await using opened = await open(shop.plainShop())
    const { page } = opened
    expect(await page.locator('aside').isVisible()).toBe(false)
    await row(page, 'fetch-2').click()
    const details = page.locator('aside')
    expect(await details.locator('h2').textContent()).toBe('reviewsproducts.@')
    expect(await details.getByRole('group', { name: 'Query' }).textContent()).toContain(
      '... on Product {\n      reviews(first: 10, order: { by: STARS, down: true }) {',
    )
    expect(
      JSON.parse((await details.getByRole('group', { name: 'Variables' }).textContent()) ?? ''),
    ).toMatchObject({
      r0: [{ upc: '1' }, { upc: '2' }, { upc: '3' }],
    })
    const body = JSON.parse((await details.getByRole('group', { name: 'Body' }).textContent()) ?? '')
    expect(body.data._entities[0].reviews[1].text).toBe("It's <b>wobbly</b>")
    await details.getByText('Made from').click()
    expect(await details.getByRole('group', { name: 'Objects of the response' }).textContent()).toContain(
      '"upc": "3"',
    )
    await details.getByText('Connection').click()
    expect(await details.locator('.events').textContent()).toContain('first byte of the answer')
  })

  it('shows the attempts of a call that failed or were given up', async () => {
    const attempts = [
      { status_code: 503, duration_since_start_nanoseconds: 1_000_000, duration_load_nanoseconds: 2_000_000 },
      {
        url: 'http://stock-2:4001/graphql',
        message: 'other side closed',
        duration_since_start_nanoseconds: 4_000_000,
        duration_load_nanoseconds: 500_000,
      },
      { hedge: true as const, given_up: true as const, duration_since_start_nanoseconds: 5_000_000 },
    ]
    const trace = { failed_attempts: attempts, duration_waiting_nanoseconds: 3_000_000 }
    const fetch = { source: 'stock', at: 6, took: 2, trace }
    await using opened = await open(buildTrace({ waves: [[fetch, { source: 'prices', at: 1, took: 1 }]] }))
    const { page } = opened
    await row(page, 'fetch-0').click()
    const table = page.locator('aside').getByRole('table').filter({ hasText: 'Came to' })
    expect(await table.locator('tbody tr').allTextContents()).toEqual([
      expect.stringContaining('HTTP 503'),
      expect.stringMatching(/stock-2.*no answer: other side closed/),
      expect.stringMatching(/second call.*given up/),
    ])
    expect(await page.locator('aside').getByText('Waited for a place').count()).toBe(1)
    await row(page, 'fetch-1').click()
    expect(await page.locator('aside').getByText('Other attempts').count()).toBe(0)
    expect(await page.locator('aside').getByText('Waited for a place').count()).toBe(0)
  })

  it('leads from a fetch to what it waited for, and from a sentence to the fetch that it is about', async () => {
    await using opened = await open(shop.plainShop())
    const { page } = opened
    await page.getByRole('button', { name: /^68 % of the time/ }).click()
    expect(await focusedRow(page)).toBe('fetch-2')
    await page.locator('aside').getByRole('button', { name: 'products', exact: true }).click()
    expect(await page.locator('aside h2').textContent()).toBe('products')
    expect(await row(page, 'fetch-0').getAttribute('aria-selected')).toBe('true')
    expect(await row(page, 'fetch-2').getAttribute('aria-selected')).toBe('false')
  })

  it('is walked with the keyboard alone', async () => {
    await using opened = await open(shop.deferredShop())
    const { page } = opened
    for (let stops = 0; (await focusedRow(page)) === null && stops < 20; stops++)
      await page.keyboard.press('Tab')
    expect(await focusedRow(page)).toBe('phase-parse')
    await page.keyboard.press('End')
    expect(await focusedRow(page)).toBe('fetch-7')
    await page.keyboard.press('ArrowDown')
    expect(await focusedRow(page)).toBe('fetch-7')
    await page.keyboard.press('ArrowUp')
    expect(await focusedRow(page)).toBe('fetch-6')
    expect(await page.locator('aside h2').textContent()).toBe('recommendationsproducts.@')
    await page.keyboard.press('Home')
    for (let count = 0; count < 6; count++) await page.keyboard.press('ArrowDown')
    expect(await focusedRow(page)).toBe('fetch-2')

    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('reviewsproducts.@')
    await page.keyboard.press('Escape')
    expect(await page.locator('aside').isVisible()).toBe(false)
    expect(await focusedRow(page)).toBe('fetch-2')

    await page.keyboard.press('Shift+Tab')
    expect(await focusedRow(page)).toBe(null)
    await page.keyboard.press('Tab')
    expect(await focusedRow(page)).toBe('fetch-2')

    await page.keyboard.press('/')
    await page.keyboard.type('ship')
    expect(await page.locator('[role=option]:visible').count()).toBe(1)
    await page.keyboard.press('Escape')
    expect(await page.locator('[role=option]:visible').count()).toBe(12)
  })

  it('shows only what is critical, or what failed', async () => {
    await using opened = await open(shop.troubledShop())
    const { page } = opened
    await page.getByRole('button', { name: 'Errors' }).click()
    expect(await page.locator('[role=option]:visible .title').allTextContents()).toEqual([
      'accounts',
      'reviews',
      'inventory',
    ])
    expect(await page.getByRole('status').first().textContent()).toBe('3 of 11 rows')
    await page.getByRole('button', { name: 'Critical' }).click()
    expect(await page.locator('[role=option]:visible .title').allTextContents()).toEqual([
      'products',
      'reviews',
    ])
    // A link to a hidden row shows it.
    await page.getByRole('button', { name: /^accounts failed/ }).click()
    expect(await focusedRow(page)).toBe('fetch-1')
    expect(await page.locator('[role=option]:visible').count()).toBe(11)
  })

  it('says in words what colours say', async () => {
    await using opened = await open(shop.troubledShop())
    const names = await opened.page.locator('[role=listbox]').ariaSnapshot()
    for (const name of [
      'reviews batch products.@ SUBGRAPH_TIMEOUT critical path 2 s began after 23.9 ms',
      'recommendations batch products.@ shared 41 ms began after 24.4 ms',
      'accounts batch products.@.reviews.@.author skipped',
      'Plan 1.45 ms phase of the router',
    ]) {
      expect(names).toContain(`option "${name}`)
    }
  })

  it('copies a request as curl', async () => {
    await using opened = await open(shop.plainShop())
    const { page } = opened
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await row(page, 'fetch-1').click()
    await page.getByRole('button', { name: 'Copy as curl' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toBe(`# The trace does not hold what is [redacted]: put the real values in.
curl --globoff --url 'http://accounts.internal:4001/graphql' \\
  --header 'accept: application/json' \\
  --header 'authorization: [redacted]' \\
  --header 'content-type: application/json' \\
  --data-raw '{"query":"{me{name}}"}'`)
    await page.getByText('As curl', { exact: true }).click()
    expect(await page.getByRole('group', { name: 'curl' }).textContent()).toBe(copied)
  })

  it('says why input and output are not there', async () => {
    await using opened = await open(shop.troubledShop())
    const { page } = opened
    const text = async (id: string) => {
      await row(page, id).click()
      return page.locator('aside').textContent()
    }
    expect(await text('fetch-4')).toContain('its 793 KiB would have made the trace too large')
    expect(await text('fetch-2')).toContain('did not answer within 2000 ms')
    expect(await text('fetch-6')).toContain('Nothing had to be asked for')
    await using excluded = await open(shop.excludedShop())
    await row(excluded.page, 'fetch-0').click()
    expect(await excluded.page.locator('aside').textContent()).toContain(
      'The request is left out of this trace.',
    )
    await using early = await open(shop.firstPartOfShop())
    await row(early.page, 'fetch-5').click()
    expect(await early.page.locator('aside').textContent()).toContain(
      'Not loaded yet when this trace was taken.',
    )
  })

  it('shows two traces side by side', async () => {
    await using opened = await open(shop.plainShop(), {
      compare: shop.otherShop(),
      title: 'monday.json',
      compareTitle: 'tuesday.json',
    })
    const { page, complaints } = opened
    expect(await page.locator('.side-headings h2').allTextContents()).toEqual([
      'Amonday.json',
      'Btuesday.json',
    ])
    expect(await row(page, 'fetch-2').locator('.bar').count()).toBe(2)
    expect(await row(page, 'fetch-2').locator('.value').textContent()).toBe('74 ms → 38 ms (−36 ms)')
    expect(await row(page, 'fetch-4').textContent()).toContain('only in B')
    await page.getByRole('button', { name: 'inventory at products.@ answered differently.' }).click()
    expect(await page.locator('.differences tbody tr').allTextContents()).toEqual([
      'body.data._entities.1.inStockfalsetrue',
    ])
    expect(await page.locator('aside .side').count()).toBe(2)
    await row(page, 'fetch-4').click()
    expect(await page.locator('aside .side').first().textContent()).toBe('Trace ANot in this trace.')
    expect(complaints).toEqual([])
  })

  it('runs nothing that is in a trace', async () => {
    await using opened = await open(shop.hostileShop(), { title: shop.HOSTILE.join('') })
    const { page, complaints } = opened
    await row(page, 'fetch-0').click()
    expect(await page.evaluate(() => Reflect.get(window, 'harmed'))).toBe(undefined)
    expect(await page.locator('main img, main svg, main script, main a, main iframe').count()).toBe(0)
    const texts = [await page.title(), (await page.locator('main').textContent()) ?? '']
    for (const text of texts) {
      expect(text).toContain('⟨001b⟩')
      expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u)
    }
    expect(complaints).toEqual([])
  })

  it('would be kept from running or loading anything by its policy', async () => {
    await using opened = await open(shop.plainShop())
    const { page, requests, blocked } = opened
    const fetched = await page.evaluate(async () => {
      const violated = new Promise((resolve) => {
        document.addEventListener('securitypolicyviolation', resolve)
      })
      const script = document.createElement('script')
      script.textContent = 'window.harmed = 1'
      const image = document.createElement('img')
      image.src = 'http://127.0.0.1:9/image'
      document.body.append(script, image)
      await violated
      return fetch('http://127.0.0.1:9/data').then(
        () => 'allowed',
        () => 'refused',
      )
    })
    expect(fetched).toBe('refused')
    expect(await page.evaluate(() => Reflect.get(window, 'harmed'))).toBe(undefined)
    expect(requests.slice(1).filter((url) => !blocked.includes(url))).toEqual([])
    expect(blocked).toEqual(['http://127.0.0.1:9/image'])
  })

  it('says for whom the composition was chosen, and why, rollout by rollout', async () => {
    await using opened = await open(shop.shopAsAnother())
    const choice = opened.page.getByRole('region', { name: 'Why this composition' })
    const text = await choice.innerText()
    expect(text).toContain('Chosen for another user, with the claims sub: ann, plan: [redacted]')
    expect(text).toContain('The request gets feature flag "next", by rollout "users".')
    expect(await choice.locator('ol > li').allInnerTexts()).toEqual([
      expect.stringMatching(
        /^apps .*since a condition does not hold\n+client equals …: does not hold \(it has none\)$/,
      ),
      expect.stringMatching(
        /^users .*inside: bucket 2780 of claim:sub "ann" is below 5000\n+claim:plan in …: holds/,
      ),
    ])
    // One who asks for nobody else opens the list when it is wanted.
    const { stand_in: _, ...own } = shop.shopAsAnother()
    await using other = await open(own)
    expect(await other.page.locator('.choice ol').count()).toBe(0)
    await other.page.getByText('Rollouts, in the order').click()
    // The list is drawn after the click.
    await other.page.locator('.choice ol > li').nth(1).waitFor()
    expect(await other.page.locator('.choice ol > li').count()).toBe(2)
  })

  /** A sample of these has each width and each scheme. */
  const LOOKS = [
    { width: 1280, scheme: 'light' },
    { width: 1280, scheme: 'dark' },
    { width: 400, scheme: 'light' },
    { width: 400, scheme: 'dark' },
  ] as const
  it.each(sampled(LOOKS, 3))(
    'has nothing that axe complains about ($width px, $scheme)',
    async ({ width, scheme }) => {
      const visits: readonly (readonly [Trace, Visit, string])[] = [
        [shop.troubledShop(), {}, 'fetch-2'],
        [shop.deferredShop(), {}, 'fetch-5'],
        [shop.predictableShop(), {}, 'fetch-1'],
        [shop.plainShop(), { compare: shop.otherShop() }, 'fetch-3'],
        [shop.invalidOperation(), {}, 'phase-parse'],
        [shop.shopAsAnother(), {}, 'fetch-1'],
      ]
      for (const [trace, options, id] of visits) {
        await using opened = await open(trace, { ...options, width, scheme, bypassPolicy: true })
        const { page } = opened
        await row(page, id).click()
        await page.evaluate(AXE)
        const violations = await page.evaluate(async () => {
          const axe = Reflect.get(window, 'axe') as {
            run: () => Promise<{
              violations: { id: string; nodes: { html: string; failureSummary: string }[] }[]
            }>
          }
          const found = await axe.run()
          return found.violations.flatMap(({ id: rule, nodes }) =>
            nodes.map(({ html, failureSummary }) => `${rule}: ${html.slice(0, 150)} ${failureSummary}`),
          )
        })
        expect(violations).toEqual([])
      }
    },
  )

  it.each([400, 320])('needs no sideways scrolling at %i px', async (width) => {
    for (const [trace, options] of [
      [shop.deferredShop(), {}],
      [shop.hostileShop(), {}],
      [shop.shopAsAnother(), {}],
      [shop.plainShop(), { compare: shop.otherShop() }],
    ] as const) {
      await using opened = await open(trace, { width, ...options })
      await row(opened.page, 'fetch-2').click()
      const overflow = await opened.page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(overflow).toBe(0)
    }
  })

  it('has 600 fetches of 1 MiB there for the keyboard, and opens a row of them', async () => {
    const trace = shop.hugeShop()
    expect(JSON.stringify(trace).length).toBeGreaterThan(1_048_576)
    await using opened = await open(trace)
    const { page } = opened
    expect(await page.locator('[role=option]').count()).toBe(604)
    await row(page, 'fetch-0').focus()
    await page.keyboard.press('End')
    expect(await focusedRow(page)).toBe('fetch-599')
    expect(await page.locator('aside h2').textContent()).toContain('items.@')
    // Nothing but the row that is open has details.
    expect(await page.locator('pre').count()).toBeLessThan(6)
  })

  it('shows the beginning of a long answer, and the rest when asked', async () => {
    const trace = shop.hugeShop(1, 300_000)
    await using opened = await open(trace)
    const { page } = opened
    await row(page, 'fetch-0').click()
    const body = page.getByRole('group', { name: 'Body' })
    const whole = JSON.parse(
      await page.evaluate(() => document.getElementById('trace-data')?.textContent ?? ''),
    ).trace.fetches.children[0].fetch.trace.output.body
    expect((await body.textContent())?.split('\n')).toHaveLength(200)
    const more = page.locator('.more').last()
    while ((await more.count()) > 0 && (await more.isVisible())) await more.click()
    expect(JSON.parse((await body.textContent()) ?? '')).toEqual(whole)
  })

  it('can be put into an element of another page, beside another one, and taken out again', async () => {
    await using folder = await temporaryDirectory()
    const file = (path: string) => fileURLToPath(new URL(path, import.meta.url))
    const entry = join(folder.path, 'playground.ts')
    await writeFile(
      entry,
      `import { mountTrace } from '${file('../src/page/mount.ts')}'
const mounted = ['left', 'right'].map((id) => mountTrace(document.getElementById(id)!, { trace: trace }))
document.addEventListener('leave', () => mounted[0]!.unmount())`,
    )
    const context = await browser.newContext({ viewport: { width: 1000, height: 800 } })
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.setContent(
      '<h1>Playground</h1><div style="display:flex"><div id="left" style="width:600px"></div><div id="right" style="width:400px"></div></div>',
    )
    await page.addStyleTag({ path: file('../src/page/style.css') })
    await page.addScriptTag({ content: `const trace = ${JSON.stringify(shop.plainShop())}` })
    await page.addScriptTag({ content: linkModules(entry) })
    await page.locator('#right [data-row="fetch-1"]').click()
    expect(await page.locator('aside:visible h2').allTextContents()).toEqual(['accounts'])
    expect(await page.locator('#left aside').isVisible()).toBe(false)
    // The other page keeps its own look.
    expect(
      await page
        .locator('h1')
        .first()
        .evaluate((one) => getComputedStyle(one).fontSize),
    ).toBe('32px')
    await page.evaluate(() => document.dispatchEvent(new Event('leave')))
    expect(await page.locator('#left').innerHTML()).toBe('')
    expect(await page.locator('#right [role=option]').count()).toBe(9)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('prints all rows without what can only be clicked', async () => {
    await using opened = await open(shop.deferredShop())
    const { page } = opened
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('[role=option]:visible').count()).toBe(12)
    expect(await page.locator('.filter').isVisible()).toBe(false)
    expect((await page.pdf()).byteLength).toBeGreaterThan(10_000)
  })
})
