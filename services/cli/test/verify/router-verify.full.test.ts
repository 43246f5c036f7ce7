import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import {
  DEMO_SERVERS,
  type DemoServerName,
  FEATURE_SUBGRAPH,
  startSubgraph,
  SUBGRAPHS,
} from '@switchyard/demo'
import { serveSubgraph } from '@switchyard/testkit'
import { runCommand } from '../run-command.ts'
import { createFolder } from '../workspace.ts'

const DEMO = new URL('../../../../infra/demo/schemas/', import.meta.url)

/** The demo's graph with its flag, composed, in a folder of its own. */
async function demoFolder(
  urlOf: (subgraph: DemoServerName) => string = () => 'http://127.0.0.1:1/graphql',
  files: Readonly<Record<string, string>> = {},
): Promise<string> {
  const item = (name: DemoServerName, more = '') =>
    `{ name: ${name}, ${more}routing_url: "${urlOf(name)}", schema: { file: ${name}.graphql } }`
  const sources = await Promise.all(
    DEMO_SERVERS.map(
      async (name): Promise<[string, string]> => [
        `${name}.graphql`,
        await readFile(fileURLToPath(new URL(`${name}.graphql`, DEMO)), 'utf8'),
      ],
    ),
  )
  const cwd = await createFolder({
    ...files,
    ...Object.fromEntries(sources),
    'graph.yaml': `version: 1
subgraphs:
${SUBGRAPHS.map((name) => `  - ${item(name)}`).join('\n')}
feature_flags:
  - name: new-pricing
    feature_graphs:
      - ${item(FEATURE_SUBGRAPH, 'subgraph_name: products, ')}
`,
  })
  const composed = await runCommand(['router', 'compose', '--input', 'graph.yaml', '--out', 'c.json'], {
    cwd,
  })
  expect(composed.exitCode).toBe(0)
  return cwd
}

const VERIFY = ['router', 'verify', '--execution-config', 'c.json']

describe('router verify', () => {
  it('finds the demo equal, its base and its flag, without any network', async () => {
    const cwd = await demoFolder()
    const base = await runCommand([...VERIFY, '--operation-count', '60'], { cwd })
    expect(base).toMatchObject({ exitCode: 0, stderr: '' })
    expect(base.stdout).toMatch(/60 operations generated with seed 0, on sample subgraphs \(4\) of c\.json/)
    expect(base.stdout).toMatch(/ 0 {2}different/)
    const flagged = await runCommand(
      [...VERIFY, '--flag', 'new-pricing', '--operation-count', '60', '--json'],
      {
        cwd,
      },
    )
    expect(flagged.exitCode).toBe(0)
    expect(flagged.json()).toMatchObject({
      ok: true,
      result: { operations: 60, different: [], oneOnly: [], invalid: [] },
    })
  })

  it('gives the same report for the same seed, and asks other operations for another', async () => {
    const cwd = await demoFolder()
    const run = async (seed: string) =>
      (await runCommand([...VERIFY, '--operation-count', '12', '--seed', seed, '--json'], { cwd })).stdout
    expect(await run('5')).toBe(await run('5'))
    expect(await run('5')).not.toBe('')
  })

  it('runs the operations of a folder, with variables beside them, and says where one is invalid', async () => {
    const cwd = await demoFolder(undefined, {
      'ops/shop.graphql':
        'query Product($upc: ID!) { product(upc: $upc) { name price shippingEstimate } }\n\nquery Me { me { name } }\n',
      'ops/shop.variables.json': '{ "upc": "stove" }',
      'ops/deep/wrong.graphql': 'query Typo {\n  me { nme }\n}\n\nquery Fine { me { id } }',
      'ops/deep/unset.graphql': 'query Unset($upc: ID!) { product(upc: $upc) { name } }',
      'ops/notes.txt': 'not an operation',
    })
    const run = await runCommand([...VERIFY, '--operations', 'ops', '--json'], { cwd })
    expect(run.exitCode).toBe(1)
    expect(run.json()).toMatchObject({
      ok: false,
      result: {
        operations: 2,
        equal: 2,
        different: [],
        invalid: [
          { file: 'ops/deep/unset.graphql', line: 1, column: 13, message: expect.stringContaining('$upc') },
          { file: 'ops/deep/wrong.graphql', line: 2, column: 8, message: expect.stringContaining('nme') },
        ],
      },
    })
    const text = await runCommand([...VERIFY, '--operations', 'ops'], { cwd })
    expect(text.stdout).toContain('ops/deep/wrong.graphql:2:8: Cannot query field "nme"')
  })

  it('says that nothing was verified where every operation is invalid', async () => {
    const cwd = await demoFolder(undefined, { 'ops/wrong.graphql': '{ me { nme } }' })
    const run = await runCommand([...VERIFY, '--operations', 'ops'], { cwd })
    expect(run.exitCode).toBe(1)
    expect(run.stdout).toMatch(
      /^Nothing was verified: no operation from ops is valid for \S+\.\n\ninvalid operations:\n {2}ops\/wrong\.graphql:1:8: /,
    )
  })

  it('counts what a listed limit explains apart, and as a difference with --strict', async () => {
    const cwd = await demoFolder(undefined, {
      'ops/twice.graphql': '{ me { name @skip(if: true) name } }',
      'ops/odd.graphql': '{ me { constructor: name then: id } }',
    })
    const run = await runCommand([...VERIFY, '--operations', 'ops'], { cwd })
    expect(run).toMatchObject({ exitCode: 0, stderr: '' })
    expect(run.stdout).toMatch(/2 {2}differ by a listed limit of stitching/)
    expect(run.stdout).toMatch(/1 {2}conditions: A field that is selected twice/)
    expect(run.stdout).toMatch(/1 {2}aliases: /)
    expect(await runCommand([...VERIFY, '--operations', 'ops', '--strict'], { cwd })).toMatchObject({
      exitCode: 1,
    })
  })

  it('ends when it is interrupted', async () => {
    const cwd = await demoFolder()
    const run = await runCommand([...VERIFY, '--operation-count', '5'], { cwd, signal: AbortSignal.abort() })
    expect(run.exitCode).toBe(3)
    expect(run.stderr).toContain('Interrupted before all operations were verified')
  })

  it('refuses a graph, a label and a folder that are not there', async () => {
    const cwd = await demoFolder(undefined, { 'empty/notes.txt': '' })
    const codes = async (...args: readonly string[]) => (await runCommand(args, { cwd })).exitCode
    expect(await codes(...VERIFY, '--flag', 'nope')).toBe(1)
    expect(await codes(...VERIFY, '--label', 'nope')).toBe(1)
    expect(await codes(...VERIFY, '--operations', 'empty')).toBe(1)
    expect(await codes(...VERIFY, '--operations', 'nowhere')).toBe(2)
    expect(await codes(...VERIFY, '--operation-count', 'many')).toBe(2)
    expect(await codes('router', 'verify')).toBe(2)
  })
})

describe('router verify --live', () => {
  it('asks the real subgraphs of the demo, and finds the answers equal', async () => {
    await using servers = new AsyncDisposableStack()
    const urls = new Map<string, string>()
    for (const name of DEMO_SERVERS)
      urls.set(name, servers.use(await startSubgraph(name, '127.0.0.1', 0)).url)
    const cwd = await demoFolder((name) => urls.get(name) ?? '')
    const args = [...VERIFY, '--live', '--operation-count', '40', '--json']
    for (const flag of [[], ['--flag', 'new-pricing']]) {
      const run = await runCommand([...args, ...flag], { cwd })
      expect(run.json()).toMatchObject({ ok: true, result: { operations: 40, different: [], oneOnly: [] } })
    }
  })

  it('refuses mutations before anything is sent', async () => {
    await using server = await serveSubgraph({
      sdl: 'type Query { count: Int } type Mutation { add: Int }',
      resolvers: { Query: { count: () => 1 } },
    })
    const cwd = await createFolder({
      'supergraph.graphql': supergraph(
        server.url,
        'count: Int',
        'type Mutation @join__type(graph: A) { add: Int }',
      ),
      'ops/write.graphql': 'query Read { count }\nmutation Write { add }',
    })
    const args = ['router', 'verify', '--supergraph', 'supergraph.graphql', '--live', '--operations', 'ops']
    const run = await runCommand(args, { cwd })
    expect(run.exitCode).toBe(1)
    expect(run.stderr).toContain('ops/write.graphql:2 Write is a mutation')
    expect(server.calls()).toBe(0)
  })

  it('is not misled by data that moves', async () => {
    let clock = 0
    await using server = await serveSubgraph({
      sdl: 'type Query { clock: Int lamp: Boolean still: String }',
      resolvers: {
        Query: { clock: () => clock++, lamp: () => clock++ % 3 === 0, still: () => 'as ever' },
      },
    })
    const cwd = await createFolder({
      'supergraph.graphql': supergraph(server.url, 'clock: Int lamp: Boolean still: String'),
      'ops/all.graphql': 'query Clock { clock still }\nquery Lamp { lamp }\nquery Still { still }',
    })
    const args = ['router', 'verify', '--supergraph', 'supergraph.graphql', '--live', '--operations', 'ops']
    const run = await runCommand([...args, '--json'], { cwd })
    expect(run.json()).toMatchObject({ ok: true, result: { operations: 3, equal: 3, different: [] } })
  })

  it('reports what differs in every run, with both values and the fetch that gave ours', async () => {
    let asked = 0
    await using server = await serveSubgraph({
      sdl: 'type Query { still: String moved: Int }',
      // Asked in turns by the engine and by the stitched gateway.
      resolvers: { Query: { moved: () => (asked++ % 2 === 0 ? 1 : 2), still: () => 'as ever' } },
    })
    const cwd = await createFolder({
      'supergraph.graphql': supergraph(server.url, 'still: String moved: Int'),
      'ops/all.graphql': 'query Both { still moved }',
    })
    const args = ['router', 'verify', '--supergraph', 'supergraph.graphql', '--live', '--operations', 'ops']
    const run = await runCommand(args, { cwd })
    expect(run.exitCode).toBe(1)
    expect(run.stdout).toMatch(/different: ops\/all\.graphql:1 Both/)
    expect(run.stdout).toMatch(/at moved\n {4}engine {4}1 {3}from fetch 0 \(a\)\n {4}stitched {2}2/)
    expect(run.stdout).toMatch(/fetch 0 asks a:/)
  })

  it('fails where a subgraph cannot be reached: two failures prove nothing', async () => {
    const cwd = await createFolder({
      'supergraph.graphql': supergraph('http://127.0.0.1:1/graphql', 'still: String'),
      'ops/all.graphql': 'query Still { still }',
    })
    const args = ['router', 'verify', '--supergraph', 'supergraph.graphql', '--live', '--operations', 'ops']
    const run = await runCommand(args, { cwd })
    expect(run.exitCode).toBe(1)
    expect(run.stdout).toMatch(/never reached[^\n]*\n {2}a: 2 calls failed: .*ECONNREFUSED/)
  })
})

function supergraph(url: string, fields: string, more = ''): string {
  return `schema
  @link(url: "https://specs.apollo.dev/link/v1.0")
  @link(url: "https://specs.apollo.dev/join/v0.3", for: EXECUTION) {
  query: Query ${more.includes('Mutation') ? 'mutation: Mutation' : ''}
}
directive @join__graph(name: String!, url: String!) on ENUM_VALUE
directive @join__type(graph: join__Graph!, key: String, extension: Boolean! = false, resolvable: Boolean! = true) repeatable on OBJECT
directive @link(url: String!, for: link__Purpose) repeatable on SCHEMA
enum link__Purpose { EXECUTION SECURITY }
enum join__Graph { A @join__graph(name: "a", url: "${url}") }
type Query @join__type(graph: A) { ${fields} }
${more}`
}
