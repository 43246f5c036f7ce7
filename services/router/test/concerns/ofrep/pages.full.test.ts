/** A page of another origin in a real browser, with the SDK and the provider as browsers load them. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { sep } from 'node:path'
import { chromiumAvailable, startChromium } from '@switchyard/testkit/chromium'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rollout, untilServed } from '../../support/rollouts.ts'
import { until } from '../../support/router.ts'
import { type Shop, startShop } from '../../support/shop.ts'
import { closeServer, listenOnFreePort } from '../../support/subgraph.ts'
import { ANN, flagsOf, serving } from './serving.ts'

const PROVIDER = packageOf('@openfeature/ofrep-web-provider', import.meta.url)
const SDK = packageOf('@openfeature/web-sdk', import.meta.url)
/** Modules by the names that they import each other by. */
const MODULES: Readonly<Record<string, string>> = {
  '@openfeature/core': `${packageOf('@openfeature/core', SDK)}dist/esm/index.js`,
  '@openfeature/ofrep-core': `${packageOf('@openfeature/ofrep-core', PROVIDER)}index.esm.js`,
  '@openfeature/ofrep-web-provider': `${PROVIDER}index.esm.js`,
  '@openfeature/web-sdk': `${SDK}dist/esm/index.js`,
}
const IMPORTS = Object.fromEntries(Object.keys(MODULES).map((name) => [name, `/${name}`]))
const PAGE = `<!doctype html><title>app</title><script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script>`

/**
 * What the page does: it keeps the values of the flag that it was told, in order. It may be told of an equal
 * value with another reason, where a rollout is taken back before its config is served.
 */
const SCRIPT = (url: string, user: string) => `
  import('@openfeature/web-sdk').then(async ({ OpenFeature, ProviderEvents }) => {
    const { OFREPWebProvider } = await import('@openfeature/ofrep-web-provider')
    const headers = [['X-User', ${JSON.stringify(user)}]]
    const options = { baseUrl: ${JSON.stringify(url)}, headers, cacheMode: 'disabled', pollInterval: 50 }
    const client = OpenFeature.getClient()
    window.told = []
    const look = () => {
      const value = client.getBooleanValue('next', false)
      if (value !== window.told.at(-1)) window.told.push(value)
    }
    client.addHandler(ProviderEvents.ConfigurationChanged, look)
    await OpenFeature.setProviderAndWait(new OFREPWebProvider(options))
    look()
  })`

describe.skipIf(!chromiumAvailable())('a page of another origin', () => {
  const stack = new AsyncDisposableStack()
  let shop: Shop
  let origin: string
  beforeAll(async () => {
    shop = stack.use(await startShop())
    const pages = createServer(({ url = '' }, response) => {
      const file = MODULES[url.slice(1)]
      response.writeHead(200, { 'content-type': file === undefined ? 'text/html' : 'text/javascript' })
      response.end(file === undefined ? PAGE : readFileSync(file))
    })
    const port = await listenOnFreePort(pages)
    stack.defer(() => closeServer(pages))
    origin = `http://127.0.0.1:${port}`
  })
  afterAll(() => stack.disposeAsync())

  it('polls with the tag that it was given, and sees a flag go off', async () => {
    const settings = `cors: { origins: ["${origin}"], allow_headers: [X-User] }`
    await using served = await serving(shop, [rollout()], { settings })
    const { router, world } = served
    const browser = await startChromium()
    try {
      const page = await (await browser.newContext()).newPage()
      const statuses: number[] = []
      page.on('response', (response) => {
        if (response.request().method() === 'POST') statuses.push(response.status())
      })
      await page.goto(origin)
      await page.evaluate(SCRIPT(router.url, ANN['x-user']))
      const told = () => page.evaluate<readonly boolean[]>('window.told')
      expect(await told()).toEqual([true])
      await until(() => statuses.filter((status) => status === 304).length >= 2, 'nothing has changed')
      await world.publish({
        revision: 2,
        base: shop.base,
        flags: flagsOf(shop),
        rollouts: [rollout({ percent: 0 })],
      })
      await untilServed(router, 2)
      await until(async () => (await told()).length > 1, 'the page hears of it')
      expect([await told(), statuses[0]]).toEqual([[true, false], 200])
    } finally {
      await browser.close()
    }
  })
})

/** Returns the folder of a package, as a file of another one finds it. */
function packageOf(name: string, from: string): string {
  const file = createRequire(from).resolve(name)
  const folder = `${sep}node_modules${sep}${name.replaceAll('/', sep)}${sep}`
  return file.slice(0, file.lastIndexOf(folder) + folder.length)
}
