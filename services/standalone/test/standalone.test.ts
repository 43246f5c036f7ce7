/** The whole machine in this process, spoken to over HTTP only. */
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { CommandOutcome } from '@switchyard/contracts'
import { createLogger } from '@switchyard/service-kit'
import { PATIENTLY } from '@switchyard/testkit'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startStandalone } from '../src/standalone.ts'
import type { Standalone, StandaloneOptions } from '../src/standalone.ts'
import { createFolder } from './folder.ts'

const logger = createLogger({ name: 'test', level: 'silent' })

async function start(dataDir: string, options: Partial<StandaloneOptions> = {}): Promise<Standalone> {
  const standalone = await startStandalone({ dataDir, logger, registryPort: 0, routerPort: 0, ...options })
  onTestFinished(() => standalone[Symbol.asyncDispose]())
  return standalone
}

async function write(
  { registryUrl, apiKeyFile }: Standalone,
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body: object,
): Promise<CommandOutcome> {
  const key = (await readFile(apiKeyFile, 'utf8')).trim()
  const response = await fetch(`${registryUrl}/v1/${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  })
  return CommandOutcome.parse(await response.json())
}

async function transfer(
  { registryUrl, apiKeyFile }: Standalone,
  method: 'GET' | 'POST',
  path: string,
  body?: string,
): Promise<string> {
  const authorization = `Bearer ${(await readFile(apiKeyFile, 'utf8')).trim()}`
  const response = await fetch(`${registryUrl}/v1/${path}`, {
    method,
    headers: { 'content-type': 'application/x-ndjson', authorization },
    ...(body === undefined ? {} : { body }),
  })
  return response.text()
}

async function publish(standalone: Standalone, name: string, sdl: string, labels: readonly string[] = []) {
  const routingUrl = 'http://127.0.0.1:9/graphql'
  return write(standalone, 'PUT', `subgraphs/default/${name}/schema`, { sdl, routingUrl, labels })
}

async function ask({ routerUrl }: Standalone): Promise<{ readonly status: number; readonly text: string }> {
  const query = '{ __schema { queryType { fields { name } } } }'
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(routerUrl, { method: 'POST', headers, body: JSON.stringify({ query }) })
  return { status: response.status, text: await response.text() }
}

function serves(standalone: Standalone, field: string): Promise<void> {
  return vi.waitFor(
    async () =>
      expect(await ask(standalone)).toMatchObject({
        status: 200,
        text: expect.stringContaining(`"${field}"`),
      }),
    PATIENTLY,
  )
}

function refuses(standalone: Standalone, reason: RegExp): Promise<void> {
  return vi.waitFor(
    async () =>
      expect(await ask(standalone)).toMatchObject({ status: 503, text: expect.stringMatching(reason) }),
    PATIENTLY,
  )
}

async function takenPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

describe('a provider of events', () => {
  it('may be any NATS, since the services here use none', async () => {
    const folder = await createFolder()
    const routerConfigFile = join(folder, 'router.yaml')
    const url = 'nats://127.0.0.1:1'
    await writeFile(routerConfigFile, `events: { providers: { default: { url: "${url}" } } }`)
    const standalone = await start(folder, { routerConfigFile, env: { SWITCHYARD_NATS_URL: url } })
    await refuses(standalone, /federated graph/)
  })
})

describe('everything on one machine', () => {
  it('says what it waits for, then serves the only graph, and keeps it when a second one comes', async () => {
    const folder = await createFolder()
    const standalone = await start(folder)
    await refuses(standalone, /there is no federated graph yet/)
    await write(standalone, 'POST', 'graphs/default', { name: 'shop' })
    await refuses(standalone, /no config of default\/shop yet/)
    await publish(standalone, 'products', 'type Query { product: Int }')
    await serves(standalone, 'product')

    const blog = { name: 'blog', labelMatchers: ['team=blog'] }
    const { warnings } = await write(standalone, 'POST', 'graphs/default', blog)
    expect(warnings).toContainEqual(
      expect.stringMatching(/two federated graphs now \(default\/blog, default\/shop\).* --graph/),
    )
    const depot = { name: 'depot', labelMatchers: ['team=depot'] }
    expect((await write(standalone, 'POST', 'graphs/default', depot)).warnings).toContain(
      'There are 3 federated graphs now: unless "switchyard up" is started with --graph <namespace>/<name> next time, its router serves none of them then.',
    )
    await write(standalone, 'DELETE', 'graphs/default/depot', {})
    await publish(standalone, 'posts', 'type Query { post: Int }', ['team=blog'])
    await publish(standalone, 'products', 'type Query { product: Int price: Int }')
    await serves(standalone, 'price')
    expect((await ask(standalone)).text).not.toContain('"post"')

    await standalone[Symbol.asyncDispose]()
    await refuses(
      await start(folder),
      /several federated graphs \(default\/blog, default\/shop\); choose one with --graph/,
    )
  })

  it('warns whoever imports several graphs that one has to be named', async () => {
    const first = await start(await createFolder())
    await write(first, 'POST', 'graphs/default', { name: 'shop' })
    await write(first, 'POST', 'graphs/default', { name: 'blog' })
    const exported = await transfer(first, 'GET', 'export')
    const second = await start(await createFolder())
    expect(JSON.parse(await transfer(second, 'POST', 'import', exported))).toMatchObject({
      records: { registry: 2 },
      warnings: [expect.stringMatching(/^There are two federated graphs now .* --graph/)],
    })
  })

  it('waits for a named graph, and serves it after a restart as it was', async () => {
    const folder = await createFolder()
    const graph = { namespace: 'default', graph: 'shop' }
    const first = await start(folder, { graph })
    await refuses(first, /no config of default\/shop yet/)
    await write(first, 'POST', 'graphs/default', { name: 'shop' })
    const blog = { name: 'blog', labelMatchers: ['team=blog'] }
    const { warnings } = await write(first, 'POST', 'graphs/default', blog)
    expect(warnings).toEqual([expect.stringContaining('Nothing can be composed for "blog" yet')])
    await publish(first, 'products', 'type Query { product: Int }')
    await serves(first, 'product')
    const key = await readFile(first.apiKeyFile, 'utf8')
    await first[Symbol.asyncDispose]()

    const second = await start(folder, { graph })
    await serves(second, 'product')
    expect(await readFile(second.apiKeyFile, 'utf8')).toBe(key)
    expect(await readFile(join(folder, 'registry-url'), 'utf8')).toBe(`${second.registryUrl}\n`)
    expect((await publish(second, 'products', 'type Query { product: Int }')).changed).toBe(false)
    expect((await publish(second, 'products', 'type Query { product: Int price: Int }')).changed).toBe(true)
    await serves(second, 'price')
  })

  it('takes a schema of several megabytes', async () => {
    const standalone = await start(await createFolder())
    await write(standalone, 'POST', 'graphs/default', { name: 'shop' })
    const description = 'x'.repeat(1000)
    const fields = Array.from({ length: 4000 }, (_, index) => `"${description}" f${index}: Int`)
    const outcome = await publish(standalone, 'products', `type Query {\n${fields.join('\n')}\n}`)
    expect(outcome.compositions).toMatchObject([{ graph: 'shop', status: 'composed' }])
    await serves(standalone, 'f3999')
  })

  it('reads the settings of the router', async () => {
    const folder = await createFolder()
    const file = join(folder, 'router.yaml')
    await writeFile(file, 'base_path: /api\n')
    const standalone = await start(join(folder, 'data'), { routerConfigFile: file })
    expect(new URL(standalone.routerUrl).pathname).toBe('/api/graphql')
    await refuses(standalone, /no federated graph yet/)
  })
})

describe('a start that cannot be', () => {
  it('refuses a data directory in use and leaves its owner alone', async () => {
    const folder = await createFolder()
    const first = await start(folder)
    const key = await readFile(first.apiKeyFile, 'utf8')
    await expect(start(folder, { bootstrapApiKey: 'another-key-altogether' })).rejects.toMatchObject({
      code: 'DATA_DIRECTORY_IN_USE',
    })
    expect(await readFile(first.apiKeyFile, 'utf8')).toBe(key)
    expect((await write(first, 'POST', 'namespaces', { name: 'staging' })).changed).toBe(true)
  })

  it.each([
    { what: 'registry', option: '--registry-port' },
    { what: 'router', option: '--router-port' },
  ])(
    'names the port and the option when the port of the $what is taken, and lets go of the data',
    async ({ what, option }) => {
      const folder = await createFolder()
      const port = await takenPort()
      const failed = start(folder, what === 'router' ? { routerPort: port } : { registryPort: port })
      await expect(failed).rejects.toMatchObject({
        code: 'PORT_TAKEN',
        message: expect.stringContaining(option),
      })
      await expect(failed).rejects.toThrow(`Port ${port}, where the ${what} would listen, is taken`)
      await start(folder)
    },
  )

  it('says which settings are wrong before it touches anything', async () => {
    const folder = await createFolder()
    const missing = start(folder, { routerConfigFile: join(folder, 'none.yaml') })
    await expect(missing).rejects.toMatchObject({ code: 'ROUTER_CONFIG_UNREADABLE' })
    await writeFile(join(folder, 'router.yaml'), 'base_pth: /api\n')
    const wrong = start(folder, { routerConfigFile: join(folder, 'router.yaml') })
    await expect(wrong).rejects.toMatchObject({
      code: 'ROUTER_CONFIG_INVALID',
      message: expect.stringMatching(/router\.yaml:1: unknown setting "base_pth"/),
    })
  })

  it('tells browsers where its router is, whatever its port, and lets Studio ask it', async () => {
    const dataDir = await createFolder()
    const routerConfigFile = join(dataDir, 'router.yaml')
    await writeFile(routerConfigFile, 'cors: { origins: [https://other.example] }\n')
    const standalone = await start(dataDir, { routerConfigFile })
    await write(standalone, 'POST', 'graphs/default', { name: 'shop' })
    const publicUrl = async () => {
      const graph: unknown = JSON.parse(await transfer(standalone, 'GET', 'graphs/default/shop'))
      return graph
    }
    await vi.waitFor(
      async () => expect(await publicUrl()).toMatchObject({ publicUrl: standalone.routerUrl }),
      PATIENTLY,
    )
    const page = await fetch(`${standalone.registryUrl}/studio`)
    if (page.ok)
      expect(page.headers.get('content-security-policy')).toContain(
        `connect-src 'self' ${new URL(standalone.routerUrl).origin};`,
      )
    const { port } = new URL(standalone.registryUrl)
    const preflight = async (origin: string) => {
      const headers = { origin, 'access-control-request-method': 'POST' }
      const { headers: answered } = await fetch(standalone.routerUrl, { method: 'OPTIONS', headers })
      return { allowed: answered.get('access-control-allow-origin'), vary: answered.get('vary') }
    }
    const own = [`http://localhost:${port}`, `http://127.0.0.1:${port}`]
    for (const allowed of [...own, 'https://other.example'])
      expect(await preflight(allowed)).toMatchObject({ allowed, vary: expect.stringMatching(/, Origin$/) })
    // Studio stays allowed when the settings are read again, and Vary tells nothing of it.
    await writeFile(routerConfigFile, 'cors: { origins: [] }\n')
    standalone.reload()
    for (const allowed of own)
      await vi.waitFor(
        async () =>
          expect(await preflight(allowed)).toEqual({ allowed, vary: 'Accept, X-Feature-Flag, Cookie' }),
        PATIENTLY,
      )
    expect(await preflight('https://other.example')).toMatchObject({ allowed: null })
    await write(standalone, 'PATCH', 'graphs/default/shop', {
      publicUrl: 'https://graph.example.com/graphql',
    })
    expect(await publicUrl()).toMatchObject({ publicUrl: 'https://graph.example.com/graphql' })
  })
})
