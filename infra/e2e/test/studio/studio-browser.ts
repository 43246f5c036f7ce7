/** A browser in which people open pages of Studio. */
import { PATIENTLY } from '@switchyard/testkit'
import { startChromium } from '@switchyard/testkit/chromium'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'

/**
 * Chromium cuts requests off when an interface of the machine comes or goes, as with containers that other
 * tests start. Pages ask again.
 */
const NETWORK_CHANGED = 'net::ERR_NETWORK_CHANGED'

export type Visit = {
  readonly scheme?: 'light' | 'dark'
  readonly width?: number
  /** Lacks what some browsers lack. */
  readonly withoutSharedWorkers?: boolean
}

export type Visited = AsyncDisposable & {
  readonly page: Page
  /** Errors and warnings of the console, and errors that nobody caught. */
  readonly complaints: readonly string[]
}

type SignedIn = Awaited<ReturnType<BrowserContext['storageState']>>

export class StudioBrowser implements AsyncDisposable {
  readonly #browser: Browser
  readonly #url: string
  readonly #key: string
  #signedIn: SignedIn | undefined

  private constructor(browser: Browser, url: string, key: string) {
    this.#browser = browser
    this.#url = url
    this.#key = key
  }

  /** Starts a browser for the registry at `url`, where people sign in with this API key. */
  static async start(url: string, key: string): Promise<StudioBrowser> {
    return new StudioBrowser(await startChromium(), url, key)
  }

  /** Opens a page of Studio as somebody who has signed in. */
  async visit(path: string, visit: Visit = {}): Promise<Visited> {
    this.#signedIn ??= await this.#signIn()
    return this.#open(await this.#context(visit, this.#signedIn), path)
  }

  /** Opens a page as somebody who has no session. */
  async visitAsStranger(path: string, visit: Visit = {}): Promise<Visited> {
    return this.#open(await this.#context(visit), path)
  }

  /** Signs in with an API key, as people do. */
  async signIn(page: Page, key = this.#key): Promise<void> {
    await page.getByLabel('API key', { exact: true }).fill(key)
    await page.keyboard.press('Enter')
  }

  async #signIn(): Promise<SignedIn> {
    await using visited = await this.visitAsStranger('/')
    await this.signIn(visited.page)
    await visited.page.getByRole('heading', { name: 'Home' }).waitFor()
    const state = await visited.page.context().storageState()
    return state
  }

  async #context(visit: Visit, storageState?: SignedIn): Promise<BrowserContext> {
    const { scheme = 'light', width = 1280, withoutSharedWorkers = false } = visit
    const context = await this.#browser.newContext({
      ...(storageState === undefined ? {} : { storageState }),
      viewport: { width, height: 900 },
      colorScheme: scheme,
      reducedMotion: 'reduce',
    })
    if (withoutSharedWorkers) await context.addInitScript('delete globalThis.SharedWorker')
    return context
  }

  async #open(context: BrowserContext, path: string): Promise<Visited> {
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => {
      const isGrave = message.type() === 'error' || message.type() === 'warning'
      if (isGrave && !message.text().includes(NETWORK_CHANGED)) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(`${this.#url}/studio${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await settled(page)
    return { page, complaints, [Symbol.asyncDispose]: () => context.close() }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close()
  }
}

/** Waits until nothing on the page is being read. */
async function settled(page: Page): Promise<void> {
  await expect.poll(() => page.locator('.waiting').count(), PATIENTLY).toBe(0)
}
