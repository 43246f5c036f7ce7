/**
 * The guard against forged requests, in a real browser: pages of other origins make it send queries, with the
 * cookie that it keeps for the router and without one.
 */
import { createServer } from 'node:http'
import { chromiumAvailable, startChromium } from '@switchyard/testkit/chromium'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LogLine, type TestRouter, until } from '../../support/router.ts'
import type { Shop } from '../../support/shop.ts'
import { startShopRouter } from '../../support/shop-router.ts'
import { closeServer, listenOnFreePort } from '../../support/subgraph.ts'

type Browser = Awaited<ReturnType<typeof startChromium>>

const element = (tag: string, attributes: string) =>
  `const made = document.createElement('${tag}'); Object.assign(made, ${attributes}); document.body.append(made)`
const SIMPLE_HEADERS = `{ accept: 'application/json', 'accept-language': 'en', 'content-language': 'en', 'content-type': 'text/plain', range: 'bytes=0-9' }`

/** Scripts of a page that need nobody's permission; `url` asks the router a query. */
const WAYS: readonly (readonly [how: string, script: string])[] = [
  ['an image', element('img', '{ src: url }')],
  ['a script', element('script', '{ src: url }')],
  ['a style sheet', element('link', `{ rel: 'stylesheet', href: url }`)],
  ['a prefetched link', element('link', `{ rel: 'prefetch', href: url }`)],
  ['a frame', element('iframe', '{ src: url }')],
  ['an object', element('object', '{ data: url }')],
  ['a video', element('video', `{ src: url, preload: 'auto' }`)],
  ['fetch in the mode no-cors', `fetch(url, { mode: 'no-cors', credentials: 'include' }).catch(() => {})`],
  [
    'fetch with all headers that need no permission',
    `fetch(url, { credentials: 'include', headers: ${SIMPLE_HEADERS} }).catch(() => {})`,
  ],
  [
    'XMLHttpRequest',
    `const request = new XMLHttpRequest(); request.withCredentials = true; request.open('GET', url); request.send()`,
  ],
  [
    'an event source',
    `new EventSource(url, { withCredentials: true }).onerror = ({ target }) => target.close()`,
  ],
  ['a link', element('a', '{ href: url }') + '; made.click()'],
  [
    'a form',
    element('form', `{ method: 'GET', action: url.split('?')[0], innerHTML: '<input name="query">' }`) +
      `; made.querySelector('input').value = '{ topProducts { upc } }'; made.submit()`,
  ],
]

describe.skipIf(!chromiumAvailable())('a page of another origin', () => {
  const stack = new AsyncDisposableStack()
  let shop: Shop
  let router: TestRouter
  let browser: Browser
  let pagePort: number
  beforeAll(async () => {
    ;({ shop, router } = stack.use(await startShopRouter()))
    const pages = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>evil</title><body>')
    })
    pagePort = await listenOnFreePort(pages)
    stack.defer(() => closeServer(pages))
    browser = await startChromium()
    stack.defer(() => browser.close())
  })
  afterAll(() => stack.disposeAsync())

  /** What the router logged of the first request that the script caused. */
  async function attack(script: string, cookie: boolean, host = '127.0.0.1'): Promise<LogLine> {
    const context = await browser.newContext()
    try {
      if (cookie)
        await context.addCookies([{ name: 'session', value: '1', url: router.url, sameSite: 'Lax' }])
      const page = await context.newPage()
      await page.goto(`http://${host}:${pagePort}/`)
      const url = `${router.graphqlUrl}?query=${encodeURIComponent('{ topProducts { upc } }')}`
      router.logs.length = 0
      await page.evaluate(`{ const url = ${JSON.stringify(url)}; ${script} }`)
      return await until(() => router.logs.find(({ event }) => event === 'request.answered'), script)
    } finally {
      await context.close()
    }
  }

  it.each(WAYS)('causes nothing with a cookie by %s', async (_how, script) => {
    const calls = shop.products.requests.length
    expect(await attack(script, true)).toMatchObject({ method: 'GET', status: 403, code: 'CSRF_PREVENTED' })
    expect(shop.products.requests.length).toBe(calls)
  })

  it.each(WAYS)('causes by %s without a cookie what anybody could', async (_how, script) => {
    // An event source accepts nothing that a query is answered with.
    const status = script.includes('EventSource') ? 406 : 200
    expect(await attack(script, false)).toMatchObject({ method: 'GET', status })
  })

  it.each(WAYS.slice(-2))(
    'of another site causes nothing with the cookie that the browser adds to %s',
    async (_how, script) => {
      expect(await attack(script, true, 'localhost')).toMatchObject({ status: 403, code: 'CSRF_PREVENTED' })
    },
  )

  it('cannot add a header that would pass without asking the router first', async () => {
    const calls = shop.products.requests.length
    const headers = `{ 'apollo-require-preflight': 'true' }`
    const script = `fetch(url, { credentials: 'include', headers: ${headers} }).catch(() => {})`
    expect(await attack(script, true)).toMatchObject({ method: 'OPTIONS', status: 405 })
    expect(shop.products.requests.length).toBe(calls)
  })
})
