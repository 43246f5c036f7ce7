/**
 * Nonsense from outside: a clear error each, nothing lost, every process up. Black-box, on one embedded
 * system.
 */
import { openDirectoryConfigStore } from '@switchyard/config-store'
import { waitFor } from '@switchyard/testkit'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Constellation,
  freePorts,
  GRAPH,
  openShop,
  Program,
  publishShop,
  query,
  type Shop,
  startEmbedded,
  variantOf,
} from '../src/index.ts'

describe('bad input', () => {
  let shop: Shop
  let system: Constellation
  beforeAll(async () => {
    shop = await openShop()
    system = await startEmbedded()
    await publishShop(system, shop)
  })
  afterAll(async () => {
    // Whatever a test did, the system it did it to still runs and still serves the flag and the base.
    expect(system.programs.get('up')?.running).toBe(true)
    const url = system.routerUrls[0] ?? ''
    expect(variantOf(await query(url))).toBe('base')
    expect(variantOf(await query(url, { 'X-Feature-Flag': 'next' }))).toBe('next')
    await system[Symbol.asyncDispose]()
    await shop[Symbol.asyncDispose]()
  })

  async function post(url: string, body: string, headers: Record<string, string> = {}) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${system.apiKey}`, ...headers },
      body,
    })
    return { status: response.status, text: await response.text() }
  }

  it.each([
    ['malformed JSON', '{"query": '],
    ['1 MB of {', '{'.repeat(1024 * 1024)],
    ['nothing', ''],
    ['a list', '[]'],
    ['a number', '42'],
    ['no query', '{"variables":{}}'],
    ['variables of the wrong kind', '{"query":"{ me { id } }","variables":[1]}'],
  ])('the router answers %s with status 400 and a GraphQL error', async (_, body) => {
    const reply = await post(`${system.routerUrls[0]}/graphql`, body)
    expect(reply.status, reply.text).toBe(400)
    const parsed = JSON.parse(reply.text) as { errors: { message: string; extensions: { code: string } }[] }
    expect(parsed.errors[0]?.extensions.code).toMatch(/^[A-Z_]+$/)
    expect(parsed.errors[0]?.message.length).toBeGreaterThan(10)
  })

  it.each([
    ['malformed JSON', '{"sdl": '],
    ['1 MB of {', '{'.repeat(1024 * 1024)],
    ['a list', '[]'],
    ['an unknown member', '{"sdl":"type Query { a: Int }","shema":1}'],
  ])('the registry answers %s with a problem', async (_, body) => {
    const response = await fetch(`${system.registryUrls[0]}/v1/subgraphs/default/users/schema`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${system.apiKey}` },
      body,
    })
    expect(response.status).toBe(400)
    expect(response.headers.get('content-type')).toContain('application/problem+json')
    expect(await response.json()).toMatchObject({ code: 'INVALID_REQUEST' })
  })

  it('an SDL that does not parse is refused with file, line and column', async () => {
    await writeFile(join(system.folder, 'invalid.graphql'), 'type Query {\n  a: Int\n  b Int\n}\n')
    const finished = await system.cli('subgraph', 'publish', 'users', '--schema', 'invalid.graphql')
    expect(finished.code, finished.stderr).toBe(1)
    expect(finished.stderr + finished.stdout).toMatch(/invalid\.graphql:3:5/)
  })

  it('an empty and a missing schema file are errors of the command line', async () => {
    await writeFile(join(system.folder, 'empty.graphql'), '')
    for (const file of ['empty.graphql', 'missing.graphql']) {
      const finished = await system.cli('subgraph', 'publish', 'users', '--schema', file)
      expect(finished.code, finished.stderr).toBe(2)
      expect(finished.stderr).toContain(file)
    }
  })

  it('9 MB of SDL are refused with the limit', async () => {
    await writeFile(
      join(system.folder, 'huge.graphql'),
      `type Query { a: Int }\n${`# ${'x'.repeat(98)}\n`.repeat(95_000)}`,
    )
    const finished = await system.cli('subgraph', 'publish', 'users', '--schema', 'huge.graphql')
    expect([1, 2], finished.stderr).toContain(finished.code)
    expect(finished.stderr + finished.stdout).toMatch(/8 MiB/)
  })

  it.each([
    [['subgraph', 'create', 'bad..name', '--routing-url', 'http://localhost:1/graphql']],
    [['subgraph', 'create', '', '--routing-url', 'http://localhost:1/graphql']],
    [['subgraph', 'create', 'x'.repeat(101), '--routing-url', 'http://localhost:1/graphql']],
    [['subgraph', 'create', 'fine', '--routing-url', 'ftp://localhost/graphql']],
    [['subgraph', 'create', 'fine', '--routing-url', 'http://user:secret@localhost/graphql']],
    [['subgraph', 'create', 'fine', '--routing-url', 'http://localhost:1/graphql', '--label', 'nolabel']],
    [['federated-graph', 'create', 'g', '--label-matcher', 'a=1,,b=2']],
    [['namespace', 'create', 'Upper']],
    [['no-such-command']],
    [['subgraph', 'create']],
  ])('%j is refused before anything is sent', async (args) => {
    const finished = await system.cli(...args)
    expect(finished.code, finished.stdout + finished.stderr).toBe(2)
    expect(finished.stderr.length).toBeGreaterThan(20)
  })

  it('a wrong API key changes nothing and is told so', async () => {
    const reply = await system.manage(
      'POST',
      '/v1/namespaces',
      { name: 'intruder' },
      {
        headers: { authorization: 'Bearer swy_nobody_0000' },
      },
    )
    expect(reply).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } })
  })

  it('a second `up` on the same data directory ends with a clear error and leaves the first one alone', async () => {
    const [registryPort = 0, routerPort = 0] = await freePorts(2)
    const dataDir = join(system.folder, 'data')
    const second = new Program(
      'second up',
      'services/cli/src/main.ts',
      ['up', '--data-dir', dataDir, '--registry-port', `${registryPort}`, '--router-port', `${routerPort}`],
      {},
    )
    expect(await second.exited()).toBe(1)
    expect(second.output).toContain('DATA_DIRECTORY_IN_USE')
    expect(second.output).toContain(dataDir)
  })

  it('a forged manifest in the config store is rejected and the old one served', async () => {
    const manifest = await findFile(join(system.folder, 'data'), 'manifest.json')
    const url = system.routerUrls[0] ?? ''
    await waitFor('the router to report the rejection', async () => {
      // Config-distribution writes the right one again within 25 s, perhaps before the router looks.
      await forgeManifest(join(manifest, '../../..'))
      const routers = await system.manage('GET', '/v1/routers')
      return JSON.stringify(routers.body).includes('"rejected"')
    })
    expect(variantOf(await query(url, { 'X-Feature-Flag': 'next' }))).toBe('next')
  })

  it('a truncated last-known-good file is ignored, and the process starts', async () => {
    const up = system.programs.get('up') as Program
    await up.stop()
    for (const file of await findFiles(join(system.folder, 'data', 'last-known-good'))) {
      const bytes = await readFile(file)
      await writeFile(file, bytes.subarray(0, bytes.length / 2))
    }
    up.start()
    const url = system.routerUrls[0] ?? ''
    await waitFor('base and flag to be served again', async () => {
      const base = variantOf(await query(url))
      const flag = variantOf(await query(url, { 'X-Feature-Flag': 'next' }))
      return base === 'base' && flag === 'next'
    })
  })
})

/** The revision that a forged manifest claims is so much higher. */
const HIGHER = 100

/**
 * Puts a manifest into the store that claims a higher revision, under the signature of the one that is there.
 * Leaves a forged one as it is.
 */
async function forgeManifest(directory: string): Promise<void> {
  await using store = await openDirectoryConfigStore({ directory })
  const graph = { namespace: 'default', graph: GRAPH }
  const stored = await store.getManifest(graph)
  if (stored === null) throw new Error(`no manifest below ${directory}`)
  if (stored.version.revision > HIGHER) return
  const revision = stored.version.revision + HIGHER
  const manifest = { ...(JSON.parse(Buffer.from(stored.manifest).toString('utf8')) as object), revision }
  const bytes = Buffer.from(JSON.stringify(manifest))
  await store.replaceManifest(graph, {
    version: { ...stored.version, revision },
    manifest: bytes,
    signature: stored.signature,
  })
}

async function findFile(folder: string, name: string): Promise<string> {
  const found = (await findFiles(folder)).find((file) => file.endsWith(`/${name}`))
  if (found === undefined) throw new Error(`no ${name} below ${folder}`)
  return found
}

async function findFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}
