import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ExecutionConfigFile } from '@switchyard/contracts'
import { describe, expect, it } from 'vitest'
import { runCommand } from './run-command.ts'
import { readWorkflowCommands } from './workflow-commands.ts'
import { createFolder } from './workspace.ts'

const PRODUCTS = 'type Query { product: Product }\ntype Product @key(fields: "id") { id: ID! name: String }\n'
const STOCK = 'type Query { stock: Int }\ntype Product @key(fields: "id") { id: ID! inStock: Int }\n'
const STOCK_NEXT =
  'type Query { stock: Int }\ntype Product @key(fields: "id") { id: ID! inStock: Int shelf: String }\n'

const GRAPH = `version: 1
subgraphs:
  - name: stock
    routing_url: http://localhost:4102/graphql
    schema: { file: ./schemas/stock.graphql }
  - name: products
    routing_url: http://localhost:4101/graphql
    schema: { file: ./schemas/products.graphql }
feature_flags:
  - name: shelves
    feature_graphs:
      - name: stock-next
        subgraph_name: stock
        routing_url: http://localhost:4201/graphql
        schema: { file: ./schemas/stock-next.graphql }
`
const FILES = {
  'in/graph.yaml': GRAPH,
  'in/schemas/products.graphql': PRODUCTS,
  'in/schemas/stock.graphql': STOCK,
  'in/schemas/stock-next.graphql': STOCK_NEXT,
}
const COMMAND = ['router', 'compose', '--input', 'in/graph.yaml', '--out', 'config.json']

async function readConfig(cwd: string): Promise<ExecutionConfigFile> {
  return ExecutionConfigFile.parse(JSON.parse(await readFile(join(cwd, 'config.json'), 'utf8')))
}

describe('router compose', () => {
  it('writes one document with the base and every flag, feature subgraphs in place of what they replace', async () => {
    const cwd = await createFolder(FILES)
    const run = await runCommand(COMMAND, { cwd })
    expect(run).toMatchObject({ exitCode: 0, stderr: '' })
    expect(run.stdout).toBe('config.json is written.\n  base: composed\n  flag shelves: composed\n')
    const config = await readConfig(cwd)
    expect(config.base.subgraphs).toEqual([
      { name: 'products', routingUrl: 'http://localhost:4101/graphql' },
      { name: 'stock', routingUrl: 'http://localhost:4102/graphql' },
    ])
    expect(config.base.supergraphSdl).not.toContain('shelf')
    expect(config.featureFlags['shelves']?.subgraphs).toEqual([
      { name: 'products', routingUrl: 'http://localhost:4101/graphql' },
      { name: 'stock-next', routingUrl: 'http://localhost:4201/graphql', baseName: 'stock' },
    ])
    expect(config.featureFlags['shelves']?.supergraphSdl).toContain('shelf')
    expect(config.base.compatibilityVersion).toMatch(/^v\d+\.\d+$/)
  })

  it('takes none for the URL of a subgraph of events, which has no server', async () => {
    const cwd = await createFolder({
      'in/graph.yaml': `version: 1
subgraphs:
  - { name: products, routing_url: "http://localhost:4101/graphql", schema: { file: ./products.graphql } }
  - { name: events, routing_url: none, schema: { file: ./events.graphql } }
`,
      'in/products.graphql': PRODUCTS,
      'in/events.graphql':
        'type Subscription { sold: Product! @edfs__natsSubscribe(subjects: ["sold.>"]) }\ntype Product @key(fields: "id", resolvable: false) { id: ID! @external }\n',
    })
    expect(await runCommand(COMMAND, { cwd })).toMatchObject({ exitCode: 0 })
    const { base } = await readConfig(cwd)
    expect(base.subgraphs.map(({ routingUrl }) => routingUrl)).toEqual([
      'http://events.invalid/',
      'http://localhost:4101/graphql',
    ])
    expect(base.supergraphSdl).toContain('@eventSources(field: "Subscription.sold"')
  })

  it('writes the same bytes again for the same input', async () => {
    const cwd = await createFolder(FILES)
    await runCommand(COMMAND, { cwd })
    const first = await readFile(join(cwd, 'config.json'), 'utf8')
    await runCommand(COMMAND, { cwd })
    expect(await readFile(join(cwd, 'config.json'), 'utf8')).toBe(first)
    expect(await readdir(cwd)).toEqual(['config.json', 'in'])
  })

  it('exits 4 and leaves the old file when the base does not compose, showing the source', async () => {
    const cwd = await createFolder({
      ...FILES,
      'config.json': 'old',
      'in/schemas/stock.graphql': 'type Query { product: Int }\n',
    })
    const run = await runCommand(COMMAND, { cwd })
    expect(run.exitCode).toBe(4)
    expect(run.stdout).toContain('config.json is not written.')
    expect(run.stderr).toMatch(/error: the base graph does not compose\.\nerror\[[A-Z_]+\]: /)
    expect(run.stderr).toContain('--> in/schemas/stock.graphql:1:23')
    expect(run.stderr).toContain('1 error in 2 subgraphs.')
    expect(await readFile(join(cwd, 'config.json'), 'utf8')).toBe('old')
  })

  it('exits 4 when a flag does not compose, unless that is allowed', async () => {
    const cwd = await createFolder({
      ...FILES,
      'in/schemas/stock-next.graphql': 'type Query { stock: Int \n',
    })
    const strict = await runCommand([...COMMAND, '--json'], { cwd })
    expect(strict.exitCode).toBe(4)
    expect(strict.json()).toMatchObject({
      ok: false,
      result: { written: false },
      compositions: [
        { featureFlag: null, status: 'composed' },
        { featureFlag: 'shelves', status: 'failed', errors: [{ code: 'INVALID_GRAPHQL' }] },
      ],
    })
    expect(await readdir(cwd)).toEqual(['in'])

    const relaxed = await runCommand([...COMMAND, '--allow-failed-flags'], { cwd })
    expect(relaxed.exitCode).toBe(0)
    expect(relaxed.stderr).toContain('flag shelves does not compose')
    expect((await readConfig(cwd)).featureFlags).toEqual({})
  })

  it('takes with a hint what the next minor version refuses, and refuses it with --strict', async () => {
    const oneOf = `${STOCK_NEXT}\nextend type Query { pick(by: Pick): Int }\ninput Pick @oneOf { id: Int! name: Int }\n`
    const cwd = await createFolder({ ...FILES, 'in/schemas/stock-next.graphql': oneOf })
    const hinted = await runCommand(COMMAND, { cwd })
    expect(hinted.exitCode).toBe(0)
    expect(hinted.stderr).toContain('"Pick.id" is a field of a @oneOf type')

    const strict = await runCommand([...COMMAND, '--strict', '--json'], { cwd })
    expect(strict.exitCode).toBe(4)
    expect(strict.json()).toMatchObject({
      compositions: [
        { featureFlag: null, status: 'composed' },
        { featureFlag: 'shelves', status: 'failed', errors: [{ code: 'INVALID_GRAPHQL' }] },
      ],
    })
  })

  it('keeps a flag named like a member of every object', async () => {
    const cwd = await createFolder({
      ...FILES,
      'in/graph.yaml': GRAPH.replace('name: shelves', 'name: constructor'),
    })
    expect((await runCommand(COMMAND, { cwd })).exitCode).toBe(0)
    expect(Object.keys((await readConfig(cwd)).featureFlags)).toEqual(['constructor'])
  })

  const REFUSED: readonly {
    readonly what: string
    readonly change: [string, string]
    readonly says: RegExp
  }[] = [
    {
      what: 'an unknown key',
      change: ['routing_url: http://localhost:4201/graphql', 'routing_ulr: http://localhost:4201/graphql'],
      says: /in\/graph\.yaml:14:22: feature_flags\[0\]\.feature_graphs\[0\]\.routing_ulr: unknown key "routing_ulr"/,
    },
    {
      what: 'an unknown subgraph to replace',
      change: ['subgraph_name: stock', 'subgraph_name: shop'],
      says: /in\/graph\.yaml:13:24: .*subgraph_name: there is no subgraph "shop" in this file \(there are: stock, products\)/,
    },
    {
      what: 'a routing URL that is none',
      change: ['http://localhost:4102/graphql', 'localhost:4102'],
      says: /in\/graph\.yaml:4:18: subgraphs\[0\]\.routing_url: http:\/\/ or https:\/\/ is missing/,
    },
    {
      what: 'a name that breaks the rule',
      change: ['name: products', 'name: "-products"'],
      says: /in\/graph\.yaml:6:11: subgraphs\[1\]\.name: a name is/,
    },
    {
      what: 'two subgraphs of one name',
      change: ['name: products', 'name: stock'],
      says: /a second subgraph is named "stock"/,
    },
    {
      what: 'a key written twice',
      change: ['version: 1', 'version: 1\nversion: 1'],
      says: /graph\.yaml:2:1: Map keys must be unique/,
    },
    {
      what: 'another version',
      change: ['version: 1', 'version: 2'],
      says: /graph\.yaml:1:10: version: must be 1/,
    },
    { what: 'text that is no YAML', change: ['subgraphs:', '}{'], says: /graph\.yaml:2:\d+: / },
  ]
  it.each(REFUSED)('refuses $what, with its line', async ({ change: [from, to], says }) => {
    const cwd = await createFolder({ ...FILES, 'in/graph.yaml': GRAPH.replace(from, to) })
    const run = await runCommand(COMMAND, { cwd })
    expect(run.exitCode).toBe(1)
    expect(run.stderr).toMatch(says)
    expect(await readdir(cwd)).toEqual(['in'])
  })

  it('refuses two replacements of one subgraph in a flag', async () => {
    const second = `      - name: stock-later
        subgraph_name: stock
        routing_url: http://localhost:4202/graphql
        schema: { file: ./schemas/stock-next.graphql }
`
    const cwd = await createFolder({ ...FILES, 'in/graph.yaml': GRAPH + second })
    const run = await runCommand(COMMAND, { cwd })
    expect(run.exitCode).toBe(1)
    expect(run.stderr).toMatch(/graph\.yaml:17:24: .*"stock" is replaced by "stock-next" already/)
  })

  it('exits 2 when a schema file is missing or empty, and says who names it', async () => {
    const { 'in/schemas/stock.graphql': _, ...others } = FILES
    const missing = await runCommand(COMMAND, { cwd: await createFolder(others) })
    expect(missing.exitCode).toBe(2)
    expect(missing.stderr).toMatch(
      /in\/graph\.yaml:5:21: The schema file .*schemas\/stock\.graphql does not exist/,
    )
    const empty = await runCommand(COMMAND, {
      cwd: await createFolder({ ...FILES, 'in/schemas/stock.graphql': '' }),
    })
    expect(empty.exitCode).toBe(2)
    expect(empty.stderr).toMatch(/stock\.graphql is empty/)
  })

  it('exits 2 when the result cannot be written', async () => {
    const cwd = await createFolder(FILES)
    const run = await runCommand([...COMMAND.slice(0, -1), 'no/such/folder/config.json'], { cwd })
    expect(run.exitCode).toBe(2)
    expect(run.stderr).toBe(
      'error: no/such/folder/config.json cannot be written: the folder that it would be in does not exist.\n',
    )
    const folder = await runCommand([...COMMAND.slice(0, -1), 'in'], { cwd })
    expect(folder.exitCode).toBe(2)
    expect(folder.stderr).toBe('error: in is a folder; name the file that is to be written.\n')
  })

  it('refuses a feature graph that two flags describe differently, and takes one that they share', async () => {
    const later = `  - name: later
    feature_graphs:
      - name: stock-next
        subgraph_name: stock
        routing_url: http://localhost:4201/graphql
        schema: { file: ./schemas/stock-next.graphql }
`
    const shared = await createFolder({ ...FILES, 'in/graph.yaml': GRAPH + later })
    expect((await runCommand(COMMAND, { cwd: shared })).exitCode).toBe(0)
    expect(Object.keys((await readConfig(shared)).featureFlags)).toEqual(['shelves', 'later'])
    const cwd = await createFolder({ ...FILES, 'in/graph.yaml': GRAPH + later.replace('4201', '4202') })
    const run = await runCommand(COMMAND, { cwd })
    expect(run.exitCode).toBe(1)
    expect(run.stderr).toMatch(
      /in\/graph\.yaml:18:15: .*feature graph "stock-next" is described otherwise in flag "shelves"/,
    )
  })

  it('writes down that routers need not enforce who may see a field, with a warning, only where the file allows it', async () => {
    const guarded = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@authenticated"]) type Query { secret: Int @authenticated }`
    const graph =
      'version: 1\nsubgraphs:\n  - { name: vault, routing_url: "http://v/graphql", schema: { file: vault.graphql } }\n'
    const cwd = await createFolder({
      'vault.graphql': guarded,
      'graph.yaml': graph,
      'open.yaml': `${graph}allow_unenforced_authorization: true\n`,
    })
    const enforced = await runCommand(['router', 'compose', '--input', 'graph.yaml', '--out', 'a.json'], {
      cwd,
    })
    expect(enforced).toMatchObject({ exitCode: 0, stderr: expect.not.stringContaining('hint[') })
    const written = JSON.parse(await readFile(join(cwd, 'a.json'), 'utf8'))
    expect(written.base).not.toHaveProperty('allowUnenforcedAuthorization')
    expect(written.base.supergraphSdl).toContain('secret: Int @authenticated')
    const allowed = await runCommand(['router', 'compose', '--input', 'open.yaml', '--out', 'a.json'], {
      cwd,
    })
    expect(allowed.exitCode).toBe(0)
    expect(allowed.stderr).toContain('hint[AUTHORIZATION_NOT_ENFORCED]')
    expect(JSON.parse(await readFile(join(cwd, 'a.json'), 'utf8'))).toMatchObject({
      base: { allowUnenforcedAuthorization: true },
    })
  })

  it('writes down which graph it is when the file says so', async () => {
    const cwd = await createFolder({
      ...FILES,
      'in/graph.yaml': GRAPH.replace('subgraphs:', 'graph: { namespace: prod, name: shop }\nsubgraphs:'),
    })
    const run = await runCommand([...COMMAND, '--json'], { cwd })
    expect(run.json()).toMatchObject({
      ok: true,
      compositions: [{ graph: 'prod/shop' }, { graph: 'prod/shop' }],
    })
    expect((await readConfig(cwd)).graph).toEqual({ namespace: 'prod', name: 'shop' })
  })
})

const CLASH = 'type Query { product: Int }\n'
const OVERRIDING = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@override"])
type Query { product: Int }
type Product @key(fields: "id") { id: ID! inStock: Int @override(from: "nobody") }
`

describe('a failed router compose', () => {
  it('exits 4 when the base fails, also where failed flags are allowed', async () => {
    const cwd = await createFolder({ ...FILES, 'in/schemas/stock.graphql': CLASH })
    const run = await runCommand([...COMMAND, '--allow-failed-flags'], { cwd })
    expect(run.exitCode).toBe(4)
    expect(run.stdout).toBe('config.json is not written.\n  base: failed\n  flag shelves: composed\n')
    expect(await readdir(cwd)).toEqual(['in'])
  })

  it('exits 3 and writes nothing when it is interrupted', async () => {
    const cwd = await createFolder(FILES)
    const run = await runCommand(COMMAND, { cwd, signal: AbortSignal.abort() })
    expect(run).toMatchObject({
      exitCode: 3,
      stdout: '',
      stderr: 'error: Interrupted; nothing was changed.\n',
    })
    expect(await readdir(cwd)).toEqual(['in'])
  })

  it('keeps the hints, and prints them', async () => {
    const cwd = await createFolder({ ...FILES, 'in/schemas/stock.graphql': OVERRIDING })
    const run = await runCommand(COMMAND, { cwd })
    expect(run.exitCode).toBe(4)
    expect(run.stderr).toContain('the base graph does not compose')
    expect(run.stderr).toMatch(/hint.*FROM_SUBGRAPH_DOES_NOT_EXIST/)
    const json = await runCommand([...COMMAND, '--json'], { cwd })
    expect(json.json()).toMatchObject({
      ok: false,
      compositions: [
        { featureFlag: null, status: 'failed', hints: [{ code: 'FROM_SUBGRAPH_DOES_NOT_EXIST' }] },
        { featureFlag: 'shelves', status: 'composed', hints: [] },
      ],
    })
  })

  it('carries every error with its places, of the base and of each flag, in JSON', async () => {
    const cwd = await createFolder({
      ...FILES,
      'in/schemas/stock.graphql': CLASH,
      'in/schemas/stock-next.graphql': `\n${CLASH}`,
    })
    const run = await runCommand([...COMMAND, '--output', 'json'], { cwd })
    expect(run).toMatchObject({ exitCode: 4, stderr: '' })
    const error = (subgraph: string, line: number) => ({
      code: expect.any(String),
      subgraphs: ['products', subgraph],
      locations: expect.arrayContaining([
        expect.objectContaining({ subgraph, line, column: expect.any(Number) }),
      ]),
    })
    expect(run.json()).toMatchObject({
      ok: false,
      result: { written: false },
      compositions: [
        { featureFlag: null, status: 'failed', errorCount: 1, errors: [error('stock', 1)] },
        { featureFlag: 'shelves', status: 'failed', errorCount: 1, errors: [error('stock-next', 2)] },
      ],
    })
  })

  it('annotates all files concerned for GitHub', async () => {
    const cwd = await createFolder({ ...FILES, 'in/schemas/stock.graphql': CLASH })
    const run = await runCommand([...COMMAND, '--output', 'github'], { cwd })
    expect(run).toMatchObject({ exitCode: 4, stderr: '' })
    const commands = readWorkflowCommands(run.stdout)
    expect(
      commands.map(({ command, properties }) => [command, properties['file'], properties['line']]),
    ).toEqual([
      ['error', 'in/schemas/products.graphql', '1'],
      ['error', 'in/schemas/stock.graphql', '1'],
    ])
    expect(commands[0]?.message).toMatch(/\nat in\/schemas\/stock\.graphql:1:\d+\nin graph\.yaml$/)
  })

  it('annotates the lines of a description that is wrong', async () => {
    const cwd = await createFolder({
      ...FILES,
      'in/graph.yaml': GRAPH.replace('subgraph_name: stock', 'subgraph_name: shop').replace(
        'version: 1',
        'versoin: 1',
      ),
    })
    const wrong = await runCommand([...COMMAND, '--output', 'github'], { cwd })
    expect(wrong.exitCode).toBe(1)
    expect(readWorkflowCommands(wrong.stdout)).toContainEqual({
      command: 'error',
      properties: { file: 'in/graph.yaml', line: '1', col: '10', title: 'COMPOSE_INPUT_INVALID' },
      message: 'versoin: unknown key "versoin"; did you mean "version"?',
    })
    const missing = await createFolder({ 'in/graph.yaml': GRAPH })
    const run = await runCommand([...COMMAND, '--output', 'github'], { cwd: missing })
    expect(run.exitCode).toBe(2)
    expect(readWorkflowCommands(run.stdout)[0]).toMatchObject({
      properties: { file: 'in/graph.yaml', title: 'FILE_UNUSABLE' },
    })
  })
})
