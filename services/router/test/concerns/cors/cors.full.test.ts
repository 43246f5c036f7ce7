/** What pages of other origins may do, in a real browser: those that the settings name, and others. */
import { createServer } from 'node:http'
import { chromiumAvailable, startChromium } from '@switchyard/testkit/chromium'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFERRING, gatedWorld, type GatedWorld } from '../../support/gated-world.ts'
import { routerOn, type TestRouter } from '../../support/router.ts'
import { type Shop, startShop } from '../../support/shop.ts'
import { closeServer, listenOnFreePort } from '../../support/subgraph.ts'

const QUERY = JSON.stringify({ query: '{ version }' })
const DEFERRED = JSON.stringify({
  query: '{ topProducts(first: 1) { upc ... @defer { reviews { body } } } }',
})

/** What a page saw of an answer. null: its browser kept the answer from it. */
type Seen = {
  readonly status: number
  readonly text: string
  readonly flag: string | null
  readonly requestId: string | null
} | null

describe.skipIf(!chromiumAvailable())('a page of another origin', () => {
  const stack = new AsyncDisposableStack()
  let browser: Browser
  let gated: GatedWorld
  let shop: Shop
  /** Where a page is that the settings name, and where one that they do not. */
  let named: string
  let other: string
  beforeAll(async () => {
    shop = stack.use(await startShop())
    const urls = { products: shop.products.url, next: shop.next.url, reviews: shop.reviews.url }
    gated = await gatedWorld(stack, urls)
    ;[named, other] = [await servePages(), await servePages()]
    browser = await startChromium()
    stack.defer(() => browser.close())
  })
  afterAll(() => stack.disposeAsync())

  async function servePages(): Promise<string> {
    const pages = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>app</title>')
    })
    const port = await listenOnFreePort(pages)
    stack.defer(() => closeServer(pages))
    return `http://127.0.0.1:${port}`
  }

  async function routerWith(cors: string): Promise<TestRouter> {
    const router = await routerOn(gated.world, { settings: `{ cors: ${cors}, ${DEFERRING} }` })
    await router.ready
    return router
  }

  /** What the script of a page at `origin` sees of a `fetch` of the router with these options. */
  async function ask(router: TestRouter, origin: string, options: object, cookie = false): Promise<Seen> {
    const context = await browser.newContext()
    try {
      if (cookie)
        await context.addCookies([{ name: 'feature_flag', value: 'next', url: router.url, sameSite: 'Lax' }])
      const page = await context.newPage()
      await page.goto(origin)
      const script = `fetch(${JSON.stringify(router.graphqlUrl)}, ${JSON.stringify({ method: 'POST', ...options })})
        .then(async (answer) => ({
          status: answer.status,
          text: await answer.text(),
          flag: answer.headers.get('x-feature-flag'),
          requestId: answer.headers.get('x-request-id'),
        }), () => null)`
      return await page.evaluate(script)
    } finally {
      await context.close()
    }
  }
  const JSON_BODY = { headers: { 'content-type': 'application/json' }, body: QUERY }
  const WITH_FLAG = {
    headers: { 'content-type': 'application/json', 'X-Feature-Flag': 'next' },
    body: QUERY,
  }

  it('sees nothing, and asks nothing, unless the settings name its origin', async () => {
    await using router = await routerWith(`{ origins: ["${named}"] }`)
    const calls = shop.products.requests.length
    expect(await ask(router, other, JSON_BODY)).toBeNull()
    expect(shop.products.requests.length).toBe(calls)
    expect(await ask(router, named, JSON_BODY)).toMatchObject({ status: 200 })
  })

  it('sees nothing of a router that names no origin', async () => {
    await using router = await routerWith('{}')
    expect(await ask(router, named, JSON_BODY)).toBeNull()
  })

  it('may name a flag, and learns which one answered', async () => {
    await using router = await routerWith(`{ origins: ["${named}"] }`)
    const seen = await ask(router, named, WITH_FLAG)
    expect(seen).toMatchObject({ status: 200, flag: 'next' })
    expect(seen?.requestId).not.toBeNull()
    // The browser keeps the flag of the one from the other.
    expect(await ask(router, named, JSON_BODY)).toMatchObject({ status: 200, flag: null })
  })

  it('sends no header that the settings do not allow', async () => {
    await using router = await routerWith(`{ origins: ["${named}"] }`)
    await using allowing = await routerWith(`{ origins: ["${named}"], allow_headers: [X-Tenant] }`)
    const tenant = { headers: { 'content-type': 'application/json', 'X-Tenant': 'a' }, body: QUERY }
    expect(await ask(router, named, tenant)).toBeNull()
    expect(await ask(allowing, named, tenant)).toMatchObject({ status: 200 })
  })

  it('gets an answer to cookies only where the settings say so', async () => {
    await using router = await routerWith(`{ origins: ["${named}"] }`)
    await using trusting = await routerWith(`{ origins: ["${named}"], credentials: true }`)
    const withCookies = { ...JSON_BODY, credentials: 'include' }
    expect(await ask(router, named, withCookies, true)).toBeNull()
    expect(await ask(trusting, named, withCookies, true)).toMatchObject({ status: 200, flag: 'next' })
    expect(await ask(trusting, other, withCookies, true)).toBeNull()
  })

  it('may be any, without cookies, where the settings say *', async () => {
    await using router = await routerWith('{ origins: ["*"] }')
    expect(await ask(router, other, WITH_FLAG)).toMatchObject({ status: 200, flag: 'next' })
    expect(await ask(router, other, { ...JSON_BODY, credentials: 'include' }, true)).toBeNull()
  })

  it('reads the parts of a deferred answer, and errors', async () => {
    await using router = await routerWith(`{ origins: ["${named}"] }`)
    const headers = { 'content-type': 'application/json', accept: 'multipart/mixed' }
    const streamed = await ask(router, named, { headers, body: DEFERRED })
    expect(streamed?.text.match(/"hasNext":/g)).toHaveLength(2)
    const refused = await ask(router, named, { ...JSON_BODY, body: '{' })
    expect(refused).toMatchObject({ status: 400, text: expect.stringContaining('errors') })
  })
})
