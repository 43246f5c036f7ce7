import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { post, start } from '../support/router.ts'
import { type Shop, startShop } from '../support/shop.ts'

const stack = new AsyncDisposableStack()
let shop: Shop
let directory: string
let sdl: string

beforeAll(async () => {
  shop = stack.use(await startShop())
  directory = await mkdtemp(join(tmpdir(), 'switchyard-supergraph-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  const fixture = new URL('../fixtures/supergraph-base.graphql', import.meta.url)
  sdl = (await readFile(fixture, 'utf8'))
    .replace('http://products.invalid/graphql', shop.products.url)
    .replace('http://reviews.invalid/graphql', shop.reviews.url)
})
afterAll(() => stack.disposeAsync())

async function startOn(text: string, settings = '') {
  const path = join(directory, 'supergraph.graphql')
  await writeFile(path, text)
  return await start({ kind: 'supergraph', path }, { settings })
}

describe('a router on a supergraph file', () => {
  it('asks the subgraphs at the URLs that the file names', async () => {
    await using router = await startOn(sdl)
    const { json } = await post(router, { query: '{ product(upc: "1") { name reviews { body } } }' })
    expect(json).toEqual({ data: { product: { name: 'Table', reviews: [{ body: 'Review of 1' }] } } })
  })

  it('reads the file as UTF-8', async () => {
    const described = sdl.replace('type Product', '"Fällt auf: é 🦊"\ntype Product')
    expect(described).not.toBe(sdl)
    await using router = await startOn(described)
    const { json } = await post(router, { query: '{ __type(name: "Product") { description } }' })
    expect(json.data).toEqual({ __type: { description: 'Fällt auf: é 🦊' } })
  })

  it('applies the settings of single subgraphs', async () => {
    const before = shop.reviews.requests.length
    const settings = 'subgraphs: { overrides: { products: { timeout: 50ms } } }'
    await using router = await startOn(sdl, settings)
    const { json } = await post(router, { query: '{ slow(milliseconds: 2000) reviewHeader(name: "x") }' })
    expect(json.data).toEqual({ slow: null, reviewHeader: null })
    expect(json.errors?.map(({ extensions }) => [extensions['code'], extensions['serviceName']])).toEqual([
      ['SUBGRAPH_TIMEOUT', 'products'],
    ])
    expect(shop.reviews.requests.length).toBe(before + 1)
  })

  it('serves subgraphs whose names other composers allow', async () => {
    await using router = await startOn(sdl.replaceAll('name: "products"', 'name: "the products__"'))
    expect((await post(router, { query: '{ version }' })).json).toEqual({ data: { version: 'products' } })
  })

  it('says in its log what it serves', async () => {
    await using router = await startOn(sdl)
    expect(router.logs.find(({ event }) => event === 'config.swapped')).toMatchObject({
      source: 'supergraph file',
    })
  })

  const RESTRICTED = () =>
    sdl
      .replace(
        '@link',
        '@link(url: "https://specs.apollo.dev/authenticated/v0.1", as: "auth", for: SECURITY) @link',
      )
      .replace(/(version: String!? )/, '$1@auth ')

  it('keeps from everybody what the file says somebody may see, and says that it identifies nobody', async () => {
    expect(RESTRICTED()).toMatch(/version: String!? @auth /)
    await using router = await startOn(RESTRICTED())
    const { json } = await post(router, { query: '{ version }' })
    expect(json).toMatchObject({
      data: expect.not.objectContaining({ version: 'products' }),
      errors: [{ extensions: { code: 'UNAUTHORIZED_FIELD_OR_TYPE' } }],
    })
    expect(router.logs.filter(({ event }) => event === 'config.nobody-identified')).toHaveLength(1)
    // Composers link what subgraphs import: alone it restricts nothing.
    await using other = await startOn(RESTRICTED().replace('@auth ', ''))
    expect((await post(other, { query: '{ version }' })).json).toEqual({ data: { version: 'products' } })
  })

  it('does the same with an execution config, in a flag too, unless the file says that its graph allows everything', async () => {
    const artifact = (supergraphSdl: string) => ({
      formatVersion: 1,
      supergraphSdl,
      subgraphs: [
        { name: 'products', routingUrl: shop.products.url },
        { name: 'reviews', routingUrl: shop.reviews.url },
      ],
      compatibilityVersion: 'v0.3',
    })
    const path = join(directory, 'config.json')
    const versions = async (base: object, flag: object, settings = '') => {
      await writeFile(path, JSON.stringify({ formatVersion: 1, base, featureFlags: { flag } }))
      await using router = await start({ kind: 'execution-config', path }, { settings })
      const version = async (headers: Record<string, string>) =>
        (await post(router, { query: '{ version }' }, headers)).json.data?.['version'] ?? null
      return [await version({}), await version({ 'x-feature-flag': 'flag' })]
    }
    const restricted = artifact(RESTRICTED())
    const allowed = { ...restricted, allowUnenforcedAuthorization: true }
    expect(await versions(restricted, artifact(sdl))).toEqual([null, 'products'])
    expect(await versions(artifact(sdl), restricted)).toEqual(['products', null])
    expect(await versions(allowed, restricted)).toEqual(['products', null])
    expect(await versions(allowed, allowed)).toEqual(['products', 'products'])
    const settings = 'authorization: { allow_unenforced: true }'
    expect(await versions(restricted, restricted, settings)).toEqual(['products', 'products'])
  })

  it('warns of access rules that it does not enforce, where that is allowed', async () => {
    await using router = await startOn(RESTRICTED(), 'authorization: { allow_unenforced: true }')
    expect(router.logs.filter(({ event }) => event === 'config.access-rules-not-enforced')).toMatchObject([
      { rules: ['authenticated'], msg: expect.stringContaining('@authenticated') },
    ])
    await using other = await startOn(sdl)
    expect(other.logs.filter(({ event }) => event === 'config.access-rules-not-enforced')).toEqual([])
  })

  const without = (part: string | RegExp, put = '') => {
    const text = sdl.replace(part, put)
    expect(text).not.toBe(sdl)
    return text
  }
  const link = (feature: string) => () => without('@link', `@link(url: "https://x.example/${feature}) @link`)

  it.each([
    [
      'is not GraphQL',
      () => 'type Query {\n  a: [Int\n}',
      /supergraph\.graphql cannot be served\. .* line 3, column 1: Syntax/,
    ],
    ['is the schema of a subgraph', () => 'type Query { a: Int }', /does not link the join specification/],
    [
      'needs an unknown security feature',
      link('guard/v1.0", for: SECURITY'),
      /x\.example\/guard\/v1\.0 for SEC/,
    ],
    [
      'needs an unknown execution feature',
      link('fast/v1.0", for: EXECUTION'),
      /x\.example\/fast\/v1\.0 for EXEC/,
    ],
    [
      'has a join version of the future',
      () => without('join/v0.3', 'join/v0.9'),
      /expected join v0\.1 to v0\.5/,
    ],
    [
      'has no query root',
      () => without('type Query', 'type Other'),
      /does not define its query type "Query"/,
    ],
    ['names no subgraphs', () => without('enum join__Graph', 'enum Other'), /has no enum join__Graph/],
    ['leaves out a routing URL', () => without(shop.products.url), /"products" has no URL in @join__graph/],
    [
      'has a routing URL that is none',
      () => without(shop.products.url, 'unix:///products.sock'),
      /"products" has the URL "unix:\/\/\/products\.sock" in @join__graph; expected http/,
    ],
  ])('does not start when the file %s, with the reason', async (_, text, message) => {
    await expect(startOn(text())).rejects.toThrow(message)
    await expect(startOn(text())).rejects.toMatchObject({ code: 'SUPERGRAPH_FILE_INVALID' })
  })
})
