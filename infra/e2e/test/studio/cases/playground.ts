/** Studio's playground: operations that the router of the machine answers, and others that nobody does. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type HttpSubgraph, isLongRun, PATIENTLY, serveSubgraph } from '@switchyard/testkit'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  expectAccessible,
  expectNoSidewaysScrolling,
  picture,
  SCHEMES,
  type StudioWorld,
} from '../studio-world.ts'

const PAGE = '/ns/default/graphs/shop/playground'
/** The products and reviews of the shop, with a price that its flag has. */
const PRODUCTS =
  'type Query { products: [Product!]! } type Product @key(fields: "id") { id: ID! name: String! }'
const PRICES = PRODUCTS.replace('name: String!', 'name: String! price: Int!')
const REVIEWS = 'type Product @key(fields: "id") { id: ID! reviews: [String!]! }'
const QUERY = '{ products { name ... @defer(label: "opinions") { reviews } } }'
const HOSTILE = '<img src=x onerror="document.title=\'taken\'"> \u202egnp\u202c \u0007 </script>'

/** Real subgraphs. Reviews wait until they are let go. */
async function startSubgraphs() {
  const opened = new Set<() => void>()
  const items = [
    { id: '1', name: 'Chair', price: 3 },
    { id: '2', name: 'Table', price: 7 },
  ]
  await using stack = new AsyncDisposableStack()
  const products = (sdl: string, shown = items) =>
    serveSubgraph({ sdl, resolvers: { Query: { products: () => shown } } })
  let isHeld = false
  const held = () => (isHeld ? new Promise<void>((resolve) => void opened.add(resolve)) : Promise.resolve())
  const subgraphs: Record<string, HttpSubgraph> = {
    products: stack.use(await products(PRODUCTS)),
    'products-prices': stack.use(
      await products(PRICES, [{ id: '1', name: 'Armchair', price: 3 }, ...items.slice(1)]),
    ),
    reviews: stack.use(
      await serveSubgraph({
        sdl: REVIEWS,
        resolvers: {
          Product: {
            __resolveReference: (reference: object) => reference,
            reviews: async () => {
              const said = isHeld ? `good ${HOSTILE}` : 'good to sit on'
              await held()
              return [said]
            },
          },
        },
      }),
    ),
  }
  const owned = stack.move()
  return {
    subgraphs,
    hold: () => {
      isHeld = true
    },
    letGo: () => {
      isHeld = false
      for (const open of opened) open()
      opened.clear()
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

async function write(page: Page, query: string): Promise<void> {
  const editor = page.getByRole('textbox', { name: 'Operation', exact: true })
  await editor.waitFor()
  await editor.focus()
  await page.keyboard.press('ControlOrMeta+A')
  await page.evaluate((text) => {
    const data = new DataTransfer()
    data.setData('text/plain', text)
    const host = document.querySelector('.code-text')?.shadowRoot?.querySelector('.cm-content')
    host?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  }, query)
}

const answerOf = (page: Page, name: string) => page.getByRole('region', { name: `Answer of ${name}` })

export function playground(current: () => StudioWorld): void {
  describe('the playground', () => {
    let world: StudioWorld
    let shop: Awaited<ReturnType<typeof startSubgraphs>>
    beforeAll(async () => {
      world = current()
      shop = await startSubgraphs()
      for (const [name, { url }] of Object.entries(shop.subgraphs))
        await world.write('PATCH', `subgraphs/default/${name}`, { routingUrl: url })
      await vi.waitFor(
        async () => expect(await world.request('{ products { name reviews } }', 'tests')).toContain('good'),
        PATIENTLY,
      )
    })
    afterAll(() => shop?.[Symbol.asyncDispose]())

    it.each(SCHEMES)('runs an operation, and shows its parts on a line of time, in %s', async (scheme) => {
      await using visited = await world.visit(PAGE, { scheme })
      const { page, complaints } = visited
      await page.getByRole('textbox', { name: 'Operation', exact: true }).waitFor()
      await expectAccessible(page)
      shop.hold()
      await write(page, QUERY)
      // It was printed in lines, and is run by the keyboard.
      await expect.poll(() => page.locator('.cm-line').allInnerTexts(), PATIENTLY).toContain('  products {')
      await page.keyboard.press('ControlOrMeta+Enter')
      const answer = answerOf(page, 'base')
      await answer.getByText(/answered by base · 1 part in .*, more to come/).waitFor()
      await answer.getByText('"name": "Chair"').waitFor()
      expect(await answer.getByText('"reviews"').count()).toBe(0)
      shop.letGo()
      await answer.getByRole('button', { name: /added 2 fields, completed opinions/ }).waitFor()
      await expect
        .poll(() => answer.locator('.cm-added').allInnerTexts(), PATIENTLY)
        .toContain('        "reviews": [')
      expect(await page.locator('img[src]').count()).toBe(0)
      // The first part is lit when it is chosen.
      await answer.getByRole('button', { name: /the first part/ }).press('Enter')
      await expect
        .poll(() => answer.locator('.cm-added').allInnerTexts(), PATIENTLY)
        .toContain('        "name": "Chair",')
      await answer.getByText('As it came').click()
      await answer.getByText('"hasNext": false').waitFor()
      expect(await answer.innerText()).toContain('⟨202e⟩')
      await expectAccessible(page)
      await answer.getByText('As it came').click()
      // The address has the operation, and opening it runs nothing.
      expect(new URLSearchParams(new URL(page.url()).hash.slice(1)).get('query')).toContain('@defer')
      await page.reload()
      await page.getByText('products {').waitFor()
      expect(await answer.count()).toBe(0)
      await expectNoSidewaysScrolling(page)
      expect(complaints).toEqual([])
    })

    it('shows two answers with their difference, their plans and their traces', async () => {
      await using visited = await world.visit(PAGE)
      const { page, complaints } = visited
      await write(page, QUERY)
      await page.getByLabel('Compare with another').check()
      await page.getByLabel('Plan and trace').check()
      await expect.poll(() => page.getByLabel('Other composition').inputValue()).toBe('flag:prices')
      await page.getByRole('button', { name: 'Run' }).click()
      await answerOf(page, 'flag prices')
        .getByText(/answered by flag prices · [23] parts/)
        .waitFor()
      const difference = page.getByRole('region', { name: 'Difference', exact: true })
      await difference.getByText('The answers differ in 1 place.').waitFor()
      await difference.getByRole('row', { name: /data\.products\.0\.name "Chair" "Armchair"/ }).waitFor()
      const plan = page.getByRole('region', { name: 'Plan of base' })
      await plan.getByRole('img', { name: /^Plan with 2 fetches/ }).waitFor()
      expect(await plan.getByRole('listitem').allInnerTexts()).toEqual([
        expect.stringMatching(/^products at root, .*waits for no other$/),
        expect.stringMatching(/^reviews at products\.@, .*waits for 1, deferred: opinions$/),
      ])
      await page.getByRole('heading', { name: 'Two traces compared' }).waitFor()
      await expectAccessible(page)
      await picture(page, 'playground', 1_500)
      await expectNoSidewaysScrolling(page)
      // The token was for this run: nothing of it is left.
      expect(
        await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href])'),
      ).not.toMatch(/eyJ/)
      expect(complaints).toEqual([])
    })

    it.runIf(isLongRun())(
      'completes names by the schema of the composition, and says what is wrong',
      async () => {
        await using visited = await world.visit(PAGE)
        const { page, complaints } = visited
        await page.getByRole('combobox', { name: 'Composition', exact: true }).selectOption('flag:prices')
        await write(page, '{ products { pric } }')
        await page.locator('.cm-lintRange-error').waitFor()
        await page.getByText('    pric', { exact: true }).click()
        await page.keyboard.press('End')
        await page.keyboard.press('Control+Space')
        await page.getByRole('option', { name: /^price/ }).click()
        await page.getByText('    price', { exact: true }).waitFor()
        await page.getByLabel('Variables, as JSON').fill('{')
        await page.getByRole('button', { name: 'Run' }).click()
        await page.getByRole('alert').getByText('The variables are no JSON').waitFor()
        await page.getByLabel('Variables, as JSON').fill('')
        await write(page, '{ products { price } }')
        await page.getByRole('button', { name: 'Run' }).click()
        await answerOf(page, 'flag prices').getByText('"price": 3').waitFor()
        expect(complaints).toEqual([])
      },
    )

    it('gives the command where nobody said where the routers are', async () => {
      await using visited = await world.visit('/ns/default/graphs/payments/playground')
      const { page, complaints } = visited
      await write(page, '{ invoice }')
      const commands = page.getByRole('group', { name: 'Command' })
      await commands.getByText(/graph update payments --public-url/).waitFor()
      await commands.getByText(/^curl -sN http:\/\/localhost:4000\/graphql .*invoice/).waitFor()
      expect(await page.getByRole('button', { name: 'Run' }).count()).toBe(0)
      await expectAccessible(page)
      await expectNoSidewaysScrolling(page)
      expect(complaints.filter((one) => !one.includes('404'))).toEqual([])
    })

    it.runIf(isLongRun()).each<[string, RequestListener | null, RegExp]>([
      ['lets no page read its answer', (_, response) => response.end('{}'), /does not let this page read/],
      ['is not there', null, /Nobody answers at/],
      ['is no router', allowing((_, response) => response.end(`<html>${HOSTILE}`)), /is not one of GraphQL/],
      [
        'never ends',
        allowing((_, response) => {
          response.writeHead(200, { 'content-type': 'multipart/mixed; boundary="-"' })
          response.write(
            `\r\n---\r\ncontent-type: application/json\r\n\r\n{"data":{},"hasNext":true}\r\n---\r\n`,
          )
        }),
        /more to come/,
      ],
      [
        'answers without an end to its size',
        allowing((request, response) => {
          response.writeHead(200, { 'content-type': 'application/json' })
          const more = () => {
            while (!response.destroyed && response.write('a'.repeat(65_536))) continue
          }
          response.on('drain', more)
          request.on('close', () => response.destroy())
          more()
        }),
        /The answer has more than 8 MiB/,
      ],
    ])('says what it means when something at the public URL %s', async (_, listener, said) => {
      const server = createServer(listener ?? undefined).listen(0, '127.0.0.1')
      await new Promise((resolve) => server.once('listening', resolve))
      const { port } = server.address() as AddressInfo
      if (listener === null) server.close()
      await world.write('PATCH', 'graphs/default/payments', { publicUrl: `http://127.0.0.1:${port}/graphql` })
      try {
        await using visited = await world.visit('/ns/default/graphs/payments/playground')
        const { page } = visited
        await page.getByRole('textbox', { name: 'Operation', exact: true }).waitFor()
        await page.getByRole('button', { name: 'Run' }).click()
        await answerOf(page, 'base').getByText(said).first().waitFor()
        expect(await page.locator('img[src]').count()).toBe(0)
        if (String(said) !== '/more to come/') return
        await page.getByRole('button', { name: 'Stop' }).press('Enter')
        await answerOf(page, 'base').getByText('You stopped it.').waitFor()
      } finally {
        await world.write('PATCH', 'graphs/default/payments', { publicUrl: null })
        server.closeAllConnections()
        server.close()
      }
    })

    it.runIf(isLongRun())('asks to be loaded again if it is older than the URL', async () => {
      await using visited = await world.visit('/ns/default/graphs/payments/playground')
      const { page } = visited
      await world.write('PATCH', 'graphs/default/payments', { publicUrl: 'http://127.0.0.1:9/graphql' })
      await page.getByRole('button', { name: 'Run' }).click()
      await page.getByRole('button', { name: 'Load the page again' }).waitFor()
      await world.write('PATCH', 'graphs/default/payments', { publicUrl: null })
    })
  })
}

/** Lets pages of every origin ask, and read what the listener answers. */
function allowing(listener: RequestListener): RequestListener {
  return (request, response) => {
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', 'content-type, accept, x-feature-flag')
    if (request.method === 'OPTIONS') response.end()
    else listener(request, response)
  }
}
