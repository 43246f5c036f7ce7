/**
 * The npm package, installed offline into an empty folder, on this Node.js and on the oldest that it
 * supports.
 */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type HttpSubgraph, isLongRun, serveSubgraph } from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BUILD, PROGRAMS, ROOT } from '../src/programs.ts'
import { writtenVersions } from '../src/versions.ts'
import { HAS_OLDEST, Installed, makePackage, NODES, type Running, TOO_OLD_NODE } from './installed.ts'
import { testPages } from './suites/pages.ts'
import { testServices } from './suites/services.ts'

const SDL =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"]) type Query { hello: String }'
const version = writtenVersions().find(({ file }) => file === 'package.json')?.version ?? ''

let tarball = ''
beforeAll(async () => {
  tarball = await makePackage(version)
})

/** Without what browsers run. */
async function programFiles(dist: string): Promise<readonly string[]> {
  return (await readdir(dist)).filter((name) => name.endsWith('.js'))
}

describe('the tarball', () => {
  const file = (name: string) => readFile(join(BUILD, 'switchyard', name), 'utf8')

  it('has no dependencies and no install script', async () => {
    const manifest = JSON.parse(await file('package.json')) as Record<string, unknown>
    expect(Object.keys(manifest).filter((key) => /dependencies|scripts/i.test(key))).toEqual([])
    expect(manifest).toMatchObject({ version, engines: { node: '>=22.19' } })
  })

  it('is as large as the page on installing says', async () => {
    const page = await readFile(join(ROOT, 'docs/install.md'), 'utf8')
    const { size } = await stat(tarball)
    expect(/switchyard-<version>\.tgz` \((\d+ MB)\)/.exec(page)?.[1]).toBe(`${Math.round(size / 1e6)} MB`)
  })

  it('imports nothing but what Node.js has, and no module that loads its HTTP client with it', async () => {
    const { builtinModules } = await import('node:module')
    const dist = join(BUILD, 'switchyard/dist')
    const imports = new Set<string>()
    for (const name of await programFiles(dist)) {
      const text = await readFile(join(dist, name), 'utf8')
      for (const [, from = ''] of text.matchAll(
        /^(?:import|export) .*?from "([^"]+)";$|^import "([^"]+)";$/gm,
      ))
        imports.add(from)
    }
    const foreign = [...imports].filter((from) => !from.startsWith('./') && from !== '')
    expect(foreign.filter((from) => !from.startsWith('node:') && !builtinModules.includes(from))).toEqual([])
    expect(foreign.filter((from) => /^(?:node:)?http$/.test(from))).toEqual([])
  })

  it('names the licence of everything that is in it, and holds one graphql', async () => {
    const text = await file('THIRD_PARTY.txt')
    const [list = ''] = text.split('-----')
    const names = [...list.matchAll(/^(\S+) (\S+) \((\S+)\)$/gm)].map(([, name = '']) => name)
    expect(names.length).toBeGreaterThan(60)
    expect(names.filter((name) => name === 'graphql')).toHaveLength(1)
    expect(text).not.toContain('Elastic')
    const dist = join(BUILD, 'switchyard/dist')
    const texts = await Promise.all(
      (await programFiles(dist)).map((name) => readFile(join(dist, name), 'utf8')),
    )
    expect(texts.join('').match(/\bGraphQLObjectType = class\b/g)).toHaveLength(1)
  })
})

/**
 * All but `make test-long` try the package on the oldest Node.js alone, where it is there: what the package
 * has inside is what all tests of programs start on this one.
 */
const TRIED_ON = NODES.filter(([, node]) => isLongRun() || !HAS_OLDEST || node !== process.execPath)

describe.each(TRIED_ON)('the package on %s', (_, node) => {
  if (node === null) {
    it.skip('(scripts/oldest-node.sh has not installed it)', () => {})
    return
  }
  let installed: Installed
  let subgraph: HttpSubgraph
  let up: Running
  let url: string
  beforeAll(async () => {
    installed = await Installed.create(tarball, node)
    subgraph = await serveSubgraph({ sdl: SDL, resolvers: { Query: { hello: () => 'from the subgraph' } } })
    await installed.write('schema.graphql', SDL)
    await installed.write(
      'router.yaml',
      'planning: { time_limit: 60s, budget: 1h }\nplayground: { enabled: true }\n',
    )
    const ports = ['--registry-port', '0', '--router-port', '0', '--config', 'router.yaml']
    up = installed.start('switchyard', ['up', ...ports], { SWITCHYARD_GRAPH: 'default/shop' })
    url = await up.says(/router {4}(http\S+)/)
  })
  afterAll(async () => {
    await up?.[Symbol.asyncDispose]()
    await subgraph?.[Symbol.asyncDispose]()
    await installed?.[Symbol.asyncDispose]()
  })

  async function command(...words: string[]): Promise<string> {
    const { code, stdout, stderr } = await installed.run('switchyard', words)
    expect({ code, stderr: code === 0 ? '' : stderr }, words.join(' ')).toEqual({ code: 0, stderr: '' })
    return stdout
  }

  async function ask(
    at: string,
    headers: Readonly<Record<string, string>> = {},
    query = '{ hello }',
  ): Promise<unknown> {
    const body = JSON.stringify({ query })
    const response = await fetch(at, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
    return response.json()
  }

  it('serves Studio, whose page and scripts are in the package', async () => {
    const registry = await up.says(/registry {2}(http\S+)/)
    const page = await (await fetch(`${registry}/studio`)).text()
    const [, script = ''] = /<script [^>]*src="([^"]+)"/.exec(page) ?? []
    const loaded = await fetch(new URL(script, registry))
    expect(loaded.headers.get('content-type')).toContain('javascript')
    // The package was made where NODE_ENV is test, and libraries are in it as users want them all the same.
    expect(await loaded.text()).not.toContain('jsxDEV')
  })

  it('is one package', async () => {
    expect(await installed.packages()).toEqual(['switchyard'])
  })

  it('tells its version and its commands', async () => {
    expect(await installed.npx(['switchyard', '--version'])).toEqual({
      code: 0,
      stdout: `${version}\n`,
      stderr: '',
    })
    expect(await command('--help')).toContain('federated-graph')
  })

  it('serves what was published: in threads for SQL, schemas, composition, building and planning', async () => {
    await command('federated-graph', 'create', 'shop', '--label-matcher', 'team=web')
    const publish = ['subgraph', 'publish', 'hello', '--schema', 'schema.graphql']
    await command(...publish, '--routing-url', subgraph.url, '--label', 'team=web')
    expect(await ask(url)).toEqual({ data: { hello: 'from the subgraph' } })
    const names = Array.from({ length: 490 }, (_, index) => `a${index}`)
    // It takes more steps than the serving thread plans.
    const long = `{ ${names.map((name) => `... on Query { ... on Query { ${name}: hello } }`).join(' ')} }`
    const data = Object.fromEntries(names.map((name) => [name, 'from the subgraph']))
    expect(await ask(url, {}, long)).toEqual({ data })
  })

  it('checks schemas in threads, and tries a graph out on another gateway', async () => {
    await installed.write('next.graphql', SDL.replace(': String', ': String more: Int'))
    expect(await command('subgraph', 'check', 'hello', '--schema', 'next.graphql')).toContain('shop')
    await command('graph', 'fetch', 'shop', '--out', 'files')
    const files = await readdir(join(installed.folder, 'files'), { recursive: true })
    const config = files.find((name) => name.endsWith('.json') && name.includes('config')) ?? ''
    await command('router', 'verify', '--execution-config', join('files', config))
  })

  it('serves the playground, with all that its page names', async () => {
    const home = new URL('/', url)
    const html = await (await fetch(home)).text()
    const files = [...html.matchAll(/(?:src|href)="(\.\/[^"]+)"/g)].map(([, path = '']) => path)
    expect(files.length).toBeGreaterThan(1)
    for (const file of files) expect((await fetch(new URL(file, home))).status, file).toBe(200)
  })

  it('makes a page of a trace', async () => {
    const token = (await command('router', 'trace-token', 'shop')).trim()
    const answer = await ask(url, { 'X-VENDOR-Trace': 'true', 'X-VENDOR-Token': token })
    await installed.write('response.json', JSON.stringify(answer))
    await command('trace', 'open', 'response.json', '--out', 'trace.html')
    const page = await readFile(join(installed.folder, 'trace.html'), 'utf8')
    expect(page).toContain('<script type="application/json" id="trace-data">')
    expect(page).toMatch(/<script>'use strict'\nconst module0/)
  })

  it('starts a router with a supergraph file', async () => {
    const files = await readdir(join(installed.folder, 'files'), { recursive: true })
    const supergraph = files.find((name) => name.endsWith('.graphql') && name.includes('supergraph')) ?? ''
    const words = ['router', 'start', '--supergraph', join('files', supergraph), '--port', '0']
    await using router = installed.start('switchyard', words, { SWITCHYARD_HOST: '127.0.0.1' })
    const at = await router.says(/"event":"router.listening","url":"([^"]+)"/)
    expect(await ask(at)).toEqual({ data: { hello: 'from the subgraph' } })
  })

  testServices(() => installed)
  // On one Node.js, since what they start is the same.
  if (node === TRIED_ON[0]?.[1])
    testPages(
      () => installed,
      () => tarball,
    )
})

describe('the package on a Node.js that is too old for it', () => {
  const node = TOO_OLD_NODE
  if (node === null) {
    it.skip('(scripts/oldest-node.sh has not installed it)', () => {})
    return
  }
  let installed: Installed
  beforeAll(async () => {
    installed = await Installed.create(tarball, node)
  })
  afterAll(() => installed?.[Symbol.asyncDispose]())

  it.each(Object.keys(PROGRAMS))('%s names the version that it needs, and does nothing', async (name) => {
    const { code, stdout, stderr } = await installed.run(name, ['--version'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(
      /^error: Switchyard needs Node\.js 22\.19 or newer, but was started with Node\.js 20\.19\.0 \(.+\)\. Nothing was done\. .+\n$/,
    )
  })
})
