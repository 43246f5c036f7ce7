/** A machine with Studio on it, and a browser in which people open its pages. */
import { readFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CommandOutcome } from '@switchyard/contracts'
import { createLogger } from '@switchyard/service-kit'
import { type Standalone, startStandalone } from '@switchyard/standalone'
import { isLongRun, PATIENTLY, temporaryDirectory } from '@switchyard/testkit'
import { startChromium } from '@switchyard/testkit/chromium'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const PICTURES = fileURLToPath(new URL('../../../../docs/pictures/', import.meta.url))
/** Set to write the pictures of docs/studio.md anew. */
const WRITES_PICTURES = process.env['SWITCHYARD_WRITE_PICTURES'] === '1'

/**
 * Chromium cuts requests off when an interface of the machine comes or goes, as with containers that other
 * tests start. Pages ask again.
 */
const NETWORK_CHANGED = 'net::ERR_NETWORK_CHANGED'

/** The schemes in which pages are looked at: in dark only some of them, but for long runs. */
export const SCHEMES: readonly ('light' | 'dark')[] = isLongRun() ? ['light', 'dark'] : ['light']

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

export class StudioWorld implements AsyncDisposable {
  readonly #stack: AsyncDisposableStack
  readonly #browser: Browser
  readonly #dataDir: string
  readonly #key: string
  readonly url: string
  #machine: Standalone
  #signedIn: SignedIn | undefined

  private constructor(
    stack: AsyncDisposableStack,
    browser: Browser,
    machine: Standalone,
    dataDir: string,
    key: string,
  ) {
    this.#stack = stack
    this.#browser = browser
    this.#machine = machine
    this.#dataDir = dataDir
    this.url = machine.registryUrl
    this.#key = key
  }

  static async start(): Promise<StudioWorld> {
    await using stack = new AsyncDisposableStack()
    const folder = stack.use(await temporaryDirectory())
    const dataDir = join(folder.path, 'data')
    const machine = await startMachine(dataDir, 0)
    await using started = new AsyncDisposableStack()
    started.use(machine)
    const browser = await startChromium()
    stack.defer(() => browser.close())
    const key = (await readFile(machine.apiKeyFile, 'utf8')).trim()
    started.move()
    return new StudioWorld(stack.move(), browser, machine, dataDir, key)
  }

  /** The URL of the router for operations. */
  get routerUrl(): string {
    return this.#machine.routerUrl
  }

  /** Stops the machine, and starts it again at the same address after something was done. */
  async restart(meanwhile: () => Promise<unknown>): Promise<void> {
    await this.#machine[Symbol.asyncDispose]()
    await meanwhile()
    this.#machine = await startMachine(this.#dataDir, Number(new URL(this.url).port))
  }

  /** A link that signs one browser in. */
  studioLink(): string {
    return this.#machine.studioLink() ?? expect.fail('the machine makes no links')
  }

  /** Gives a command by the API, as programs do. */
  async write(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body: object,
  ): Promise<CommandOutcome> {
    const response = await fetch(`${this.url}/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    expect(response.status, text).toBeLessThan(300)
    return CommandOutcome.parse(JSON.parse(text))
  }

  /** Sends an operation to the router, as a client of this name. Returns the answer. */
  async request(
    query: string,
    client: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const response = await fetch(this.routerUrl, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'apollographql-client-name': client,
        'apollographql-client-version': '1.4.0',
        ...headers,
      },
      body: JSON.stringify({ query }),
    })
    return response.text()
  }

  /** Reads a path of the API. */
  async read(path: string): Promise<unknown> {
    const response = await fetch(`${this.url}/v1/${path}`, {
      headers: { authorization: `Bearer ${this.#key}` },
    })
    return response.json()
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
    await page.goto(`${this.url}/studio${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await settled(page)
    return { page, complaints, [Symbol.asyncDispose]: () => context.close() }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync()
    await this.#machine[Symbol.asyncDispose]()
  }
}

async function startMachine(dataDir: string, registryPort: number): Promise<Standalone> {
  const routerConfigFile = `${dataDir}-router.yaml`
  await writeFile(routerConfigFile, 'shadow: { keep_values: true }\n')
  return startStandalone({
    dataDir,
    logger: createLogger({ name: 'studio', level: 'silent' }),
    registryPort,
    routerPort: 0,
    routerConfigFile,
    graph: { namespace: 'default', graph: 'shop' },
  })
}

/** Waits until nothing on the page is being read. */
async function settled(page: Page): Promise<void> {
  await expect.poll(() => page.locator('.waiting').count(), PATIENTLY).toBe(0)
}

/** Expects that a checker of accessibility finds nothing. The page's policy does not bind its script. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(AXE)
  const violations = await page.evaluate(
    '(async () => (await axe.run(document)).violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]))()',
  )
  expect(violations).toEqual([])
}

/** Expects that nothing is wider than the window. */
export async function expectNoSidewaysScrolling(page: Page, widths = [360, 1920]): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    const wider = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
    expect(wider, `${width} px`).toBe(0)
  }
}

/** Drops a text on the page, as from another window. */
export async function dropText(page: Page, text: string): Promise<void> {
  const data = await page.evaluateHandle((dropped) => {
    const transfer = new DataTransfer()
    transfer.setData('text/plain', dropped)
    return transfer
  }, text)
  await page.dispatchEvent('main', 'drop', { dataTransfer: data })
}

/** Writes a picture of the page for docs/studio.md, if pictures were asked for. */
export async function picture(page: Page, name: string, height = 800): Promise<void> {
  if (!WRITES_PICTURES) return
  await mkdir(PICTURES, { recursive: true })
  await page.setViewportSize({ width: 1280, height })
  await page.screenshot({ path: join(PICTURES, `studio-${name}.png`) })
}
