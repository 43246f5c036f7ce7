import { describe, expect, it } from 'vitest'
import { foresee } from '../src/index.ts'
import { changesOf, FEDERATION, Platform, statusesOf } from './platform.ts'

const PRODUCTS = `${FEDERATION}type Query { product(id: ID!): Product search(term: String): [Product!]! }
type Product @key(fields: "id") { id: ID! name: String price: Int state: State }
enum State { NEW USED BROKEN }
`
const STOCK = `${FEDERATION}type Query { depot: Depot }
type Depot { city: String }
type Product @key(fields: "id") { id: ID! inStock: Int }
`

/**
 * Graph `shop` of `products` and `stock`, in which flag `next` replaces `products` and flag `depots` replaces
 * `stock`.
 */
function shop(): Platform {
  return new Platform()
    .graph('shop', 'team=shop')
    .subgraph('products', PRODUCTS, 'team=shop')
    .subgraph('stock', STOCK, 'team=shop')
    .featureSubgraph(
      'products-next',
      'products',
      PRODUCTS.replace('name: String', 'name: String title: String'),
    )
    .featureSubgraph('stock-next', 'stock', STOCK.replace('city: String', 'city: String street: String'))
    .flag('next', ['products-next'], 'team=shop')
    .flag('depots', ['stock-next'], 'team=shop')
    .serve()
}

describe('a check of a schema', () => {
  it('finds nothing when clients would see the same schema', async () => {
    const platform = shop()
    const report = await platform.check(platform.publication('products', `# a remark\n${PRODUCTS}`))
    expect(statusesOf(report)).toEqual(['shop: composed', 'shop+depots: composed', 'shop+next: unchanged'])
    expect(report.changes).toEqual([])
  })

  it('tells a field that only the base loses from one that a flag loses too', async () => {
    const platform = shop()
    const report = await platform.check(platform.publication('products', PRODUCTS.replace('price: Int ', '')))
    expect(statusesOf(report)).toEqual(['shop: composed', 'shop+depots: composed', 'shop+next: unchanged'])
    expect(changesOf(report.changes)).toEqual([
      'shop breaking FIELD_REMOVED Product.price',
      'shop+depots breaking FIELD_REMOVED Product.price',
    ])
  })

  const CHANGES: readonly {
    readonly what: string
    readonly from: string
    readonly to: string
    readonly found: readonly string[]
  }[] = [
    {
      what: 'an argument made required',
      from: 'term: String',
      to: 'term: String!',
      found: ['shop breaking FIELD_ARGUMENT_TYPE_CHANGED Query.search.term'],
    },
    {
      what: 'a required argument that is new',
      from: 'term: String',
      to: 'term: String page: Int!',
      found: ['shop breaking FIELD_ARGUMENT_ADDED Query.search.page'],
    },
    {
      what: 'an enum value removed',
      from: ' BROKEN',
      to: '',
      found: ['shop breaking ENUM_VALUE_REMOVED State.BROKEN'],
    },
    {
      what: 'an enum value added',
      from: ' BROKEN',
      to: ' BROKEN LOST',
      found: ['shop dangerous ENUM_VALUE_ADDED State.LOST'],
    },
    {
      what: 'a field made nullable',
      from: '[Product!]!',
      to: '[Product!]',
      found: ['shop breaking FIELD_TYPE_CHANGED Query.search'],
    },
    {
      what: 'a type made inaccessible, with what leads to it',
      from: 'state: State }\nenum State {',
      to: 'state: State @inaccessible }\nenum State @inaccessible {',
      found: ['shop breaking FIELD_REMOVED Product.state', 'shop breaking TYPE_REMOVED State'],
    },
    {
      what: 'a field added',
      from: 'price: Int',
      to: 'price: Int weight: Int',
      found: ['shop safe FIELD_ADDED Product.weight'],
    },
    {
      what: 'nothing in what is inaccessible from the start',
      from: 'enum State {',
      to: 'type Hidden @inaccessible { x: Int } extend type Product { y: Hidden @inaccessible } enum State {',
      found: [],
    },
    {
      what: 'a deprecation',
      from: 'price: Int',
      to: 'price: Int @deprecated(reason: "cost")',
      found: ['shop safe FIELD_DEPRECATION_ADDED Product.price.@deprecated'],
    },
  ]
  it.each(CHANGES)('reports $what', async ({ from, to, found }) => {
    const platform = shop()
    expect(PRODUCTS).toContain(from)
    const report = await platform.check(platform.publication('products', PRODUCTS.replace(from, to)))
    const inBase = report.changes.filter(({ featureFlag }) => featureFlag === null)
    expect(changesOf(inBase)).toEqual(found)
    // Flag `depots` holds the same subgraph.
    expect(changesOf(report.changes)).toEqual([
      ...found,
      ...found.map((text) => text.replace('shop', 'shop+depots')),
    ])
  })

  it('says that a hidden field which becomes visible is new to clients', async () => {
    const platform = shop()
    const hidden = PRODUCTS.replace('price: Int', 'price: Int @inaccessible')
    platform.run(platform.publication('products', hidden)).serve()
    const report = await platform.check(platform.publication('products', PRODUCTS))
    expect(changesOf(report.changes)).toEqual([
      'shop safe FIELD_ADDED Product.price',
      'shop+depots safe FIELD_ADDED Product.price',
    ])
  })

  it('finds a feature subgraph that breaks its flag only', async () => {
    const platform = shop()
    const clash = PRODUCTS.replace('type Query {', 'type Query { depot: Int')
    const report = await platform.check(platform.publication('products-next', clash))
    expect(statusesOf(report)).toEqual(['shop: unchanged', 'shop+depots: unchanged', 'shop+next: failed'])
    expect(report.compositions[2]?.errors[0]?.locations).toContainEqual(
      expect.objectContaining({ subgraph: 'products-next', line: 2 }),
    )
  })

  it('compares a flag with what those who name it get, not with the base', async () => {
    const platform = shop()
    const report = await platform.check(platform.publication('products-next', PRODUCTS))
    expect(statusesOf(report)).toEqual(['shop: unchanged', 'shop+depots: unchanged', 'shop+next: composed'])
    expect(changesOf(report.changes)).toEqual(['shop+next breaking FIELD_REMOVED Product.title'])
  })

  it('compares with what is still served while the base is broken', async () => {
    const platform = shop()
    platform.run(platform.publication('stock', STOCK.replace('depot: Depot', 'product: Int'))).serve()
    const same = await platform.check(platform.publication('products', `# still\n${PRODUCTS}`))
    expect(statusesOf(same)).toEqual(['shop: failed', 'shop+depots: composed', 'shop+next: failed before'])
    expect(same.compositions[0]?.errors).not.toEqual([])
    const mended = await platform.check(platform.publication('stock', STOCK.replace('inStock: Int', '')))
    expect(statusesOf(mended)).toEqual(['shop: composed', 'shop+depots: unchanged', 'shop+next: composed'])
    expect(changesOf(mended.changes)).toEqual([
      'shop breaking FIELD_REMOVED Product.inStock',
      'shop+next breaking FIELD_REMOVED Product.inStock',
    ])
  })

  it('looks at every graph that the subgraph takes part in, and at no other', async () => {
    const platform = shop()
      .graph('mobile', 'team=shop,team=mobile')
      .graph('backoffice', 'team=office')
      .subgraph('menu', `${FEDERATION}type Query { menu: String }`, 'team=mobile')
      .subgraph('staff', `${FEDERATION}type Query { staff: String }`, 'team=office')
      .serve()
    const report = await platform.check(platform.publication('stock', STOCK.replace('city', 'town')))
    expect(statusesOf(report)).toEqual([
      'mobile: composed',
      'mobile+depots: unchanged',
      'mobile+next: composed',
      'shop: composed',
      'shop+depots: unchanged',
      'shop+next: composed',
    ])
    expect(changesOf(report.changes).filter((text) => text.includes('REMOVED'))).toEqual([
      'mobile breaking FIELD_REMOVED Depot.city',
      'mobile+next breaking FIELD_REMOVED Depot.city',
      'shop breaking FIELD_REMOVED Depot.city',
      'shop+next breaking FIELD_REMOVED Depot.city',
    ])
  })

  it('knows that a subgraph without labels belongs to graphs without matchers', async () => {
    const platform = shop().graph('open')
    const sdl = `${FEDERATION}type Query { news: String }`
    const report = await platform.check({ ...platform.publication('news', sdl), routingUrl: 'http://news/' })
    expect(statusesOf(report)).toEqual(['open: composed'])
    expect(report.compositions[0]?.comparedWith).toBe('nothing-served')
    expect(report.changes).toEqual([])
  })

  it('composes the graphs that a new subgraph would join by its labels', async () => {
    const platform = shop()
    const sdl = `${FEDERATION}type Query { news: String }`
    const report = await platform.check({
      ...platform.publication('news', sdl),
      routingUrl: 'http://news/',
      labels: ['team=shop'],
    })
    expect(statusesOf(report)).toEqual(['shop: composed', 'shop+depots: composed', 'shop+next: composed'])
    expect(changesOf(report.changes)).toEqual([
      'shop safe FIELD_ADDED Query.news',
      'shop+depots safe FIELD_ADDED Query.news',
      'shop+next safe FIELD_ADDED Query.news',
    ])
  })

  it('gives the same report when threads do the work', async () => {
    const platform = shop()
    const change = platform.publication('products', PRODUCTS.replace('price: Int ', ''))
    expect(await platform.check(change, 2)).toEqual(await platform.check(change, 0))
  })

  it('composes chains of types that need more stack than the main thread has', async () => {
    const chain = (name: string) =>
      `${FEDERATION}type Query { ${name}: T0 }\n${Array.from(
        { length: 800 },
        (_, index) =>
          `type T${index} @key(fields: "id") { id: ID! ${name}0: T${index} ${name}3: T${(index + 3) % 800} }`,
      ).join('\n')}`
    const platform = new Platform().graph('chain').subgraph('a', chain('a')).subgraph('b', chain('b'))
    const report = await platform.check({ ...platform.publication('c', chain('c')), routingUrl: 'http://c/' })
    expect(statusesOf(report)).toEqual(['chain: composed'])
  })

  it('says what threads stumble over', async () => {
    const platform = shop()
    const change = platform.publication('products', `# changed\n${PRODUCTS}`)
    platform.served.set('shop', {
      supergraphs: new Map([[null, 'no SDL']]),
      failed: new Map(),
      warnings: new Map(),
      documents: [],
    })
    await expect(platform.check(change, 2)).rejects.toThrow(/Syntax Error/)
    await expect(platform.check(change, 0)).rejects.toThrow(/Syntax Error/)
  })
})

describe('a check where the graph says who may see a field, or allows that nobody enforces it', () => {
  const GUARDED = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@key", "@authenticated"])
    type Query { secret: Int @authenticated }`
  const guarded = (platform: Platform) => ({
    ...platform.publication('guarded', GUARDED),
    routingUrl: 'http://guarded/',
  })

  it('passes, with the warning where it is not enforced', async () => {
    const platform = new Platform()
      .graph('open')
      .graph('closed')
      .run({ type: 'update-federated-graph', name: 'open', allowUnenforcedAuthorization: true })
    const { compositions } = await platform.check(guarded(platform))
    expect(compositions).toMatchObject([
      { graph: 'closed', status: 'composed', hints: [] },
      { graph: 'open', status: 'composed', hints: [{ code: 'AUTHORIZATION_NOT_ENFORCED' }] },
    ])
  })

  it('repeats the warning about what does not change', async () => {
    const platform = new Platform()
      .graph('open')
      .run({ type: 'update-federated-graph', name: 'open', allowUnenforcedAuthorization: true })
    platform.run({ ...guarded(platform), labels: [] })
    platform.subgraph('products', PRODUCTS).featureSubgraph('next', 'products', `${PRODUCTS} # next`)
    platform.flag('flag', ['next']).serve()
    const { compositions } = await platform.check(platform.publication('next', `${PRODUCTS} # later`))
    expect(compositions).toMatchObject([
      { featureFlag: null, status: 'unchanged', hints: [{ code: 'AUTHORIZATION_NOT_ENFORCED' }] },
      { featureFlag: 'flag', status: 'composed', hints: [{ code: 'AUTHORIZATION_NOT_ENFORCED' }] },
    ])
  })
})

describe('a check of a removal', () => {
  it('compares the base without the subgraph, and flags with the base when they stop applying', async () => {
    const platform = shop()
    const report = await platform.check({ type: 'delete-subgraph', name: 'products' })
    expect(statusesOf(report)).toEqual(['shop: composed', 'shop+depots: composed', 'shop+next: removed'])
    const lost = changesOf(report.changes)
    expect(lost).toContain('shop breaking FIELD_REMOVED Query.product')
    expect(lost).toContain('shop+depots breaking FIELD_REMOVED Query.product')
    expect(lost).toContain('shop+next breaking FIELD_REMOVED Query.product')
  })

  it('compares the flag with the base as it is, when only a feature subgraph goes', async () => {
    const report = await shop().check({ type: 'delete-subgraph', name: 'products-next' })
    expect(statusesOf(report)).toEqual(['shop: unchanged', 'shop+depots: unchanged', 'shop+next: removed'])
    expect(changesOf(report.changes)).toEqual(['shop+next breaking FIELD_REMOVED Product.title'])
  })

  it('says that nothing is left to compose', async () => {
    const platform = new Platform()
      .graph('open')
      .subgraph('news', `${FEDERATION}type Query { news: String }`)
      .serve()
    const report = await platform.check({ type: 'delete-subgraph', name: 'news' })
    expect(statusesOf(report)).toEqual(['open: empty'])
    expect(report.changes).toEqual([])
  })
})

describe('what would not be accepted', () => {
  it('is refused by the rules of the registry', () => {
    const { state } = shop()
    expect(foresee(state, { type: 'delete-subgraph', name: 'nobody' })).toMatchObject({
      kind: 'refused',
      problem: { code: 'NOT_FOUND' },
    })
  })

  it('is no change when the schema is the published one', () => {
    const platform = shop()
    expect(foresee(platform.state, platform.publication('stock', STOCK))).toMatchObject({ kind: 'unchanged' })
  })
})
