/** The setting of stories: a system of real processes, the shop that it serves, and a browser with Studio. */
import { PATIENTLY, waitFor } from '@switchyard/testkit'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import {
  type Constellation,
  openShop,
  query,
  type Shop,
  startEmbedded,
  startOnRealServers,
  variantOf,
  waitForReady,
} from '../../../src/index.ts'
import { StudioBrowser } from '../studio-browser.ts'

export type StoryWorld = AsyncDisposable & {
  readonly system: Constellation
  readonly shop: Shop
  readonly browser: StudioBrowser
}

/** Lets everybody trace. */
const ROUTER_SETTINGS = 'engine: { force_unauthenticated_request_tracing: true }\n'
const SESSIONS = { SWITCHYARD_SESSION_KEY: 's'.repeat(32) }

/** One process on embedded storage. */
export function startAlone(): Promise<StoryWorld> {
  return openWorld(() => startEmbedded({ routerSettings: ROUTER_SETTINGS }))
}

/** A process for each service, two of most, on NATS and Redis. */
export function startApart(): Promise<StoryWorld> {
  return openWorld(() =>
    startOnRealServers({
      routerSettings: ROUTER_SETTINGS,
      registries: 2,
      optionsOf: (program) => (program.startsWith('registry') ? { environment: SESSIONS } : {}),
    }),
  )
}

async function openWorld(start: () => Promise<Constellation>): Promise<StoryWorld> {
  await using stack = new AsyncDisposableStack()
  const shop = stack.use(await openShop())
  const system = stack.use(await start())
  const browser = stack.use(await StudioBrowser.start(system.registryUrls[0] ?? '', system.apiKey))
  const opened = stack.move()
  return { system, shop, browser, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** Gives a command by the last registry, so that others have to tell the one whose page is open. */
export async function command(
  { system }: Pick<StoryWorld, 'system'>,
  method: string,
  path: string,
  body: object,
): Promise<void> {
  const registry = system.registryUrls.length - 1
  const reply = await system.manage(method, `/v1/${path}`, body, { registry })
  expect(reply.status, `${method} ${path}: ${JSON.stringify(reply.body)}\n${system.report()}`).toBeLessThan(
    300,
  )
}

export const SUBGRAPHS = ['catalogue', 'stock', 'reviews', 'users'] as const

/** Publishes what the stories begin with: four subgraphs, and an enabled flag that replaces two of them. */
export async function publish(world: StoryWorld): Promise<void> {
  const { shop } = world
  await command(world, 'POST', 'graphs/default', { name: 'shop' })
  for (const name of SUBGRAPHS) await publishSchema(world, name, shop[name].sdl)
  await publishFlag(world)
}

export async function publishFlag(world: StoryWorld): Promise<void> {
  const { shop, system } = world
  for (const [name, subgraph] of [
    ['catalogue', shop.catalogueNext],
    ['stock', shop.stockNext],
  ] as const) {
    await command(world, 'POST', 'feature-subgraphs/default', {
      name: `${name}-next`,
      routingUrl: subgraph.url,
      subgraph: name,
    })
    await command(world, 'PUT', `subgraphs/default/${name}-next/schema`, { sdl: subgraph.sdl })
  }
  await command(world, 'POST', 'feature-flags/default', {
    name: 'next',
    featureSubgraphs: ['catalogue-next', 'stock-next'],
    enabled: true,
  })
  for (const url of system.routerUrls) await waitForReady(system, url)
  await everyRouterAnswers(world, 'next', { 'x-feature-flag': 'next' })
}

export function publishSchema(
  world: StoryWorld,
  name: (typeof SUBGRAPHS)[number],
  sdl: string,
): Promise<void> {
  return command(world, 'PUT', `subgraphs/default/${name}/schema`, {
    sdl,
    routingUrl: world.shop[name].url,
  })
}

/** Waits until each router answers so. */
export async function everyRouterAnswers(
  { system }: StoryWorld,
  variant: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  for (const url of system.routerUrls)
    await waitFor(`${url} to answer ${variant}`, async () => {
      const got = variantOf(await query(url, headers))
      if (got !== variant) throw new Error(`${got}\n${system.report()}`)
      return true
    })
}

/** Presses a button that asks first, and says yes. Returns when it was done. */
export async function confirm(page: Page, button: string, said: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).first().click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByText(said).first().waitFor()
  await dialog.getByRole('button', { name: button, exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}

/** The text of a number of routers of the system, as pages have it: `on 2 of 2 routers`. */
export function routersText({ system: { routerUrls } }: StoryWorld, serving: number): string {
  return `${serving} of ${routerUrls.length} routers`
}

/** Waits for a text of a part of the page, which has to come without anybody touching the page. */
export async function comes(part: Locator, text: string | RegExp): Promise<void> {
  await part.getByText(text).first().waitFor({ timeout: PATIENTLY.timeout })
}
