/**
 * Every command against a real registry, with the whole line behind it. The steps of the scenario build on
 * each other.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand, waitUntilServed } from './run-command.ts'
import type { Run } from './run-command.ts'
import { startUp } from './start-up.ts'
import type { StartedUp } from './start-up.ts'

const SCHEMAS = {
  'products.graphql':
    'type Query { product: Product }\ntype Product @key(fields: "id") { id: ID! name: String }\n',
  'stock.graphql': 'type Query { depot: Int }\ntype Product @key(fields: "id") { id: ID! inStock: Int }\n',
  'stock-next.graphql':
    'type Query { depot: Int }\ntype Product @key(fields: "id") { id: ID! inStock: Int shelf: String }\n',
  'clash.graphql': 'type Query { depot: Int product: Int }\n',
}

let up: StartedUp
beforeAll(async () => {
  up = await startUp()
  for (const [name, sdl] of Object.entries(SCHEMAS)) await writeFile(join(up.folder, name), sdl)
})
afterAll(() => up[Symbol.asyncDispose]())

function run(line: string, options: { terminal?: boolean } = {}): Promise<Run> {
  // Address and key are found in the folder.
  return runCommand(line.split(' '), { cwd: up.folder, ...options })
}

async function succeed(line: string): Promise<Run> {
  const result = await run(line)
  expect(result, line).toMatchObject({ exitCode: 0 })
  return result
}

async function fieldsOfProduct(headers: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const response = await fetch(up.routerUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query: '{ __type(name: "Product") { fields { name } } }' }),
  })
  const body: unknown = await response.json()
  return body
}

const BASE_FIELDS = { data: { __type: { fields: [{ name: 'id' }, { name: 'inStock' }, { name: 'name' }] } } }
const FLAG_FIELDS = {
  data: { __type: { fields: [{ name: 'id' }, { name: 'inStock' }, { name: 'name' }, { name: 'shelf' }] } },
}
const sorted = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer), (_, value: unknown) =>
    Array.isArray(value)
      ? value.toSorted((a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1))
      : value,
  )

describe('a graph set up by commands', () => {
  it('says that there is nothing to compose yet when the graph is new', async () => {
    const created = await succeed('graph create shop --label-matcher team=shop,team=store')
    expect(created.stdout).toContain('Federated graph "shop" was created.')
    expect(created.stderr).toMatch(/^warning: Nothing can be composed for "shop" yet: .*\n$/)
  })

  it('creates subgraphs, publishes, and says how many routers serve it', async () => {
    await succeed('subgraph create products --routing-url http://127.0.0.1:9/graphql --label team=shop')
    await succeed('subgraph publish products --schema products.graphql')
    const line =
      'subgraph publish stock --schema stock.graphql --routing-url http://127.0.0.1:9/graphql --label team=store --require-live'
    const published = await succeed(`${line} --json`)
    expect(published.json()).toMatchObject({
      ok: true,
      result: { changed: true, pending: false, message: expect.stringContaining('"stock"') },
      compositions: [{ graph: 'shop', featureFlag: null, status: 'composed', errors: [], hints: [] }],
      routers: { serving: 1, total: 1 },
    })
    expect(sorted(await fieldsOfProduct())).toEqual(BASE_FIELDS)
  })

  it('changes nothing when the same schema is published again, and says so', async () => {
    const again = await succeed('subgraph publish stock --schema stock.graphql --json')
    expect(again.json()).toMatchObject({ ok: true, result: { changed: false }, compositions: [] })
  })

  it('creates a feature subgraph without composing, and publishes it only when it is one', async () => {
    const publish = 'fs publish stock-next --schema stock-next.graphql'
    expect(await run(publish)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('give both --subgraph and --routing-url'),
    })
    const created = await succeed(
      `${publish} --subgraph stock --routing-url http://127.0.0.1:9/graphql --json`,
    )
    expect(created.json()).toMatchObject({ result: { changed: true }, compositions: [] })
    expect(await run('fs publish stock --schema stock.graphql')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('"stock" is a subgraph, not a feature subgraph'),
    })
  })

  it('serves an enabled flag to those who name it, and stops when it is disabled', async () => {
    const created = await succeed(
      'ff create shelves --fs stock-next --label team=shop --enabled --require-live',
    )
    expect(created.stdout).toMatch(/shop with flag shelves {2}composed/)
    expect(created.stdout).toMatch(/live on 1\/1 routers$/m)
    expect(sorted(await fieldsOfProduct({ 'x-feature-flag': 'shelves' }))).toEqual(FLAG_FIELDS)
    expect(sorted(await fieldsOfProduct({ cookie: 'feature_flag=shelves' }))).toEqual(FLAG_FIELDS)
    expect(sorted(await fieldsOfProduct({ 'x-feature-flag': 'nobody' }))).toEqual(BASE_FIELDS)

    await succeed('feature-flag disable shelves --require-live')
    expect(sorted(await fieldsOfProduct({ 'x-feature-flag': 'shelves' }))).toEqual(BASE_FIELDS)
    expect((await succeed('ff disable shelves --json')).json()).toMatchObject({ result: { changed: false } })
    const again = await succeed('ff enable shelves --require-live')
    expect(again.stdout).toMatch(
      /shop +unchanged\n {2}shop with flag shelves {2}composed, as known from before\n/,
    )
    expect(again.stdout).toContain('live on 1/1 routers')
    expect(sorted(await fieldsOfProduct({ 'x-feature-flag': 'shelves' }))).toEqual(FLAG_FIELDS)
  })

  it('does not promise that what was served stays served where nothing ever was', async () => {
    await succeed('namespace create empty')
    const at = '--routing-url http://127.0.0.1:9/graphql -n empty'
    for (const label of ['', ' --label team=b'])
      await succeed(`subgraph publish good${label.slice(-1)} --schema products.graphql ${at}${label}`)
    await succeed(`subgraph publish bad --schema clash.graphql ${at} --label team=b`)
    const never = await run('graph create never --label-matcher team=b -n empty')
    expect(never.exitCode).toBe(4)
    const unserved = 'never does not compose; the graph serves nothing yet.'
    expect(never.stderr).toContain(unserved)
    expect((await succeed('graph get never -n empty')).stdout).toContain(unserved)

    await succeed('graph create once -n empty')
    await waitUntilServed(run, 'once -n empty')
    const broken = await run(`subgraph publish clash --schema clash.graphql ${at}`)
    expect(broken.stderr).toContain('once does not compose; what was served before stays served.')
    await succeed(`fs publish next --schema products.graphql --subgraph good ${at}`)
    const enabled = await run('ff create late --fs next --enabled -n empty')
    const instead = 'once with flag late does not compose; requests that name the flag get the base graph.'
    expect(enabled.stderr).toContain(instead)
    expect((await succeed('ff get late -n empty')).stdout).toContain(instead)
    await succeed('namespace delete empty --force')
  })

  it('exits 4 when a publish breaks the composition, and keeps serving what was served', async () => {
    const broken = await run('subgraph publish stock --schema clash.graphql')
    expect(broken.exitCode).toBe(4)
    expect(broken.stdout).toMatch(/shop +failed/)
    expect(broken.stdout).not.toContain('live on')
    expect(broken.stderr).toMatch(/error\[[A-Z_]+\]: /)
    expect(broken.stderr).toMatch(/--> clash\.graphql:1:\d+ \(subgraph stock\)/)
    // The line of the other team's schema comes from the registry.
    expect(broken.stderr).toMatch(/--> products:1:\d+\n.*\n +1 \| type Query \{ product: Product \}/)
    expect(sorted(await fieldsOfProduct())).toEqual(BASE_FIELDS)
    await succeed('subgraph publish stock --schema stock.graphql')
  })

  it('says while the base is broken what takes effect and what waits, and that a touched flag stays as it was', async () => {
    await run('subgraph publish stock --schema clash.graphql')
    const touched = await run('fs publish stock-next --schema clash.graphql')
    expect(touched.exitCode).toBe(4)
    const shown = await succeed('ff get shelves')
    expect(shown.stdout).toMatch(/shop: served\n/)
    expect(shown.stdout).toContain(
      'shop with flag shelves does not compose; what was served before stays served.',
    )
    expect(sorted(await fieldsOfProduct({ 'x-feature-flag': 'shelves' }))).toEqual(FLAG_FIELDS)
    const disabled = await succeed('ff disable shelves')
    expect(disabled.stdout).toContain(
      'The base graph does not compose: routers go on serving what composed last.\n' +
        'Only removals and rollbacks take effect meanwhile (now on 1/1 routers); everything else waits until the base graph composes again.\n',
    )
    expect(sorted(await fieldsOfProduct({ 'x-feature-flag': 'shelves' }))).toEqual(BASE_FIELDS)
    await succeed('subgraph publish stock --schema stock.graphql')
    await succeed('fs publish stock-next --schema stock-next.graphql')
    await succeed('ff enable shelves')
  })

  it('exits 4 when a publish breaks a flag, and says that those who name it get the base graph', async () => {
    const broken = await run('fs publish stock-next --schema clash.graphql')
    expect(broken.exitCode).toBe(4)
    expect(broken.stderr).toContain(
      'error: shop with flag shelves does not compose; requests that name the flag get the base graph.',
    )
    expect(sorted(await fieldsOfProduct({ 'x-feature-flag': 'shelves' }))).toEqual(BASE_FIELDS)
    await succeed('fs publish stock-next --schema stock-next.graphql')
    expect(sorted(await fieldsOfProduct({ 'x-feature-flag': 'shelves' }))).toEqual(FLAG_FIELDS)
  })

  it('lists what there is, in columns for people and in lines for programs', async () => {
    expect((await succeed('namespace list')).stdout).toBe('default\n')
    expect((await succeed('graph list')).stdout).toMatch(
      /^shop\tteam=shop,team=store\tcomposed\tproducts stock\t\d+\n$/,
    )
    expect((await succeed('subgraph list')).stdout).toBe(
      'products\tteam=shop\tpublished\t-\thttp://127.0.0.1:9/graphql\n' +
        'stock\tteam=store\tpublished\t-\thttp://127.0.0.1:9/graphql\n' +
        'stock-next\t-\tpublished\tstock\thttp://127.0.0.1:9/graphql\n',
    )
    expect((await succeed('fs list')).stdout).toBe(
      'stock-next\tstock\tpublished\thttp://127.0.0.1:9/graphql\n',
    )
    expect((await succeed('ff list')).stdout).toMatch(
      /^shelves\t(?:new|live)\t[^\t]+ UTC\tteam=shop\tstock-next\tshop: served\n$/,
    )
    const terminal = await run('ff list', { terminal: true })
    expect(terminal.stdout).toMatch(/NAME +STATE +LAST NAMED +LABELS/)
    const routers = await succeed('router list --graph shop --json')
    expect(routers.json()).toMatchObject({
      ok: true,
      result: { routers: [{ namespace: 'default', graph: 'shop', flags: ['shelves'], alive: true }] },
    })
  })

  it('keeps namespaces apart', async () => {
    await succeed('namespace create staging')
    await succeed('graph create shop -n staging --no-wait')
    expect((await succeed('subgraph list -n staging')).stdout).toBe('')
  })
})

describe('what the registry refuses', () => {
  const REFUSED: readonly { readonly line: string; readonly code: string }[] = [
    { line: 'namespace create default', code: 'ALREADY_EXISTS' },
    { line: 'graph create shop', code: 'ALREADY_EXISTS' },
    { line: 'graph create g -n nowhere', code: 'NOT_FOUND' },
    { line: 'subgraph create products --routing-url http://a', code: 'ALREADY_EXISTS' },
    { line: 'subgraph publish nobody --schema stock.graphql', code: 'NOT_FOUND' },
    { line: 'fs create x --subgraph nobody --routing-url http://a', code: 'BASE_SUBGRAPH_NOT_FOUND' },
    { line: 'ff create f --fs products nobody', code: 'FEATURE_FLAG_INVALID' },
    { line: 'ff create shelves --fs stock-next', code: 'ALREADY_EXISTS' },
    { line: 'ff enable nobody', code: 'NOT_FOUND' },
  ]
  it.each(REFUSED)('exits 1 and changes nothing: $line', async ({ line, code }) => {
    const refused = await run(`${line} --json`)
    expect(refused.json()).toMatchObject({ ok: false, error: { code } })
    expect(refused.exitCode).toBe(1)
  })

  it('numbers all reasons when there are several', async () => {
    const refused = await run('ff create f --fs products nobody')
    expect(refused.stderr).toMatch(/\n {2}1\. .*\n {2}2\. /)
  })

  it('includes a key that it does not know', async () => {
    const env = { SWITCHYARD_REGISTRY_URL: up.registryUrl, SWITCHYARD_API_KEY: 'swy_00_none' }
    const refused = await runCommand(['graph', 'list', '--json'], { cwd: up.folder, env })
    expect(refused.exitCode).toBe(1)
    expect(refused.json()).toMatchObject({ ok: false, error: { code: 'UNAUTHENTICATED' } })
  })
})

describe('a second up', () => {
  it('on the same data directory is refused, and the first one is unharmed', async () => {
    await expect(startUp('--data-dir', join(up.folder, '.switchyard'))).rejects.toThrow(
      /DATA_DIRECTORY_IN_USE/,
    )
    expect((await succeed('namespace list')).stdout).toContain('default')
  })

  it('on a taken port is refused with the port and the option', async () => {
    const { port } = new URL(up.routerUrl)
    await expect(startUp('--router-port', port)).rejects.toThrow(
      new RegExp(`up ended with 1: [^]*Port ${port}.*--router-port`),
    )
  })
})
