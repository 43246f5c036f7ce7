/** A machine with Studio on it, and a browser in which people open its pages. */
import { readFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CommandOutcome } from '@switchyard/contracts'
import { createLogger } from '@switchyard/service-kit'
import { type Standalone, type StandaloneOptions, startStandalone } from '@switchyard/standalone'
import { isLongRun, temporaryDirectory } from '@switchyard/testkit'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { StudioBrowser, type Visit, type Visited } from './studio-browser.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const PICTURES = fileURLToPath(new URL('../../../../docs/pictures/', import.meta.url))
/** Set to write the pictures of docs/studio.md anew. */
const WRITES_PICTURES = process.env['SWITCHYARD_WRITE_PICTURES'] === '1'

/** The schemes in which pages are looked at: in dark only some of them, but for long runs. */
export const SCHEMES: readonly ('light' | 'dark')[] = isLongRun() ? ['light', 'dark'] : ['light']

type MachineOptions = Pick<StandaloneOptions, 'registryPort' | 'signIn'>
type WorldOptions = MachineOptions & { readonly host?: string }

export class StudioWorld implements AsyncDisposable {
  readonly #stack: AsyncDisposableStack
  readonly #browser: StudioBrowser
  readonly #dataDir: string
  readonly #key: string
  readonly url: string
  /** The address that the browser shows. */
  readonly address: string
  #machine: Standalone

  private constructor(
    stack: AsyncDisposableStack,
    browser: StudioBrowser,
    machine: Standalone,
    dataDir: string,
    key: string,
    address: string,
  ) {
    this.#stack = stack
    this.#browser = browser
    this.#machine = machine
    this.#dataDir = dataDir
    this.url = machine.registryUrl
    this.#key = key
    this.address = address
  }

  /** `host`: the name by which the browser reaches the registry. */
  static async start({ host, ...options }: WorldOptions = {}): Promise<StudioWorld> {
    await using stack = new AsyncDisposableStack()
    const folder = stack.use(await temporaryDirectory())
    const dataDir = join(folder.path, 'data')
    const machine = await startMachine(dataDir, options)
    await using started = new AsyncDisposableStack()
    started.use(machine)
    const key = (await readFile(machine.apiKeyFile, 'utf8')).trim()
    const browser = stack.use(await StudioBrowser.start(addressOf(machine, host), key))
    started.move()
    return new StudioWorld(stack.move(), browser, machine, dataDir, key, addressOf(machine, host))
  }

  /** The URL of the router for operations. */
  get routerUrl(): string {
    return this.#machine.routerUrl
  }

  /** Stops the machine, and starts it again at the same address after something was done. */
  async restart(meanwhile: () => Promise<unknown>): Promise<void> {
    await this.#machine[Symbol.asyncDispose]()
    await meanwhile()
    this.#machine = await startMachine(this.#dataDir, { registryPort: Number(new URL(this.url).port) })
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
    return CommandOutcome.parse(JSON.parse(await this.send(method, path, body)))
  }

  /** Sends a request to the API, which has to succeed. Returns the answer. */
  async send(method: string, path: string, body: object): Promise<string> {
    const response = await fetch(`${this.url}/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    expect(response.status, text).toBeLessThan(300)
    return text
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

  /** Opens a connection that tells what happens, as programs do. */
  follow(signal: AbortSignal): Promise<Response> {
    return fetch(`${this.url}/v1/live`, { headers: { authorization: `Bearer ${this.#key}` }, signal })
  }

  /** Opens a page of Studio as somebody who has signed in. */
  visit(path: string, visit?: Visit): Promise<Visited> {
    return this.#browser.visit(path, visit)
  }

  /** Opens a page as somebody who has no session. */
  visitAsStranger(path: string, visit?: Visit): Promise<Visited> {
    return this.#browser.visitAsStranger(path, visit)
  }

  /** Signs in with an API key, as people do. */
  signIn(page: Page, key?: string): Promise<void> {
    return this.#browser.signIn(page, key)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync()
    await this.#machine[Symbol.asyncDispose]()
  }
}

function addressOf({ registryUrl }: Standalone, host = new URL(registryUrl).hostname): string {
  return `http://${host}:${new URL(registryUrl).port}`
}

async function startMachine(dataDir: string, options: MachineOptions): Promise<Standalone> {
  const routerConfigFile = `${dataDir}-router.yaml`
  await writeFile(routerConfigFile, 'shadow: { keep_values: true }\nengine: { enable_defer: true }\n')
  return startStandalone({
    dataDir,
    logger: createLogger({ name: 'studio', level: 'silent' }),
    registryPort: 0,
    ...options,
    routerPort: 0,
    routerConfigFile,
    graph: { namespace: 'default', graph: 'shop' },
  })
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
