import { describe, expect, it } from 'vitest'
import {
  affectedGraphs,
  type Command,
  type CommandOf,
  commandWarnings,
  compositionInputs,
  decide,
  emptyNamespace,
} from '../../src/index.ts'
import { eventsOf, messageOf, refusal, run, sha } from '../fold.ts'

type Desired = Partial<Omit<CommandOf<'apply'>, 'type'>>
const apply = (desired: Desired): Command => ({
  type: 'apply',
  graphs: [],
  subgraphs: [],
  featureSubgraphs: [],
  featureFlags: [],
  prune: false,
  ...desired,
})

const routingUrl = 'http://one/'
const schema = { sha256: sha('1'), bytes: 9 }
const next = { sha256: sha('2'), bytes: 9 }
const SHOP: Desired = {
  graphs: [{ name: 'shop', labelMatchers: ['team=web'] }],
  subgraphs: ['orders', 'users'].map((name) => ({ name, routingUrl, labels: ['team=web'], schema })),
  featureSubgraphs: [{ name: 'orders-next', base: 'orders', routingUrl, schema: next }],
  featureFlags: [{ name: 'new', labels: ['team=web'], featureSubgraphs: ['orders-next'] }],
}
const empty = emptyNamespace('default')
const shop = run(empty, apply(SHOP))

describe('a desired state', () => {
  it('makes a whole graph of nothing, in the events of the commands that it stands for', () => {
    expect(eventsOf(empty, apply(SHOP)).map(({ type }) => type)).toEqual([
      'federated-graph.created',
      'subgraph.created',
      'subgraph.schema-published',
      'subgraph.created',
      'subgraph.schema-published',
      'feature-subgraph.created',
      'subgraph.schema-published',
      'feature-flag.created',
    ])
    expect(affectedGraphs(empty, shop)).toEqual(['shop'])
    expect(compositionInputs(shop, 'shop')).toMatchObject({
      base: [{ name: 'orders' }, { name: 'users' }],
      flags: [{ name: 'new', subgraphs: [{ name: 'orders-next', baseName: 'orders' }, { name: 'users' }] }],
    })
    expect(messageOf(empty, apply(SHOP))).toMatch(
      /^Federated graph "shop" was created\.\nSubgraph "orders" was created\.\n/,
    )
    expect(commandWarnings(shop, apply(SHOP), ['shop'])).toEqual([])
  })

  it('changes nothing when it is there already, whatever it leaves out', () => {
    expect(decide(shop, apply(SHOP))).toEqual({
      kind: 'unchanged',
      message: 'Namespace "default" is like this already; nothing was changed.',
    })
    const names = { subgraphs: [{ name: 'orders' }], featureFlags: [{ name: 'new' }] }
    expect(decide(shop, apply(names)).kind).toBe('unchanged')
  })

  it('writes only what differs, and leaves alone what it does not name', () => {
    const desired = apply({
      subgraphs: [{ name: 'users', routingUrl, labels: ['team=web'], schema: next }],
      featureFlags: [{ name: 'new', enabled: false }],
    })
    expect(eventsOf(shop, desired)).toEqual([
      { type: 'subgraph.schema-published', name: 'users', schema: sha('2'), bytes: 9 },
      { type: 'feature-flag.disabled', name: 'new' },
    ])
    const disabled = run(shop, desired)
    expect(disabled.subgraphs.size).toBe(3)
    expect(decide(disabled, apply({ featureFlags: SHOP.featureFlags ?? [] })).kind).toBe('unchanged')
    expect(eventsOf(shop, apply({ subgraphs: [{ name: 'users', labels: [] }] }))).toEqual([
      { type: 'subgraph.updated', name: 'users', labels: [] },
    ])
  })

  it('deletes what it does not name when it is told to, flags first', () => {
    const desired = apply({ graphs: [{ name: 'shop' }], subgraphs: [{ name: 'users' }], prune: true })
    expect(eventsOf(shop, desired)).toEqual([
      { type: 'feature-flag.deleted', name: 'new' },
      { type: 'subgraph.deleted', name: 'orders-next' },
      { type: 'subgraph.deleted', name: 'orders' },
    ])
    expect(messageOf(shop, desired)).toBe(
      'Feature flag "new" was deleted.\nFeature subgraph "orders-next" was deleted.\nSubgraph "orders" was deleted.',
    )
    const all = apply({ prune: true })
    const emptied = run(shop, all)
    expect([emptied.graphs.size, emptied.subgraphs.size, emptied.flags.size]).toEqual([0, 0, 0])
    expect(commandWarnings(emptied, all, ['shop'])).toEqual([
      expect.stringContaining('Routers of federated graph "shop" keep serving'),
    ])
  })

  it('is refused with everything that is wrong, each fault once, and nothing is changed', () => {
    const { code, problems } = refusal(
      decide(
        shop,
        apply({
          graphs: [{ name: 'shop' }, { name: 'shop' }],
          subgraphs: [{ name: 'stock' }, { name: 'orders-next' }],
          featureSubgraphs: [
            { name: 'orders', base: 'users', routingUrl },
            { name: 'stock-next', base: 'stock', routingUrl },
            { name: 'users-next', base: 'gone', routingUrl },
          ],
          featureFlags: [
            { name: 'other' },
            { name: 'both', featureSubgraphs: ['nothing', 'orders-next', 'orders-next'] },
            { name: 'new', featureSubgraphs: ['stock-next'] },
          ],
        }),
      ),
    )
    expect(code).toBe('DESIRED_STATE_INVALID')
    expect(problems).toEqual([
      'Federated graph "shop" stands twice, or under another kind, too.',
      'There is no subgraph "stock" yet: its routing URL is needed to create it.',
      '"orders-next" is a feature subgraph that replaces "orders", not a subgraph.',
      '"orders" is a subgraph, not a feature subgraph.',
      'There is no subgraph "gone" in namespace "default" that "users-next" could replace. Create it first.',
      'There is no feature flag "other" yet: its feature subgraphs are needed to create it.',
      // `new` needs what "stock-next" is refused for, and `both` what "orders-next" is.
    ])
  })

  it('does not move a feature subgraph to another base', () => {
    const desired = apply({ featureSubgraphs: [{ name: 'orders-next', base: 'users' }] })
    expect(refusal(decide(shop, desired)).problems).toEqual([
      'The feature subgraph "orders-next" replaces "orders", not "users", which cannot be changed: delete it, or choose another name.',
    ])
  })

  it('warns of what its parts warn of, once', () => {
    const desired = apply({
      graphs: [{ name: 'depot', labelMatchers: ['team=depot'] }],
      featureSubgraphs: [{ name: 'users-next', base: 'users', routingUrl, schema }],
      featureFlags: [{ name: 'far', labels: ['team=far'], featureSubgraphs: ['orders-next'] }],
    })
    expect(commandWarnings(run(shop, desired), desired, [])).toEqual([
      expect.stringContaining('Nothing can be composed for "depot" now'),
      '"users-next" is in no enabled feature flag, so nothing is composed with it.',
      '"far" applies to no federated graph now, so nothing is composed with it.',
    ])
  })

  it('tells the first fifty of many changes', () => {
    const subgraphs = Array.from({ length: 60 }, (_, index) => ({ name: `s${index}`, routingUrl }))
    expect(messageOf(empty, apply({ subgraphs })).split('\n').slice(49)).toEqual([
      'Subgraph "s49" was created.',
      '… and 10 more changes.',
    ])
  })
})
