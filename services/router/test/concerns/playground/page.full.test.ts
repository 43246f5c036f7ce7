/** The playground as people use it: the built page of a real router in a browser. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { openPage } from '@switchyard/playground'
import { PATIENTLY } from '@switchyard/testkit'
import { chromiumAvailable, startChromium } from '@switchyard/testkit/chromium'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildArtifact } from '../../support/artifacts.ts'
import { ConfigWorld } from '../../support/config-world.ts'
import { gatedWorld, type GatedWorld } from '../../support/gated-world.ts'
import { rollout, usersOf } from '../../support/rollouts.ts'
import { routerOn, type TestRouter } from '../../support/router.ts'
import { type Shop, startShop } from '../../support/shop.ts'
import { newTestKey, signed, type TestKey } from '../../tracing/trace-tokens.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const DEFERRED = '{ topProducts(first: 1) { upc ... @defer(label: "reviews") { reviews { body } } } version }'

type Opened = AsyncDisposable & { readonly page: Page; readonly complaints: readonly string[] }

describe.skipIf(!chromiumAvailable())('the playground', () => {
  const stack = new AsyncDisposableStack()
  let browser: Browser
  let shop: Shop
  let gated: GatedWorld
  let router: TestRouter
  beforeAll(async () => {
    // `make check` and `make test-full` build it.
    expect(openPage(), 'the page has been built: make playground').not.toBeNull()
    shop = stack.use(await startShop())
    const urls = { products: shop.products.url, next: shop.next.url, reviews: shop.reviews.url }
    gated = await gatedWorld(stack, urls)
    const settings = '{ dev_mode: true, base_path: /api, engine: { enable_defer: true } }'
    router = stack.use(await routerOn(gated.world, { settings }))
    await router.ready
    browser = await startChromium()
    stack.defer(() => browser.close())
  })
  afterAll(() => stack.disposeAsync())

  async function open(
    values: Readonly<Record<string, string>>,
    at = router,
    options: BrowserContextOptions = {},
  ): Promise<Opened> {
    const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options })
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(`${new URL('./', at.graphqlUrl).href}?${new URLSearchParams(values)}`)
    await page.locator('.graphiql-query-editor .view-line').first().waitFor()
    return { page, complaints, [Symbol.asyncDispose]: () => context.close() }
  }

  const run = (page: Page) => page.getByRole('button', { name: /Execute query/ }).click()
  const summary = (page: Page) => page.getByRole('status', { name: 'Answer' })
  /** Text of the answer's editor, which writes blanks that do not break. */
  const shown = async (page: Page) =>
    (await page.locator('.graphiql-response .view-lines').innerText()).replaceAll(/\s/g, '')
  const panel = (page: Page, name: string) => page.getByRole('button', { name: `Show ${name}` }).click()

  it('asks the base graph, with headers that somebody wrote, and complains about nothing', async () => {
    await using opened = await open({ query: '{ version header(name: "x-mine") }' })
    const { page, complaints } = opened
    await page.getByRole('button', { name: 'Headers', exact: true }).click()
    await page.locator('.graphiql-editor-tool .monaco-editor:visible').click()
    await page.keyboard.insertText('{ "X-Feature-Flag": "next" }')
    await run(page)
    await expect
      .poll(() => summary(page).textContent(), PATIENTLY)
      .toMatch(/^200 · answered by flag next · 1 part in /)
    // What was written is gone with the page: it may be a token.
    expect(await page.evaluate('JSON.stringify({ ...localStorage })')).not.toContain('X-Feature-Flag')
    expect(complaints).toEqual([])
  })

  it('asks the composition of a flag, and knows its schema', async () => {
    await using opened = await open({ query: '{ topProducts(first: 1) { discount } }' })
    const { page, complaints } = opened
    const complaint = page.locator('.graphiql-query-editor .squiggly-error')
    await complaint.first().waitFor()
    await run(page)
    await expect.poll(() => summary(page).textContent(), PATIENTLY).toMatch(/^4\d\d · answered by base/)
    await page.getByLabel('Composition').selectOption('next')
    await complaint.first().waitFor({ state: 'detached' })
    await run(page)
    await expect.poll(() => summary(page).textContent(), PATIENTLY).toMatch(/^200 · answered by flag next/)
    await expect.poll(() => shown(page), PATIENTLY).toContain('"discount":')
    expect(complaints.filter((text) => !text.includes('400'))).toEqual([])
  })

  it('offers the flags that are served at that moment, and says when the chosen one is gone', async () => {
    await using opened = await open({ query: '{ version }', flag: 'next' })
    const { page } = opened
    const picker = page.getByLabel('Composition')
    expect(await picker.locator('option').allTextContents()).toEqual(['base (no flag named)', 'flag next'])
    const base = gated.compose('base', shop.products.url)
    await gated.world.publish({ revision: 2, base })
    await expect
      .poll(async () => {
        await picker.focus()
        await page.getByRole('button', { name: /Execute query/ }).focus()
        return picker.locator('option').allTextContents()
      }, PATIENTLY)
      .toEqual(['base (no flag named)', 'flag next (not served: base answers)'])
    await run(page)
    await expect.poll(() => summary(page).textContent(), PATIENTLY).toMatch(/^200 · answered by base/)
    const flags = { next: gated.compose('next', shop.next.url) }
    await gated.world.publish({ revision: 3, base, flags })
    await expect
      .poll(async () => {
        await picker.focus()
        await page.getByRole('button', { name: /Execute query/ }).focus()
        return picker.locator('option').allTextContents()
      }, PATIENTLY)
      .toEqual(['base (no flag named)', 'flag next'])
  })

  it('shows deferred parts as they come', async () => {
    await using opened = await open({ query: DEFERRED })
    const { page, complaints } = opened
    await panel(page, 'Parts')
    const parts = page.getByRole('list', { name: 'Parts of the answer' }).getByRole('listitem')
    gated.gate.close()
    await run(page)
    // Reviews wait at the gate, and what does not need them is there.
    await expect.poll(() => summary(page).textContent(), PATIENTLY).toMatch(/1 part in .* more to come$/)
    await expect.poll(() => shown(page), PATIENTLY).toContain('"version":')
    expect(await shown(page)).not.toContain('"reviews":')
    expect(await parts.count()).toBe(1)
    gated.gate.open()
    await expect.poll(() => summary(page).textContent(), PATIENTLY).toMatch(/2 parts in [\d,]+ ms$/)
    await expect.poll(() => shown(page), PATIENTLY).toContain('"reviews":')
    expect(await parts.nth(1).innerText()).toMatch(/added 1 field, completed reviews$/)
    // What the second part added is lit.
    await expect
      .poll(() => page.locator('.panel .cm-added').allInnerTexts(), PATIENTLY)
      .toContain('        "reviews": [')
    await page.getByText('As it came').click()
    await page.getByText('"hasNext": false').waitFor()
    expect(await violationsIn(page, ['.operation-views'])).toEqual([])
    expect(complaints).toEqual([])
  })

  it('shows the plan of a traced operation, and how another composition answers', async () => {
    await using opened = await open({ query: '{ topProducts(first: 1) { upc } version }' })
    const { page, complaints } = opened
    await page.getByLabel('Trace', { exact: true }).check()
    await run(page)
    await panel(page, 'Plan')
    await page.getByRole('img', { name: /^Plan with 1 fetch/ }).waitFor()
    expect(await page.getByRole('list', { name: 'Fetches of the plan' }).innerText()).toMatch(
      /^products at root, .*waits for no other$/,
    )
    await panel(page, 'Compare')
    await page.getByLabel('Other composition').selectOption('next')
    await page.getByRole('button', { name: 'Compare', exact: true }).click()
    await page.getByText('The answers differ in 1 place.').waitFor()
    await page.getByRole('rowheader', { name: 'data.version' }).waitFor()
    expect(complaints).toEqual([])
  })

  it('stops a stream that nobody waits for', async () => {
    await using opened = await open({ query: DEFERRED })
    const { page } = opened
    gated.gate.close()
    await run(page)
    await expect.poll(() => summary(page).textContent(), PATIENTLY).toMatch(/more to come$/)
    await page.getByRole('button', { name: /Stop query/ }).click()
    await expect
      .poll(() => router.logs.findLast(({ event }) => event === 'request.answered'), PATIENTLY)
      .toMatchObject({ aborted: true })
    gated.gate.open()
  })

  it('has the page of a trace in it, as a panel and enlarged', async () => {
    await using opened = await open({ query: DEFERRED })
    const { page, complaints } = opened
    await page.getByLabel('Trace', { exact: true }).check()
    await run(page)
    await expect.poll(() => summary(page).textContent(), PATIENTLY).toMatch(/2 parts/)
    const rows = (within: string) =>
      page.locator(`${within} .switchyard-trace`).first().locator('[role=option]').allInnerTexts()
    await expect.poll(async () => (await rows('.panel')).join(' '), PATIENTLY).toMatch(/products[^]*reviews/)
    await page.getByRole('button', { name: 'Enlarge' }).click()
    expect((await rows('dialog[open]')).join(' ')).toMatch(/products[^]*reviews/)
    // The trace has its own page: the answer stays readable.
    expect(await shown(page)).not.toContain('"trace":')
    expect(complaints).toEqual([])
  })

  it('asks for a token where traces need one, and says so when there is none', async () => {
    const settings = 'playground: { enabled: true }'
    await using guarded = await routerOn(gated.world, { settings })
    await guarded.ready
    await using opened = await open({ query: '{ version }' }, guarded)
    const { page } = opened
    await page.getByLabel('Trace', { exact: true }).check()
    expect(await page.getByLabel('Trace token').getAttribute('type')).toBe('password')
    await run(page)
    await expect.poll(() => summary(page).textContent(), PATIENTLY).toMatch(/^200/)
    expect(await page.locator('.panel').innerText()).toContain('switchyard router trace-token')
    await page.getByLabel('Trace token').fill('garbage')
    await run(page)
    await expect.poll(() => summary(page).textContent(), PATIENTLY).toMatch(/^401/)
    await expect.poll(() => shown(page), PATIENTLY).toContain('TRACE_TOKEN_INVALID')
  })

  describe('another user', () => {
    let key: TestKey
    let locked: TestRouter
    beforeAll(async () => {
      key = await newTestKey('k1')
      const world = stack.use(await ConfigWorld.create())
      const where = [{ on: 'claim:plan', equals: 'staff' }]
      const rollouts = [
        rollout({ name: 'staff', percent: 100, key: [], where }),
        rollout({ name: 'users', key: ['cookie:visitor'] }),
      ]
      const flags = { next: shop.flag }
      const traceKeys = { keys: [key.publicJwk] }
      await world.publish({ revision: 1, base: shop.base, flags, rollouts, traceKeys })
      locked = stack.use(await routerOn(world, { settings: 'playground: { enabled: true }' }))
      await locked.ready
    })
    const token = () => {
      const now = Math.floor(Date.now() / 1000)
      return signed(key, { aud: 'default/shop', iat: now, exp: now + 60, jti: 'a' })
    }
    const opening = async (page: Page) => {
      await page.getByLabel('Trace', { exact: true }).check()
      await page.getByRole('button', { name: 'Try as another user' }).click()
    }
    const why = (page: Page) => page.locator('.panel .choice').first()

    it('is typed in, and the other composition answers with its reason', async () => {
      await using opened = await open({ query: '{ version }' }, locked)
      const { page, complaints } = opened
      await opening(page)
      await page.getByLabel('Trace token').fill(token())
      await page.getByLabel('Claims (JSON)').fill('{"sub": "ann", "plan": "staff"}')
      await run(page)
      await expect
        .poll(() => summary(page).textContent(), PATIENTLY)
        .toMatch(/^200 · answered by flag next, as for another user · /)
      expect(await why(page).innerText()).toContain(
        'The request gets feature flag "next", by rollout "staff".',
      )
      expect(await why(page).innerText()).toContain('with the claims sub: ann, plan: [redacted]')
      expect(await why(page).locator('ol > li').allInnerTexts()).toEqual([
        expect.stringContaining('claim:plan equals …: holds'),
      ])
      const { inside, outside } = usersOf(50, 1)
      await page.getByRole('button', { name: 'Clear' }).click()
      for (const [user, text] of [
        [inside[0], 'answered by flag next, as'],
        [outside[0], 'answered by base, as'],
      ]) {
        await page.getByLabel('Cookies').fill(`visitor=${user}`)
        await run(page)
        await expect.poll(() => summary(page).textContent(), PATIENTLY).toContain(text)
      }
      expect(await why(page).innerText()).toContain('since it is outside of rollout "users"')
      // What was typed is gone with the page.
      expect(await page.evaluate('JSON.stringify({ ...localStorage })')).not.toContain(outside[0])
      expect(complaints).toEqual([])
    })

    it('that cannot be read is told at its field, moves nothing, and is not sent', async () => {
      await using opened = await open({ query: '{ version }' }, locked)
      const { page } = opened
      const sent: string[] = []
      page.on('request', (request) => {
        if (request.method() === 'POST' && request.postData()?.includes('IntrospectionQuery') === false)
          sent.push(request.url())
      })
      await opening(page)
      await page.getByLabel('Trace token').fill(token())
      const top = async () => (await page.locator('.graphiql-container').boundingBox())?.y
      const before = await top()
      const claims = page.getByLabel('Claims (JSON)')
      await claims.fill('{"plan": staff}')
      expect(await claims.getAttribute('aria-invalid')).toBe('true')
      const described = await claims.getAttribute('aria-describedby')
      expect(await page.locator(`[id="${described}"]`).innerText()).toContain('This is no JSON object')
      expect(await top()).toBe(before)
      await run(page)
      await expect.poll(() => shown(page), PATIENTLY).toContain('theclaimsoftheotherusercannotberead')
      expect(sent).toEqual([])
    })

    it('is not sent without a token, and a flag that is chosen wins', async () => {
      await using opened = await open({ query: '{ version }' }, locked)
      const { page } = opened
      const sent: (string | undefined)[] = []
      page.on('request', (request) => {
        if (request.method() === 'POST') sent.push(request.headers()['x-vendor-trace-as'])
      })
      await opening(page)
      await page.getByLabel('Claims (JSON)').fill('{"plan": "staff"}')
      const panel = page.getByRole('region', { name: 'Try as another user' })
      expect(await panel.innerText()).toContain('Nothing of this is sent without a trace token.')
      await run(page)
      await expect.poll(() => summary(page).textContent(), PATIENTLY).toMatch(/^200 · answered by base · /)
      expect(new Set(sent)).toEqual(new Set([undefined]))
      await page.getByLabel('Trace token').fill(token())
      expect(await panel.innerText()).not.toContain('Nothing of this is sent')
      await page.getByLabel('Composition').selectOption('next')
      await run(page)
      await expect
        .poll(() => summary(page).textContent(), PATIENTLY)
        .toMatch(/^200 · answered by flag next for yourself, since you name a flag · /)
    })

    it('is chosen with the keyboard alone, and the page has nothing that axe complains about', async () => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await using opened = await open({ query: '{ version }' }, locked, { colorScheme, bypassCSP: true })
        const { page } = opened
        await page.getByLabel('Trace', { exact: true }).focus()
        await page.keyboard.press('Space')
        await page.keyboard.press('Tab')
        await page.keyboard.insertText(token())
        await page.keyboard.press('Tab')
        await page.keyboard.press('Enter')
        await page.keyboard.press('Tab')
        await page.keyboard.insertText('{"plan": "staff"')
        expect(await page.getByLabel('Claims (JSON)').inputValue()).toBe('{"plan": "staff"')
        expect(await violationsIn(page, ['.controls', '.stand-in'])).toEqual([])
        await page.keyboard.insertText('}')
        await run(page)
        await expect.poll(() => summary(page).textContent(), PATIENTLY).toContain('as for another user')
      }
    })
  })

  const alert = (page: Page) => page.locator('.notice[role=alert]')

  it('does not ask its router while it is hidden, and asks at once when it is shown', async () => {
    const context = await browser.newContext()
    await using _closed = { [Symbol.asyncDispose]: () => context.close() }
    await context.clock.install()
    const page = await context.newPage()
    let asked = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/playground/state.json')) asked++
    })
    await page.goto(new URL('./', router.graphqlUrl).href)
    await page.locator('.graphiql-query-editor .view-line').first().waitFor()
    // A browser without windows shows all its pages.
    const become = (state: 'hidden' | 'visible') =>
      page.evaluate(`
        Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' })
        document.dispatchEvent(new Event('visibilitychange'))`)
    const minuteLater = () => page.clock.fastForward(60_000)
    const before = asked
    await minuteLater()
    await expect.poll(() => asked, PATIENTLY).toBeGreaterThan(before)
    await become('hidden')
    await minuteLater()
    const atRest = asked
    for (let minute = 0; minute < 5; minute++) await minuteLater()
    expect(asked).toBe(atRest)
    await become('visible')
    await expect.poll(() => asked, PATIENTLY).toBe(atRest + 1)
    await minuteLater()
    await expect.poll(() => asked, PATIENTLY).toBeGreaterThan(atRest + 1)
  })

  it('says that its router does not answer, since when, and goes on when it is back', async () => {
    const first = await routerOn(gated.world, { settings: 'dev_mode: true' })
    let second: TestRouter | null = null
    try {
      await first.ready
      await using opened = await open({ query: '{ version }' }, first)
      const { page } = opened
      await run(page)
      await expect.poll(() => summary(page).textContent(), PATIENTLY).toMatch(/^200 · answered by base/)
      await first[Symbol.asyncDispose]()
      await expect
        .poll(() => alert(page).textContent(), PATIENTLY)
        .toMatch(/has not answered since \d+:\d\d:\d\d.*: there is no connection to it/)
      expect(await summary(page).textContent()).toMatch(/ · the router does not answer now$/)
      await run(page)
      await expect.poll(() => shown(page), PATIENTLY).toContain('routercannotbereached')
      expect(await shown(page)).not.toMatch(/stack|\.js:/)
      expect(await summary(page).textContent()).toMatch(/^no answer/)
      const { port } = first
      const settings = '{ dev_mode: true }'
      second = await routerOn(gated.world, { settings, change: (config) => ({ ...config, port }) })
      await alert(page).waitFor({ state: 'detached' })
      await run(page)
      await expect.poll(() => summary(page).textContent(), PATIENTLY).toMatch(/^200 · answered by base.*ms$/)
    } finally {
      await first[Symbol.asyncDispose]()
      await second?.[Symbol.asyncDispose]()
    }
  })

  it('says that no graph is served, how one is published, and learns the graph when it comes', async () => {
    await using world = await ConfigWorld.create()
    await using empty = await routerOn(world, { settings: 'dev_mode: true' })
    await using opened = await open({ query: '{ topProducts(first: 1) { nothing } }' }, empty)
    const { page } = opened
    const notice = await alert(page).innerText()
    expect(notice).toContain('No graph is served: ')
    expect(notice).toContain('switchyard subgraph publish ')
    await run(page)
    await expect
      .poll(() => summary(page).textContent(), PATIENTLY)
      .toMatch(/^503 · answered by no composition/)
    await expect.poll(() => shown(page), PATIENTLY).toContain('NOT_READY')
    const urls = { products: shop.products.url, reviews: shop.reviews.url }
    await world.publish({ revision: 1, base: buildArtifact('base', urls) })
    await alert(page).waitFor({ state: 'detached' })
    // The editor marks the unknown field: the page knows the schema.
    await page.locator('.graphiql-query-editor .squiggly-error').first().waitFor()
  })

  it('shows the whole start text in a narrow window, and says what the empty pane is for', async () => {
    await using opened = await open({})
    const { page } = opened
    await page.setViewportSize({ width: 900, height: 700 })
    const lines = page.locator('.graphiql-query-editor .view-line')
    await expect.poll(async () => (await lines.allInnerTexts()).join(' '), PATIENTLY).toMatch(/Ctrl-Enter/)
    const cut = `[...document.querySelectorAll('.graphiql-query-editor .view-line > span')]
      .filter((line) => line.getBoundingClientRect().right >
        document.querySelector('.graphiql-query-editor').getBoundingClientRect().right)
      .map((line) => line.textContent)`
    await expect.poll(() => page.evaluate(cut), PATIENTLY).toEqual([])
    const pane = page.getByText('The answer appears here when an operation has been run.')
    expect(await pane.isVisible()).toBe(true)
    await run(page)
    await pane.waitFor({ state: 'detached' })
  })
})

/** Returns the complaints of axe about these places of the page. */
async function violationsIn(page: Page, places: readonly string[]): Promise<readonly string[]> {
  await page.evaluate(AXE)
  return page.evaluate(
    async (include) => {
      const axe = Reflect.get(window, 'axe') as {
        run: (within: object) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
      }
      const found = await axe.run({ include })
      return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
    },
    places.map((place) => [place]),
  )
}
