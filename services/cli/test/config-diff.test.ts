/** `config diff` on a registry and a router of `switchyard up`. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PATIENTLY } from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { fakeRegistry } from './fake-registry.ts'
import { type Run, runCommand, type RunOptions } from './run-command.ts'
import { type StartedUp, startUp } from './start-up.ts'

const PRODUCTS =
  'type Query { product: Product }\ntype Product @key(fields: "id") { id: ID! name: String old: Int }\n'
const FILES: Readonly<Record<string, string>> = {
  'products.graphql': PRODUCTS,
  'stock.graphql': 'type Query { depot: Int }\ntype Product @key(fields: "id") { id: ID! inStock: Int }\n',
  // `name` moves to the other subgraph, and `old` goes.
  'products-2.graphql': 'type Query { product: Product }\ntype Product @key(fields: "id") { id: ID! }\n',
  'stock-2.graphql':
    'type Query { depot: Int }\ntype Product @key(fields: "id") { id: ID! inStock: Int name: String }\n',
  'stock-next.graphql':
    'type Query { depot: Int }\ntype Product @key(fields: "id") { id: ID! inStock: Int name: String shelf: Int }\n',
  'moving.yaml': `version: 1
subgraphs:
  - name: products
    schema: { file: ./products-2.graphql }
  - name: stock
    schema: { file: ./stock-2.graphql }
`,
  'operations/names.graphql': 'query Names { product { id name } }\n',
  'operations/mixed.graphql': [
    'query Old { product { old } }',
    'query Depot { depot }',
    'query Shelf { product { shelf } }',
    'query Chosen($full: Boolean!) { depot product @include(if: $full) { name } }',
    '',
  ].join('\n'),
  'documents.json': JSON.stringify({ '0123456789abcdef': 'query Names { product { id name } }' }),
}

let up: StartedUp
beforeAll(async () => {
  up = await startUp()
  await mkdir(join(up.folder, 'operations'))
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(up.folder, name), text)
  const url = '--routing-url http://127.0.0.1:9/graphql'
  await succeed('graph create shop')
  await succeed(`subgraph publish products --schema products.graphql ${url}`)
  await isRevision(1)
  await succeed(`subgraph publish stock --schema stock.graphql ${url}`)
  await isRevision(2)
  await succeed('apply moving.yaml')
  await isRevision(3)
  await succeed(`fs publish stock-next --schema stock-next.graphql --subgraph stock ${url}`)
  await succeed('ff create shelves --fs stock-next --enabled --require-live --wait 300')
  await isRevision(4)
})
afterAll(() => up[Symbol.asyncDispose]())

function run(line: string, options: RunOptions = {}): Promise<Run> {
  return runCommand(line.split(' '), { cwd: up.folder, ...options })
}
async function succeed(line: string): Promise<Run> {
  const result = await run(line)
  expect(result, line).toMatchObject({ exitCode: 0 })
  return result
}
async function isRevision(revision: number): Promise<void> {
  await vi.waitFor(async () => {
    expect((await run('graph get shop --json')).json()).toMatchObject({ result: { revision } })
  }, PATIENTLY)
}

describe('the difference of two revisions', () => {
  it('is what clients see, breaking changes first, and which calls are made instead', async () => {
    const { stdout, stderr } = await succeed('config diff shop 2 3 --operations operations')
    expect(stderr).toBe('')
    expect(stdout.split('\n')).toEqual([
      'shop: revision 2 → revision 3',
      'Client schema: 1 breaking change',
      '  breaking (1)',
      "    Product.old: Field 'old' was removed from object type 'Product'",
      'Plans of 5 operations from operations: 1 unchanged',
      expect.stringMatching(/^ {2}operations\/mixed\.graphql:1 Old: not answered any more: .*"old"/),
      '    - products: { product { old } }',
      '  operations/mixed.graphql:4 Chosen with $full = true: 2 calls, depth 1 → 3 calls, depth 2',
      expect.stringMatching(/^ {4}- products: .*name/),
      expect.stringMatching(/^ {4}\+ products: .*id/),
      expect.stringMatching(/^ {4}\+ stock for product: .*_entities.*name/),
      '  operations/names.graphql:1 Names: 1 call, depth 1 → 2 calls, depth 2',
      '    - products: { product { id name } }',
      expect.stringMatching(/^ {4}\+ products: /),
      expect.stringMatching(/^ {4}\+ stock for product: .*_entities.*name/),
      expect.stringMatching(/^ {2}operations\/mixed\.graphql:3 Shelf: valid on neither side: .*"shelf"/),
      '',
    ])
  })

  it('is the same for programs', async () => {
    const line = 'config diff shop 2 latest --operations operations/names.graphql --json'
    expect((await succeed(line)).json()).toMatchObject({
      ok: true,
      result: {
        graph: 'shop',
        from: { revision: 2, featureFlag: null },
        to: { revision: 4, featureFlag: null },
        schema: { breaking: 1, dangerous: 0, safe: 0, changes: [{ path: 'Product.old' }] },
        plans: {
          operations: 1,
          unchanged: 0,
          notCompared: 0,
          changed: 1,
          changes: [
            {
              operation: 'operations/names.graphql:1 Names',
              status: 'changed',
              from: { requests: 1, depth: 1, calls: ['products'] },
              to: { requests: 2, depth: 2, calls: ['products', 'stock'] },
              removed: [{ subgraph: 'products' }],
              added: [{ subgraph: 'products' }, { subgraph: 'stock' }],
            },
          ],
        },
      },
    })
  })

  it('says that no plans were compared where no operations are known, and takes the published documents', async () => {
    const without = await succeed('config diff shop 2 3')
    expect(without.stdout).not.toContain('Plans')
    expect(without.stderr).toContain('--operations names some')
    await succeed('documents publish web --graph shop --manifest documents.json')
    await isRevision(5)
    const { stdout } = await succeed('config diff shop 2 latest')
    expect(stdout).toContain('Plans of 1 operation of the published documents: 0 unchanged\n')
    expect(stdout).toContain('  Names (web 0123456789ab): 1 call, depth 1 → 2 calls, depth 2\n')
  })

  it('is that of a flag, on one side or on both', async () => {
    const onOne = await succeed('config diff shop latest latest --to-flag shelves --operations operations')
    expect(onOne.stdout).toMatch(/^shop: revision \d+ → revision \d+ with flag shelves\n/)
    expect(onOne.stdout).toContain('Product.shelf')
    expect(onOne.stdout).toMatch(/ {2}operations\/mixed\.graphql:3 Shelf: answered now \(2 calls, depth 2\)/)
    expect(onOne.stdout).toMatch(/\n {4}- stock: [^]*\n {4}\+ stock-next: /)
    const onBoth = await succeed('config diff shop live latest --flag shelves --exit-code')
    expect(onBoth.stdout).toContain('Both serve the same composition.\nClient schema: no changes\n')
  })

  it('exits 1 when there is one and that is asked for', async () => {
    expect((await run('config diff shop 1 2 --exit-code')).exitCode).toBe(1)
    expect((await run('config diff shop 2 2 --exit-code')).exitCode).toBe(0)
  })
})

describe('a comparison that cannot be made', () => {
  it.each([
    ['config diff shop 2 99', 1, /has no revision 99: it has the revisions 1 to \d/],
    ['config diff shop 1 2 --flag shelves', 1, /Revision 1 has no feature flag "shelves"; it has none/],
    ['config diff nobody 1 2', 1, /no federated graph "nobody"/],
    ['config diff nobody live 2', 1, /nothing is live/],
    ['config diff nobody latest 2', 1, /no federated graph "nobody"/],
    ['config diff shop 1', 2, /compares two revisions.*1 were given/],
    ['config diff shop 1 2 3', 2, /compares two revisions.*3 were given/],
    ['config diff shop 0 2', 2, /A revision is a number from 1 on/],
    ['config diff shop 1 2 --flag a --to-flag b', 2, /--flag is for both sides/],
    [
      'config diff shop 1 2 --operations nowhere',
      2,
      /The file or folder of operations nowhere cannot be read/,
    ],
    ['config diff shop 1 2 --operations documents.json', 1, /cannot be read as a GraphQL document/],
  ] as const)('%s', async (line, exitCode, says) => {
    const refused = await run(line)
    expect(refused).toMatchObject({ exitCode, stdout: '' })
    expect(refused.stderr).toMatch(says)
  })
})

describe('what is live', () => {
  const router = (instance: string, revision: number, more: object = {}) => ({
    instance,
    boot: 'b',
    namespace: 'default',
    graph: 'shop',
    epoch: 1,
    revision,
    registrySequence: 1,
    flags: [],
    configCreatedAt: null,
    state: 'serving',
    ageSeconds: 1,
    alive: true,
    serves: 'newest',
    ...more,
  })
  const refusalWith = async (...routers: readonly object[]) => {
    const env = await fakeRegistry((_, response) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ routers }))
    })
    const refused = await runCommand('config diff shop live 1'.split(' '), { env })
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
    return refused.stderr
  }

  it('has to be one revision of the event log, that of all routers that are alive', async () => {
    expect(await refusalWith(router('a', 3), router('b', 4), router('c', 4))).toContain(
      'Routers serve several revisions of federated graph "shop" now: 3 (a), 4 (b, c).',
    )
    expect(await refusalWith(router('a', 3), router('b', 9, { serves: 'not-in-log' }))).toContain(
      'b serves what the event log does not have',
    )
    expect(
      await refusalWith(router('a', 3, { alive: false }), router('b', 3, { state: 'starting' })),
    ).toContain('nothing is live')
  })
})
