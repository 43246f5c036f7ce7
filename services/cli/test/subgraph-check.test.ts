/**
 * Checks and diffs against a real registry. The steps build on each other; nothing that is checked is
 * published.
 */
import { hash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { runCommand, waitUntilServed } from './run-command.ts'
import type { Run } from './run-command.ts'
import { startUp } from './start-up.ts'
import type { StartedUp } from './start-up.ts'
import { readWorkflowCommands } from './workflow-commands.ts'

const FEDERATION =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@key", "@shareable", "@inaccessible"])\n'
const PRODUCTS = `${FEDERATION}type Query {
  product(id: ID!): Product
  search(term: String): [Product!]!
}
type Product @key(fields: "id") {
  id: ID!
  name: String
  price: Int
  state: State
}
enum State {
  NEW
  USED
}
`
const STOCK = `${FEDERATION}type Query {
  depot: Depot
}
type Depot {
  city: String
}
type Product @key(fields: "id") {
  id: ID!
  inStock: Int
}
`

let up: StartedUp
beforeAll(async () => {
  up = await startUp()
  const url = '--routing-url http://127.0.0.1:9/graphql'
  await write('products.graphql', PRODUCTS)
  await write('stock.graphql', STOCK)
  await write('stock-next.graphql', STOCK.replace('city: String', 'city: String\n  street: String'))
  await succeed('graph create shop --label-matcher team=shop')
  await succeed(`subgraph publish products --schema products.graphql ${url} --label team=shop`)
  await succeed(`subgraph publish stock --schema stock.graphql ${url} --label team=shop`)
  await succeed(`fs publish stock-next --schema stock-next.graphql --subgraph stock ${url}`)
  await succeed('ff create streets --fs stock-next --label team=shop --enabled')
})
afterAll(() => up[Symbol.asyncDispose]())

function run(line: string, env: Record<string, string> = {}): Promise<Run> {
  return runCommand(line.split(' '), {
    cwd: up.folder,
    env: { SWITCHYARD_REGISTRY_URL: up.registryUrl, ...env },
  })
}

async function succeed(line: string): Promise<Run> {
  const result = await run(line)
  expect(result, line).toMatchObject({ exitCode: 0 })
  return result
}

async function write(name: string, text: string): Promise<void> {
  await mkdir(dirname(join(up.folder, name)), { recursive: true })
  await writeFile(join(up.folder, name), text)
}

/** Writes the schema and checks it. */
async function check(name: string, sdl: string, options = ''): Promise<Run> {
  await write('changed.graphql', sdl)
  return run(`subgraph check ${name} --schema changed.graphql${options}`)
}

async function publishedSchemas(): Promise<unknown> {
  return (await succeed('subgraph list --json')).json()
}

describe('subgraph check', () => {
  it('passes what clients do not see, composes what is affected, and writes nothing', async () => {
    const before = await publishedSchemas()
    const checked = await check('products', PRODUCTS.replace('price: Int', 'price: Int\n  weight: Int'))
    expect(checked).toMatchObject({ exitCode: 0, stderr: '' })
    expect(checked.stdout).toBe(`Checked "products" with changed.graphql; nothing was published.
  shop                    composed
  shop with flag streets  composed
safe (1)
  Product.weight: Field 'weight' was added to object type 'Product'
    in shop, shop with flag streets
passed: 1 safe change
`)
    expect(await publishedSchemas()).toEqual(before)
  })

  it('exits 1 when a field that clients have goes', async () => {
    const checked = await check('products', PRODUCTS.replace('  price: Int\n', ''))
    expect(checked.exitCode).toBe(1)
    expect(checked.stdout).toMatch(/breaking \(1\)\n {2}Product\.price: Field 'price' was removed/)
    expect(checked.stdout).toMatch(/not passed: 1 breaking change\n$/)
  })

  it('stays breaking with --usage where nobody knows who used the field', async () => {
    const { stdout, exitCode } = await check(
      'products',
      PRODUCTS.replace('  price: Int\n', ''),
      ' --usage 1h',
    )
    expect(stdout).toContain("Field 'price' was removed from object type 'Product' (perhaps used: ")
    expect(exitCode).toBe(1)
  })

  it('passes it when breaking changes are allowed, and still lists them', async () => {
    const checked = await check('products', PRODUCTS.replace('  price: Int\n', ''), ' --allow-breaking')
    expect(checked.exitCode).toBe(0)
    expect(checked.stdout).toMatch(/breaking \(1\)\n[^]*passed: 1 breaking change\n$/)
  })

  it('says when only the base sees a change: the flag replaces the subgraph', async () => {
    const checked = await check('stock', STOCK.replace('city', 'town'), ' --json')
    expect(checked.exitCode).toBe(1)
    const change = { graph: 'shop', featureFlag: null }
    expect(checked.json()).toMatchObject({
      ok: false,
      result: {
        name: 'stock',
        passes: false,
        compositions: [
          { graph: 'shop', featureFlag: null, status: 'composed', comparedWith: 'served', errors: [] },
          { graph: 'shop', featureFlag: 'streets', status: 'unchanged' },
        ],
        changes: [
          { ...change, criticality: 'breaking', type: 'FIELD_REMOVED', path: 'Depot.city' },
          { ...change, criticality: 'safe', type: 'FIELD_ADDED', path: 'Depot.town' },
        ],
      },
      compositions: [{ status: 'composed' }, { status: 'unchanged' }],
      routers: { serving: 0, total: 0 },
    })
  })

  it.each([
    ['an argument made required', 'term: String', 'term: String!', 'Query.search.term'],
    ['an enum value removed', '  USED\n', '', 'State.USED'],
    [
      'a type made inaccessible',
      'state: State\n}\nenum State',
      'state: State @inaccessible\n}\nenum State @inaccessible',
      'State',
    ],
  ])('finds that %s breaks clients', async (_, from, to, path) => {
    expect(PRODUCTS).toContain(from)
    const checked = await check('products', PRODUCTS.replace(from, to), ' --json')
    expect(checked.exitCode).toBe(1)
    for (const featureFlag of [null, 'streets']) {
      expect(checked.json()).toMatchObject({
        result: {
          changes: expect.arrayContaining([
            expect.objectContaining({ graph: 'shop', featureFlag, criticality: 'breaking', path }),
          ]),
        },
      })
    }
  })

  it('shows composition errors with the line of the checked file, once for base and flag', async () => {
    const clash = PRODUCTS.replace('search(term', 'depot: String\n  search(term')
    const checked = await check('products', clash)
    expect(checked.exitCode).toBe(1)
    expect(checked.stdout).toMatch(/shop +failed\n {2}shop with flag streets +failed\n/)
    expect(checked.stdout).toMatch(/not passed: 2 compositions fail/)
    expect(checked.stderr).toMatch(
      /--> changed\.graphql:4:\d+ \(subgraph products\)\n.*\n? *4 \| {3}depot: String/,
    )
    // The other side comes from the registry: its line is shown, too.
    expect(checked.stderr).toMatch(/\| {3}depot: Depot/)
  })

  it('finds a feature subgraph that breaks nothing but its flag', async () => {
    await write('changed.graphql', STOCK.replace('depot: Depot', 'product: Int'))
    const checked = await run('fs check stock-next --schema changed.graphql')
    expect(checked.exitCode).toBe(1)
    expect(checked.stdout).toMatch(/shop +unchanged\n {2}shop with flag streets +failed\n/)
    expect(await run('fs check stock --schema changed.graphql')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('"stock" is a subgraph, not a feature subgraph'),
    })
  })

  it('knows new subgraphs by their labels, and takes no misspelt name for one', async () => {
    const news = `${FEDERATION}type Query { news: String }`
    const misspelt = await check('prodcuts', news)
    expect(misspelt.exitCode).toBe(1)
    expect(misspelt.stderr).toContain('There is no subgraph "prodcuts" in namespace "default".')
    const labelled = await check('news', news, ' --label team=shop')
    expect(labelled.exitCode).toBe(0)
    expect(labelled.stdout).toContain("Query.news: Field 'news' was added to object type 'Query'")
    const unlabelled = await check('news', news, ' --routing-url http://127.0.0.1:9/')
    expect(unlabelled).toMatchObject({ exitCode: 0, stderr: '' })
    expect(unlabelled.stdout).toContain('It is composed into no federated graph.')
    await write('changed.graphql', STOCK)
    const feature = await run('fs check stock-later --schema changed.graphql --subgraph stock')
    expect(feature.exitCode).toBe(0)
    expect(feature.stderr).toContain('"stock-later" is in no enabled feature flag')
    expect((await run('fs check stock-later --schema changed.graphql')).exitCode).toBe(1)
  })

  it('says that nothing changes when the schema is the published one', async () => {
    const checked = await check('stock', STOCK, ' --json')
    expect(checked.exitCode).toBe(0)
    expect(checked.json()).toMatchObject({ ok: true, result: { compositions: [], changes: [] } })
  })

  it('tells what a removal would take from clients', async () => {
    const removed = await run('subgraph check stock --delete')
    expect(removed.exitCode).toBe(1)
    expect(removed.stdout).toContain('Checked what deleting "stock" would do; it was not deleted.')
    expect(removed.stdout).toMatch(/shop with flag streets +would no longer apply/)
    expect(removed.stdout).toMatch(
      /Query\.depot: Field 'depot' was removed.*\n {4}in shop, shop with flag streets/,
    )
    expect((await run('subgraph check nobody --delete --json')).json()).toMatchObject({
      ok: false,
      error: { code: 'NOT_FOUND' },
    })
  })

  it('annotates the lines of a pull request', async () => {
    await write('services/a, b/products.graphql', PRODUCTS.replace('  price: Int\n', ''))
    const words = ['subgraph', 'check', 'products', '--schema', 'a, b/products.graphql', '--output', 'github']
    const checked = await runCommand([...words, '--data-dir', '../.switchyard'], {
      cwd: join(up.folder, 'services'),
      env: { SWITCHYARD_REGISTRY_URL: up.registryUrl, GITHUB_WORKSPACE: up.folder },
    })
    expect(checked).toMatchObject({ exitCode: 1, stderr: '' })
    expect(readWorkflowCommands(checked.stdout)).toEqual([
      {
        command: 'error',
        properties: {
          file: 'services/a, b/products.graphql',
          line: '6',
          col: '6',
          title: 'breaking: FIELD_REMOVED',
        },
        message: "Field 'price' was removed from object type 'Product'\nin shop, shop with flag streets",
      },
    ])
    const clash = await check(
      'products',
      PRODUCTS.replace('search(term', 'depot: String\n  search(term'),
      ' --output github',
    )
    expect(readWorkflowCommands(clash.stdout)).toContainEqual({
      command: 'error',
      properties: expect.objectContaining({ file: 'changed.graphql', line: '4' }),
      message: expect.stringMatching(/\nat subgraph stock:\d+:\d+\nin shop$/),
    })
  })
})

describe('subgraph check of a subgraph in two graphs', () => {
  it('looks at both, and says which of them serves nothing yet', async () => {
    await succeed('graph create mobile --label-matcher team=mobile')
    await succeed('subgraph update stock --label team=shop team=mobile')
    await waitUntilServed(run, 'mobile')
    const checked = await check('stock', STOCK.replace('city', 'town'))
    expect(checked.exitCode).toBe(1)
    expect(checked.stdout).toMatch(
      /mobile +composed\n {2}shop +composed\n {2}shop with flag streets +unchanged/,
    )
    expect(checked.stdout).toMatch(/Depot\.city: .*\n {4}in mobile, shop\n/)

    await succeed('graph create later --label-matcher team=later')
    const news = `${FEDERATION}type Query { news: String }`
    const first = await check('news', news, ' --label team=later --json')
    expect(first.json()).toMatchObject({
      ok: true,
      result: {
        compositions: [{ graph: 'later', status: 'composed', comparedWith: 'nothing-served' }],
        changes: [],
      },
    })
    const text = await check('news', news, ' --label team=later')
    expect(text.stdout).toContain('nothing is served yet, so there is nothing to compare with')
  })
})

describe('subgraph check while the base is broken', () => {
  it('compares with what is still served, and calls older failures warnings', async () => {
    await write('clash.graphql', PRODUCTS.replace('search(term', 'depot: String\n  search(term'))
    expect((await run('subgraph publish products --schema clash.graphql')).exitCode).toBe(4)

    const mended = await check('products', PRODUCTS.replace('  price: Int\n', ''), ' --json')
    expect(mended.exitCode).toBe(1)
    expect(mended.json()).toMatchObject({
      result: {
        compositions: [
          { graph: 'shop', featureFlag: null, status: 'composed', comparedWith: 'served' },
          { graph: 'shop', featureFlag: 'streets', status: 'composed' },
        ],
      },
    })
    expect((mended.json()['result'] as { changes: unknown[] }).changes).toContainEqual(
      expect.objectContaining({ featureFlag: null, criticality: 'breaking', path: 'Product.price' }),
    )

    await write('changed.graphql', `# a remark\n${STOCK}`)
    const older = await run('fs check stock-next --schema changed.graphql --output github')
    expect(older.stdout).toMatch(/shop +failed before, unchanged/)
    expect(older.stdout).toMatch(/warning: shop does not compose now, and would not after this\./)
    const commands = readWorkflowCommands(older.stdout)
    expect(commands).toContainEqual(
      expect.objectContaining({ command: 'warning', message: expect.stringMatching(/\nin shop$/) }),
    )
    expect((await succeed('subgraph publish products --schema products.graphql')).exitCode).toBe(0)
  })
})

describe('feature-flag diff', () => {
  it('shows what clients get who name the flag', async () => {
    const shown = await succeed('ff diff streets')
    expect(shown.stderr).toBe('')
    expect(shown.stdout).toBe(`shop with flag streets, as served now: 1 safe change
  safe (1)
    Depot.street: Field 'street' was added to object type 'Depot'
`)
    expect((await run('ff diff streets --exit-code')).exitCode).toBe(1)
  })

  it('composes a flag that is disabled, so that it can be looked at before it is enabled', async () => {
    const url = '--routing-url http://127.0.0.1:9/graphql'
    await write('products-next.graphql', PRODUCTS.replace('price: Int', 'price: Float'))
    await succeed(`fs publish products-next --schema products-next.graphql --subgraph products ${url}`)
    await succeed('ff create prices --fs products-next --label team=shop')
    const shown = await succeed('ff diff prices')
    expect(shown.stdout).toContain(
      'shop with flag prices, composed here from the published schemas (the flag is disabled): 1 breaking change',
    )
    expect(shown.stdout).toContain("Product.price: Field 'Product.price' changed type from 'Int' to 'Float'")
    const json = await succeed('ff diff prices --graph shop --json')
    expect(json.json()).toMatchObject({
      ok: true,
      result: {
        name: 'prices',
        enabled: false,
        graphs: [{ graph: 'shop', status: 'compared', base: 'composed', flag: 'composed' }],
        changes: [{ graph: 'shop', featureFlag: 'prices', criticality: 'breaking', path: 'Product.price' }],
      },
    })
  })

  it('exits 1 when base or flag do not compose, with the errors', async () => {
    await write('clash.graphql', PRODUCTS.replace('search(term', 'depot: String\n  search(term'))
    await succeed('fs publish products-next --schema clash.graphql')
    const failed = await run('ff diff prices')
    expect(failed.exitCode).toBe(1)
    expect(failed.stdout).toContain('shop with flag prices: does not compose')
    expect(failed.stderr).toMatch(/--> products-next:4:\d+\n.*\n? *4 \| {3}depot: String/)
    await succeed('fs publish products-next --schema products-next.graphql')
  })

  it('says where and why the flag does not apply', async () => {
    await succeed('ff create nowhere --fs stock-next --label team=none')
    expect(await succeed('ff diff nowhere')).toMatchObject({
      stdout: '',
      stderr: expect.stringContaining('satisfy the label matchers of no federated graph'),
    })
    await succeed('graph create menus --label-matcher team=menus,team=shop')
    await succeed('subgraph update products --label team=other')
    const shown = await succeed('ff diff prices')
    expect(shown.stdout).toMatch(
      /menus with flag prices: does not apply; it replaces "products", which takes no part/,
    )
    await succeed('subgraph update products --label team=shop')
    for (const line of ['ff diff nobody', 'ff diff streets --graph nobody', 'ff diff nowhere --graph shop']) {
      expect((await run(`${line} --json`)).json(), line).toMatchObject({
        ok: false,
        error: { code: 'NOT_FOUND' },
      })
    }
  })
})

describe('publishing with annotations', () => {
  it('marks what the publish broke in its file, and what a refusal is about', async () => {
    await write('clash.graphql', STOCK.replace('depot: Depot', 'product: Int'))
    const base = await run('subgraph publish stock --schema clash.graphql --output github')
    expect(base).toMatchObject({ exitCode: 4 })
    expect(readWorkflowCommands(base.stdout)).toContainEqual({
      command: 'error',
      properties: expect.objectContaining({ file: 'clash.graphql', line: '3' }),
      message: expect.stringMatching(/\nat subgraph products:\d+:\d+\nin menus, shop$/),
    })
    await succeed('subgraph publish stock --schema stock.graphql')
    const flag = await run('fs publish stock-next --schema clash.graphql --output=github')
    expect(flag).toMatchObject({ exitCode: 4 })
    expect(readWorkflowCommands(flag.stdout)).toContainEqual({
      command: 'error',
      properties: expect.objectContaining({ file: 'clash.graphql', line: '3' }),
      message: expect.stringMatching(/\nin menus with flag streets, shop with flag streets$/),
    })
    await succeed('fs publish stock-next --schema stock-next.graphql')
    const refused = await run('subgraph publish nobody --schema stock.graphql --output github')
    expect(refused.exitCode).toBe(1)
    expect(readWorkflowCommands(refused.stdout)).toEqual([
      { command: 'error', properties: { title: 'NOT_FOUND' }, message: expect.stringContaining('"nobody"') },
    ])
  })
})

describe('subgraph check of a graph that is held on a revision', () => {
  it('says that a publish would not reach clients, and still finds what it would break', async () => {
    await succeed('config rollback shop --to 1 --force')
    const checked = await check('products', PRODUCTS.replace('  price: Int\n', ''))
    expect(checked.exitCode).toBe(1)
    expect(checked.stderr).toMatch(/^warning: Federated graph "shop" is held on revision 1:/m)
    expect(checked.stdout).toContain("Product.price: Field 'price' was removed")
    await succeed('config release shop')
  })
})

describe('subgraph check of a graph with published documents', () => {
  const PRICE = 'query Price {\n  goods { price }\n}'
  const NAME = '{ goods { name } }'
  const idOf = (text: string) => hash('sha256', text)
  const GOODS = `${FEDERATION}type Query { goods: Goods }\ntype Goods { name: String price: Int }\n`
  const checkGoods = async (name: string, sdl: string, options = '') => {
    await write('goods-changed.graphql', sdl)
    return run(`${name} --schema goods-changed.graphql${options}`)
  }

  beforeAll(async () => {
    const url = '--routing-url http://127.0.0.1:9/graphql'
    await write('goods.graphql', GOODS)
    await write('goods-next.graphql', GOODS.replace('name', 'title: String name'))
    await succeed('graph create kiosk --label-matcher team=kiosk')
    await succeed(`subgraph publish goods --schema goods.graphql ${url} --label team=kiosk`)
    await succeed(`fs publish goods-next --schema goods-next.graphql --subgraph goods ${url}`)
    await succeed('ff create titles --fs goods-next --label team=kiosk --enabled')
    await write('web.json', JSON.stringify({ [idOf(PRICE)]: PRICE, name: NAME }))
    await write('ios.json', JSON.stringify({ title: '{ goods { title } }' }))
    await succeed('documents publish web --graph kiosk --manifest web.json')
    await succeed('documents publish ios --graph kiosk --manifest ios.json --client ios tv')
  })

  it('warns of those that some compositions stop answering, and refuses them where it is strict', async () => {
    const changed = GOODS.replace('price', 'cost')
    const checked = await checkGoods('subgraph check goods', changed, ' --allow-breaking')
    expect(checked).toMatchObject({ exitCode: 0, stderr: '' })
    expect(checked.stdout).toContain(`documents that fewer compositions would answer (1)
  Price (${idOf(PRICE).slice(0, 12)}) of manifest web
    2:11: Cannot query field "price" on type "Goods".
      in kiosk
passed: 1 breaking change, 1 safe; 1 document that fewer compositions would answer
`)
    const wider = await checkGoods(
      'subgraph check goods',
      GOODS.replace('price: Int', 'price(in: String!): Int'),
    )
    expect(wider.stdout).toContain('documents that fewer compositions would answer (1)')
    const titles = GOODS.replace('name', 'title: Int name')
    const json = await checkGoods('fs check goods-next', titles.replace('price', 'cost'), ' --strict --json')
    expect(json.exitCode).toBe(1)
    expect(json.json()).toMatchObject({
      ok: false,
      result: {
        passes: false,
        strict: true,
        documents: { tried: 3, unanswered: 0, partlyAnswered: 1, lost: [{ answeredElsewhere: true }] },
      },
    })
  })

  it('fails where nothing would answer one any more, with the error and who may use it', async () => {
    const checked = await checkGoods('fs check goods-next', GOODS)
    expect(checked.exitCode).toBe(1)
    expect(checked.stdout).toMatch(
      /documents that nothing would answer \(1\)\n {2}title of manifest ios, for clients ios, tv\n {4}1:11: Cannot query field "title" on type "Goods".*\n {6}in kiosk with flag titles\n/,
    )
    expect(checked.stdout).toMatch(/not passed: 1 breaking change; 1 document that nothing would answer\n$/)
    const json = await checkGoods('fs check goods-next', GOODS, ' --json')
    expect(json.json()).toMatchObject({
      result: {
        documents: {
          tried: 3,
          unanswered: 1,
          partlyAnswered: 0,
          lost: [
            {
              graph: 'kiosk',
              id: 'title',
              manifests: ['ios'],
              clients: ['ios', 'tv'],
              operationName: null,
              answeredElsewhere: false,
              compositions: [
                {
                  featureFlag: 'titles',
                  message: expect.stringContaining('Cannot query field "title"'),
                  locations: [{ line: 1, column: 11 }],
                },
              ],
              compositionCount: 1,
            },
          ],
        },
      },
    })
    const allowed = await checkGoods('fs check goods-next', GOODS, ' --allow-breaking')
    expect(allowed).toMatchObject({ exitCode: 0 })
    const github = await checkGoods('fs check goods-next', GOODS, ' --output github')
    expect(readWorkflowCommands(github.stdout)).toContainEqual({
      command: 'error',
      properties: { title: 'Unanswered document' },
      message: expect.stringMatching(
        /^title of manifest ios, for clients ios, tv\n1:11: .*\nin kiosk with flag titles$/,
      ),
    })
  })

  it('tries them against what is left where a subgraph goes', async () => {
    const checked = await run('subgraph check goods-next --delete --json')
    expect(checked.json()).toMatchObject({ result: { documents: { unanswered: 1, partlyAnswered: 0 } } })
    const both = await run('fs check goods-next --delete --strict --allow-breaking')
    expect(both).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('contradict') })
  })
})

describe('subgraph check while others publish', () => {
  /** The registry, with somebody who publishes another `stock` before its schema is read, so many times. */
  async function registryWithPublisher(
    times: number,
  ): Promise<{ readonly url: string; readonly left: () => number }> {
    let left = times
    const publish = async () => {
      left -= 1
      await write('others.graphql', `# ${left} left\n${STOCK}`)
      await succeed('subgraph publish stock --schema others.graphql --no-wait')
    }
    const server = createServer((request, response) => {
      const forward = async () => {
        if (left > 0 && request.url?.endsWith('/stock/schema') === true) await publish()
        const { authorization = '' } = request.headers
        const answer = await fetch(`${up.registryUrl}${request.url}`, { headers: { authorization } })
        response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
        response.end(Buffer.from(await answer.arrayBuffer()))
      }
      forward().catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    return { url: `http://127.0.0.1:${address.port}`, left: () => left }
  }

  it('begins again, so that all schemas are of one moment', async () => {
    const { url, left } = await registryWithPublisher(1)
    await write('changed.graphql', `# changed\n${PRODUCTS}`)
    const checked = await run('subgraph check products --schema changed.graphql', {
      SWITCHYARD_REGISTRY_URL: url,
    })
    expect(checked).toMatchObject({ exitCode: 0, stderr: '' })
    expect(checked.stdout).toMatch(/shop +composed/)
    expect(left()).toBe(0)
  })

  it('gives up when that goes on and on', async () => {
    const { url, left } = await registryWithPublisher(1000)
    await write('changed.graphql', `# changed\n${PRODUCTS}`)
    const checked = await run('subgraph check products --schema changed.graphql --json', {
      SWITCHYARD_REGISTRY_URL: url,
    })
    expect(checked.exitCode).toBe(1)
    expect(checked.json()).toMatchObject({ ok: false, error: { code: 'NAMESPACE_CHANGES' } })
    expect(left()).toBe(997)
  })
})
