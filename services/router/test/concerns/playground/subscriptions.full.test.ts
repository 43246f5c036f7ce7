/** Subscriptions in the playground: the built page of a real router in a browser. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { openPage } from '@switchyard/playground'
import { PATIENTLY } from '@switchyard/testkit'
import { chromiumAvailable, startChromium } from '@switchyard/testkit/chromium'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EventWorld, startEventWorld } from '../../subscriptions/support/event-world.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const CHANGED = 'subscription { changed { upc price } }'

type Opened = AsyncDisposable & { readonly page: Page; readonly complaints: readonly string[] }

describe.skipIf(!chromiumAvailable())('a subscription in the playground', () => {
  const stack = new AsyncDisposableStack()
  let browser: Browser
  let world: EventWorld
  beforeAll(async () => {
    expect(openPage(), 'the page has been built: make playground').not.toBeNull()
    world = stack.use(await startEventWorld('queue: { max_events: 5 }', 'dev_mode: true'))
    browser = await startChromium()
    stack.defer(() => browser.close())
  })
  afterAll(() => stack.disposeAsync())

  async function open(query: string, options: BrowserContextOptions = {}): Promise<Opened> {
    const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options })
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(`${new URL('./', world.router.graphqlUrl).href}?${new URLSearchParams({ query })}`)
    await page.locator('.graphiql-query-editor .view-line').first().waitFor()
    return { page, complaints, [Symbol.asyncDispose]: () => context.close() }
  }

  const run = (page: Page) => page.getByRole('button', { name: /Execute query/ }).click()
  const summary = (page: Page) => page.getByRole('status', { name: 'Answer' })
  /** The text of the answer's editor, without its blanks. */
  const shown = async (page: Page) =>
    (await page.locator('.graphiql-response .view-lines').innerText()).replaceAll(/\s/g, '')
  const panel = (page: Page) => page.locator('.panel', { has: page.getByRole('heading', { name: 'Events' }) })
  const items = (page: Page) => panel(page).getByRole('listitem')
  const send = (upc: string) => world.events.send({ changed: { upc } })

  it('shows each event as it comes, the newest first, and how it ends', async () => {
    await using opened = await open(CHANGED)
    const { page, complaints } = opened
    await run(page)
    // The panel opens by itself.
    await expect.poll(() => panel(page).innerText(), PATIENTLY).toContain('Waiting for the first event')
    await world.subscribed(1)
    send('1')
    await expect
      .poll(() => summary(page).textContent(), PATIENTLY)
      .toBe('200 · answered by base · 1 event, more to come')
    await expect.poll(() => shown(page), PATIENTLY).toBe('{"data":{"changed":{"upc":"1","price":10}}}')
    send('2')
    await expect.poll(() => shown(page), PATIENTLY).toContain('"price":20')
    expect(await items(page).allInnerTexts()).toEqual([
      expect.stringMatching(/^2 · \d\d:\d\d:\d\d\.\d{3}[^]*"price": 20/),
      expect.stringMatching(/^1 · \d\d:\d\d:\d\d\.\d{3}[^]*"price": 10/),
    ])
    world.events.send(null)
    await expect
      .poll(() => panel(page).innerText(), PATIENTLY)
      .toContain('2 events. The subscription is complete')
    expect(await summary(page).textContent()).toBe('200 · answered by base · 2 events, ended')
    expect(complaints).toEqual([])
  })

  it('is stopped by the button of the editor, and keeps what has come', async () => {
    await using opened = await open(CHANGED)
    const { page, complaints } = opened
    await run(page)
    await world.subscribed(1)
    send('1')
    await expect.poll(() => items(page).count(), PATIENTLY).toBe(1)
    await page.getByRole('button', { name: /Stop query/ }).click()
    await world.subscribed(0)
    await expect
      .poll(() => panel(page).innerText(), PATIENTLY)
      .toContain('You have stopped the subscription.')
    expect(await shown(page)).toContain('"price":10')
    // The same button begins another one, whose list is empty.
    await run(page)
    await world.subscribed(1)
    await expect.poll(() => items(page).count(), PATIENTLY).toBe(0)
    expect(complaints).toEqual([])
  })

  it('ends when another tab of the editor is opened, and with the page', async () => {
    await using opened = await open(CHANGED)
    const { page } = opened
    await run(page)
    await world.subscribed(1)
    await page.getByRole('button', { name: /^New tab/ }).click()
    await world.subscribed(0)
    await page.getByRole('tab').first().click()
    await run(page)
    await world.subscribed(1)
    await page.close()
    await world.subscribed(0)
  })

  it('tells why it is refused, and why the router ends it', async () => {
    await using opened = await open('subscription { changed { upc nothing } }')
    const { page } = opened
    await run(page)
    await expect.poll(() => shown(page), PATIENTLY).toContain('Cannotqueryfield\\"nothing\\"')
    await using other = await open(CHANGED)
    await run(other.page)
    await world.subscribed(1)
    send('1')
    await expect.poll(() => items(other.page).count(), PATIENTLY).toBe(1)
    await world.publish(2, 'weight: Int')
    await expect
      .poll(() => panel(other.page).innerText(), PATIENTLY)
      .toMatch(/1 event\. The router has ended the subscription: .*\(SUBSCRIPTION_SCHEMA_CHANGED\)/)
    await world.publish(3)
  })

  it('counts all events, keeps a hundred, and stays quick with thousands', async () => {
    await using opened = await open('subscription { ticks }')
    const { page, complaints } = opened
    await run(page)
    await world.subscribed(1)
    for (let tick = 1; tick <= 3000; tick++) {
      world.events.send({ ticks: tick })
      // More than what may wait at once would be dropped.
      await new Promise((resolve) => {
        setImmediate(resolve)
      })
    }
    await expect.poll(() => shown(page), PATIENTLY).toBe('{"data":{"ticks":3000}}')
    expect(await items(page).count()).toBe(100)
    expect(await panel(page).innerText()).toMatch(
      /The list has the newest 100\. The [\d,]+ before them are not kept\./,
    )
    expect(complaints).toEqual([])
  })

  it('has nothing that axe complains about, in light and in dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await using opened = await open(CHANGED, { colorScheme, bypassCSP: true })
      const { page } = opened
      await run(page)
      await world.subscribed(1)
      world.events.send({ changed: { upc: '1' } })
      await expect.poll(() => items(page).count(), PATIENTLY).toBe(1)
      await page.evaluate(AXE)
      const violations = await page.evaluate(async () => {
        const axe = Reflect.get(window, 'axe') as {
          run: (within: object) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
        }
        const found = await axe.run({ include: [['.controls'], ['.panel']] })
        return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
      })
      expect(violations).toEqual([])
      await page.close()
      await world.subscribed(0)
    }
  })
})
