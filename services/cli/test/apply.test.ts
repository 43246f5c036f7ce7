/** `switchyard apply` against a real registry. The steps of the scenario build on each other. */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type Run, runCommand, type RunOptions, waitUntilServed } from './run-command.ts'
import { type StartedUp, startUp } from './start-up.ts'
import { createFolder } from './workspace.ts'

const URL = 'http://127.0.0.1:9/graphql'
const FILES = {
  'products.graphql': 'type Query { product: Product }\ntype Product @key(fields: "id") { id: ID! }\n',
  'stock.graphql': 'type Query { depot: Int }\ntype Product @key(fields: "id") { id: ID! inStock: Int }\n',
  'stock-next.graphql':
    'type Query { depot: Int }\ntype Product @key(fields: "id") { id: ID! shelf: Int size: Int }\n',
  // Does not compose before "stock" has a size.
  'products-2.graphql':
    'type Query { product: Product }\ntype Product @key(fields: "id") { id: ID! size: Int @external fits: Int @requires(fields: "size") }\n',
  'stock-2.graphql':
    'type Query { depot: Int }\ntype Product @key(fields: "id") { id: ID! inStock: Int size: Int }\n',
}
const GRAPH = `version: 1
graph: { name: shop, label_matchers: [team=web] }
subgraphs:
  - { name: products, routing_url: '${URL}', labels: [team=web], schema: { file: products.graphql } }
  - { name: stock, routing_url: '${URL}', labels: [team=web], schema: { file: stock.graphql } }
  - { name: other, routing_url: '${URL}', labels: [team=other], schema: { file: stock.graphql } }
feature_flags:
  - name: new-stock
    labels: [team=web]
    feature_graphs:
      - { name: stock-next, subgraph_name: stock, routing_url: '${URL}', schema: { file: stock-next.graphql } }
`

let up: StartedUp
beforeAll(async () => {
  up = await startUp()
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(up.folder, name), text)
  await writeFile(join(up.folder, 'graph.yaml'), GRAPH)
})
afterAll(() => up[Symbol.asyncDispose]())

function run(line: string, options: RunOptions = {}): Promise<Run> {
  return runCommand(line.split(' '), { cwd: up.folder, ...options })
}

const Artifact = z.object({ supergraphSdl: z.string() })
const Config = z.object({ base: Artifact, featureFlags: z.record(z.string(), Artifact) })

async function supergraphsIn(file: string) {
  return Config.parse(JSON.parse(await readFile(join(up.folder, file), 'utf8')))
}

const History = z.object({
  result: z.object({ revisions: z.array(z.object({ featureFlags: z.array(z.string()) })) }),
})

const UNCHANGED = 'Namespace "default" is like this already; nothing was changed.'

describe('switchyard apply', () => {
  it('says what it would do, and does not do it', async () => {
    const { exitCode, stdout } = await run('apply graph.yaml --dry-run')
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(
      /^Nothing was written\. This would be done:\n {2}Federated graph "shop" was created\./,
    )
    expect(stdout).toContain('  Federated graph "shop" would be composed.\n')
    expect((await run('graph list --json')).json()).toMatchObject({ result: { graphs: [] } })
  })

  it('makes a whole graph at once, composed once', async () => {
    const applied = await run('apply graph.yaml --json')
    expect(applied).toMatchObject({ exitCode: 0, stderr: '' })
    expect(applied.json()).toMatchObject({
      ok: true,
      result: { changed: true, sequence: 1 },
      compositions: [
        { graph: 'shop', featureFlag: null, status: 'composed' },
        { graph: 'shop', featureFlag: 'new-stock', status: 'composed' },
      ],
    })
    await waitUntilServed((line) => run(line), 'shop')
    const { result } = History.parse((await run('config history shop --json')).json())
    // On a busy machine the base is recorded before its flag, and is a revision of its own.
    expect([[['new-stock']], [['new-stock'], []]]).toContainEqual(
      result.revisions.map(({ featureFlags }) => featureFlags),
    )
  })

  it('changes nothing when it is applied again, nor in a dry run', async () => {
    expect(await run('apply graph.yaml')).toMatchObject({ exitCode: 0, stdout: `${UNCHANGED}\n` })
    expect(await run('apply graph.yaml --dry-run')).toMatchObject({ exitCode: 0, stdout: `${UNCHANGED}\n` })
    const again = (await run('apply graph.yaml --json')).json()
    expect(again).toMatchObject({ ok: true, result: { changed: false, sequence: 1 }, compositions: [] })
  })

  it('is the file that "router compose" reads, with the same meaning', async () => {
    expect(await run('router compose --input graph.yaml --out config.json')).toMatchObject({
      exitCode: 0,
      stdout: 'config.json is written.\n  base: composed\n  flag new-stock: composed\n',
    })
    expect(await run('config fetch shop --out fetched.json')).toMatchObject({ exitCode: 0 })
    const [composed, fetched] = await Promise.all(['config.json', 'fetched.json'].map(supergraphsIn))
    expect(composed).toEqual(fetched)
    expect(Object.keys(composed?.featureFlags ?? {})).toEqual(['new-stock'])
    await writeFile(
      join(up.folder, 'off.yaml'),
      GRAPH.replace('feature_graphs:', 'enabled: false\n    feature_graphs:'),
    )
    expect((await run('router compose --input off.yaml --out config.json')).stdout).toBe(
      'config.json is written.\n  base: composed\n',
    )
  })

  it('publishes several schemas with a file of nothing else, and one composition', async () => {
    await writeFile(
      join(up.folder, 'schemas.yaml'),
      `version: 1
subgraphs:
  - { name: products, schema: { file: products-2.graphql } }
  - { name: stock, schema: { file: stock-2.graphql } }
`,
    )
    const applied = await run('apply schemas.yaml')
    expect(applied).toMatchObject({ exitCode: 0 })
    expect(applied.stdout).toContain(
      'The schema of "products" was published. The schema of "stock" was published.\n',
    )
    expect((await run('subgraph list --json')).json()).toMatchObject({
      result: {
        subgraphs: [{ name: 'other' }, { name: 'products' }, { name: 'stock' }, { name: 'stock-next' }],
      },
    })
  })

  it('exits 4 when a composition that it caused fails, with the lines of the files', async () => {
    await writeFile(join(up.folder, 'clash.graphql'), 'type Query { depot: String }\n')
    const clash = 'version: 1\nsubgraphs: [{ name: products, schema: { file: clash.graphql } }]\n'
    await writeFile(join(up.folder, 'clash.yaml'), clash)
    const failed = await run('apply clash.yaml')
    expect(failed.exitCode).toBe(4)
    expect(failed.stderr).toContain('clash.graphql:1:')
    expect(await run('apply graph.yaml')).toMatchObject({ exitCode: 0 })
  })

  it('creates, orders and changes rollouts, with conditions as text or as objects', async () => {
    const rollouts = (percent: number) => `${GRAPH}rollouts:
  - name: second
    graph: shop
    flag: new-stock
    percent: ${percent}
    key: ['claim:sub', 'cookie:visitor']
    where: ['claim:plan in pro,team', { on: client, not: { equals: bot } }]
    expires: 2099-01-01T00:00:00+01:00
  - { name: first, graph: shop, flag: new-stock, salt: s }
`
    await writeFile(join(up.folder, 'rollouts.yaml'), rollouts(5))
    const foreseen = await run('apply rollouts.yaml --dry-run')
    expect(foreseen.stdout).toContain('Rollout "second" was created: 5 percent of its audience')
    expect(foreseen.stdout).toContain('  Routers of federated graph "shop" would get its rollouts.\n')
    const applied = await run('apply rollouts.yaml --require-live --wait 300')
    expect(applied).toMatchObject({ exitCode: 0, stderr: '' })
    expect(applied.stdout).toContain('\nlive on 1/1 routers\n')
    expect((await run('rollout list --json')).json()).toMatchObject({
      result: {
        rollouts: [
          {
            name: 'second',
            key: ['claim:sub', 'cookie:visitor'],
            where: [
              { on: 'claim:plan', in: ['pro', 'team'] },
              { on: 'client', not: { equals: 'bot' } },
            ],
            expires: '2098-12-31T23:00:00.000Z',
          },
          { name: 'first', percent: 0, salt: 's' },
        ],
      },
    })
    expect((await run('apply rollouts.yaml')).stdout).toBe(`${UNCHANGED}\n`)
    await writeFile(join(up.folder, 'rollouts.yaml'), rollouts(10))
    expect((await run('apply rollouts.yaml')).stdout).toContain('Rollout "second" was updated: 10 percent')
  })

  it('leaves an aborted rollout aborted', async () => {
    await run('rollout abort second')
    expect((await run('apply rollouts.yaml')).stdout).toBe(`${UNCHANGED}\n`)
    expect((await run('rollout get second')).stdout).toContain('0 (aborted, was 10)')
  })

  it('composes a file with rollouts, and says that a router with the result has none', async () => {
    const composed = await run('router compose --input rollouts.yaml --out config.json')
    expect(composed).toMatchObject({ exitCode: 0 })
    expect(composed.stderr).toContain('warning: config.json has no rollouts: only a registry gives')
  })

  it('deletes rollouts with --prune only if the file has the member, and asks first', async () => {
    const named = async () => (await run('rollout list')).stdout.split('\n').map((row) => row.split('\t')[1])
    expect((await run('apply graph.yaml --prune')).stdout).toBe(`${UNCHANGED}\n`)
    expect(await named()).toEqual(['second', 'first', undefined])
    await writeFile(join(up.folder, 'fewer.yaml'), `${GRAPH}rollouts: [{ name: second }]\n`)
    const refused = await run('apply fewer.yaml --prune')
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(refused.stderr).toContain('Rollout "first" was deleted.')
    expect(await run('apply fewer.yaml --prune --force')).toMatchObject({ exitCode: 0 })
    expect(await named()).toEqual(['second', undefined])
    await writeFile(join(up.folder, 'none.yaml'), `${GRAPH}rollouts: []\n`)
    expect(await run('apply none.yaml --prune', { terminal: true, typed: 'y' })).toMatchObject({
      exitCode: 0,
    })
    expect(await named()).toEqual([undefined])
  })

  it('deletes what the file does not name with --prune only, and asks first', async () => {
    const lines = GRAPH.split('\n').filter((line) => !line.includes('name: other'))
    await writeFile(join(up.folder, 'less.yaml'), lines.join('\n'))
    expect((await run('apply less.yaml')).stdout).toBe(`${UNCHANGED}\n`)
    expect((await run('apply less.yaml --prune --dry-run')).stdout).toContain('Subgraph "other" was deleted.')
    const refused = await run('apply less.yaml --prune')
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(refused.stderr).toMatch(/There is no terminal to ask on.*--force/)
    const no = await run('apply less.yaml --prune', { terminal: true, typed: 'n' })
    expect(no.exitCode).toBe(1)
    expect(no.stderr).toContain('Subgraph "other" was deleted')
    expect((await run('apply less.yaml --prune', { terminal: true, typed: 'y' })).stdout).toContain(
      'Subgraph "other" was deleted.',
    )
    // Nothing to delete, nothing to ask.
    expect(await run('apply less.yaml --prune')).toMatchObject({ exitCode: 0, stdout: `${UNCHANGED}\n` })
  })

  it('is refused with everything that the registry finds wrong, and changes nothing', async () => {
    await writeFile(
      join(up.folder, 'wrong.yaml'),
      `version: 1
graph: { name: new-graph }
subgraphs: [{ name: nowhere }]
feature_flags:
  - { name: f, feature_graphs: [{ name: products, subgraph_name: stock }] }
  - { name: g }
`,
    )
    for (const line of ['apply wrong.yaml', 'apply wrong.yaml --dry-run']) {
      const refused = await run(line)
      expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
      expect(refused.stderr).toContain('1. There is no subgraph "nowhere" yet: its routing URL is needed')
      expect(refused.stderr).toContain('2. "products" is a subgraph, not a feature subgraph.')
      expect(refused.stderr).toContain('3. There is no feature flag "g" yet')
    }
    expect((await run('graph list --json')).json()).toMatchObject({ result: { graphs: [{ name: 'shop' }] } })
  })

  it('works in the namespace of the file, unless the command line names another', async () => {
    await run('namespace create team')
    const inTeam = 'version: 1\ngraph: { name: g, namespace: team }\n'
    await writeFile(join(up.folder, 'team.yaml'), inTeam)
    expect(await run('apply team.yaml')).toMatchObject({ exitCode: 0 })
    expect((await run('graph list -n team --json')).json()).toMatchObject({
      result: { graphs: [{ name: 'g' }] },
    })
    expect(await run('apply team.yaml -n elsewhere')).toMatchObject({ exitCode: 2 })
    expect(await run('apply graph.yaml -n elsewhere')).toMatchObject({ exitCode: 1 })
    await rm(join(up.folder, 'team.yaml'))
  })
})

describe('the file of switchyard apply', () => {
  it.each([
    ['version: 1\nsubgraph: []\n', 'a.yaml:2:1', 'unknown key "subgraph"; did you mean "subgraphs"?'],
    [
      'version: 1\nsubgraphs: [{ name: a, routing_ulr: "http://a/" }]\n',
      'a.yaml:2:',
      'unknown key "routing_ulr"; did you mean "routing_url"?',
    ],
    ['version: 1\ngraphs: [{ name: a, zebra: 1 }]\n', 'a.yaml:2:', 'unknown key "zebra"'],
    ['version: 1\ngraphs: [{ name: a, public_url: "ftp://a/" }]\n', 'a.yaml:2:', 'a public URL is the http'],
    ['version: 2\n', 'a.yaml:1:', 'must be 1'],
    ['version: 1\nsubgraphs: [{ name: a--b }]\n', 'a.yaml:2:', 'a name is 1 to 100'],
    ['version: 1\nsubgraphs: [{ name: a, schema: { file: gone.graphql } }]\n', 'a.yaml:2:', 'does not exist'],
    [
      'version: 1\nallow_unenforced_authorization: true\n',
      'a.yaml:2:',
      'belongs to "graph", which this file does not name',
    ],
    [
      'version: 1\nfeature_flags:\n  - { name: f, feature_graphs: [{ name: x, routing_url: "http://a/" }] }\n  - { name: g, feature_graphs: [{ name: x, routing_url: "http://b/" }] }\n',
      'a.yaml:4:',
      'feature subgraph "x" is described otherwise',
    ],
    [
      "version: 1\nrollouts:\n  - name: r\n    where: ['claim:plan in pro', 'claim:plan is pro']\n",
      'a.yaml:4:34: rollouts[0].where[1]: "claim:plan is pro" is no condition',
      '"is" is no test (did you mean in?)',
    ],
    [
      'version: 1\nrollouts:\n  - name: r\n    where:\n      - { on: client, equals: a, in: [b] }\n',
      'a.yaml:5:',
      'expected exactly one of equals, in,',
    ],
    ['version: 1\nrollouts: [{ name: r, where: [1] }]\n', 'a.yaml:2:', 'expected a condition, such as'],
    ['version: 1\nrollouts: [{ name: r, wher: [] }]\n', 'a.yaml:2:', 'did you mean "where"?'],
    ['version: 1\nrollouts: [{ name: r, percent: 101 }]\n', 'a.yaml:2:', 'a percentage from 0 to 100'],
    ['version: 1\nrollouts: [{ name: r, expires: soon }]\n', 'a.yaml:2:', 'expected a time in RFC 3339'],
  ])('is refused with its line, and nothing is asked: %s', async (text, place, says) => {
    const cwd = await createFolder({ 'a.yaml': text })
    const refused = await runCommand(['apply', 'a.yaml'], { cwd })
    expect([1, 2]).toContain(refused.exitCode)
    expect(refused.stderr).toContain(place)
    expect(refused.stderr).toContain(says)
  })

  it('names every schema that does not parse', async () => {
    const cwd = await createFolder({
      'a.yaml':
        'version: 1\nsubgraphs: [{ name: a, schema: { file: x.graphql } }, { name: b, schema: { file: y.graphql } }]\n',
      'x.graphql': 'type {',
      'y.graphql': 'type Query {\n  a: [Int\n}\n',
    })
    const refused = await runCommand(['apply', 'a.yaml', '--json'], { cwd })
    expect(refused).toMatchObject({ exitCode: 1, stderr: '' })
    expect(refused.json()).toMatchObject({
      error: {
        code: 'SCHEMA_INVALID',
        detail: '2 schemas are invalid; nothing was changed.',
        problems: [expect.stringMatching(/^x\.graphql:1:6: /), expect.stringMatching(/^y\.graphql:3:1: /)],
      },
    })
  })
})
