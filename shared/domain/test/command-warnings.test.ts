import { describe, expect, it } from 'vitest'
import {
  affectedGraphs,
  type Command,
  commandWarnings,
  emptyNamespace,
  type NamespaceState,
} from '../src/index.ts'
import { feature, flag, graph, publish, run, sample, sha, subgraph, URL_OF } from './fold.ts'

/** What the command's answer warns of. */
function warningsOf(state: NamespaceState, command: Command): readonly string[] {
  const after = run(state, command)
  return commandWarnings(after, command, affectedGraphs(state, after))
}
const published = run(sample(), publish('orders-next'))
const applying = run(published, flag('x', ['orders-next'], { enabled: true, labels: ['team=A'] }))
const held = run(applying, { type: 'pin-federated-graph', name: 'shop', revision: 3 })

const LEFT_EMPTY =
  'no subgraph with a published schema matches its label matchers. Routers keep the base that they have.'
const HELD =
  'Federated graph "shop" is held on revision 3: whatever is newer is not served until it is released.'
const relabel = (name: string, ...labels: string[]): Command => ({ type: 'update-subgraph', name, labels })
const match = (name: string, ...labelMatchers: string[]): Command => ({
  type: 'update-federated-graph',
  name,
  labelMatchers,
})

describe('a graph that has nothing to compose', () => {
  it('is told of when it is created', () => {
    expect(warningsOf(sample(), graph('new', 'a=1'))).toEqual([
      'Nothing can be composed for "new" yet: no subgraph with a published schema matches its label matchers.',
    ])
    expect(warningsOf(sample(), graph('new', 'team=B'))).toEqual([])
  })

  it.each<[string, Command]>([
    ['its matchers change', match('depot', 'team=C')],
    ['its last subgraph is relabelled', relabel('stock', 'team=A')],
    ['its last subgraph is deleted', { type: 'delete-subgraph', name: 'stock' }],
  ])('is told of when %s', (_, command) => {
    expect(warningsOf(sample(), command)).toEqual([`Nothing can be composed for "depot" now: ${LEFT_EMPTY}`])
  })

  it('is told of when it is released', () => {
    const state = run(
      sample(),
      { type: 'pin-federated-graph', name: 'depot', revision: 1 },
      { type: 'delete-subgraph', name: 'stock' },
    )
    expect(warningsOf(state, { type: 'unpin-federated-graph', name: 'depot' })).toEqual([
      `Nothing can be composed for "depot" now: ${LEFT_EMPTY}`,
    ])
  })

  it('is not told of where something is left, or was not there before', () => {
    expect(warningsOf(sample(), relabel('users', 'team=B'))).toEqual([])
    expect(
      warningsOf(run(sample(), graph('new', 'a=1')), { type: 'delete-subgraph', name: 'users' }),
    ).toEqual([])
  })
})

describe('a graph that is held on a revision', () => {
  it.each<[string, Command]>([
    ['a schema is published', publish('orders', 'z')],
    ['the schema of a member is published', publish('orders-next', 'z')],
    ['a routing URL changes', { type: 'update-subgraph', name: 'orders', routingUrl: 'http://elsewhere/' }],
    ['a subgraph is deleted', { type: 'delete-subgraph', name: 'users' }],
    ['its matchers change', match('shop', 'team=A,team=B')],
    ['a flag is created enabled', flag('y', ['orders-next'], { enabled: true, labels: ['team=A'] })],
  ])('is told of when %s', (_, command) => {
    expect(warningsOf(held, command)).toEqual([HELD])
  })

  it('is told of when a flag is updated or enabled', () => {
    const state = run(held, feature('users-next', 'users'), publish('users-next'))
    expect(
      warningsOf(state, { type: 'update-feature-flag', name: 'x', featureSubgraphs: ['users-next'] }),
    ).toEqual([HELD])
    const disabled = run(held, { type: 'disable-feature-flag', name: 'x' })
    expect(warningsOf(disabled, { type: 'enable-feature-flag', name: 'x' })).toEqual([HELD])
  })

  it('is not told of for what happens at once or concerns another graph', () => {
    for (const command of [
      { type: 'disable-feature-flag', name: 'x' },
      { type: 'delete-feature-flag', name: 'x' },
      { type: 'pin-federated-graph', name: 'shop', revision: 2 },
      { type: 'unpin-federated-graph', name: 'shop' },
      publish('stock', 'z'),
    ] as const) {
      expect(warningsOf(held, command)).toEqual([])
    }
  })
})

describe('a flag that does not do what its owner may think', () => {
  const wide = run(published, feature('stock-next', 'stock'))

  it('names members without a schema, and graphs where a base is missing', () => {
    expect(
      warningsOf(wide, flag('y', ['orders-next', 'stock-next'], { enabled: true, labels: ['team=A'] })),
    ).toEqual(['Feature subgraph "stock-next" has no published schema and is left out of "y" until it has.'])
    const whole = run(wide, publish('stock-next'))
    expect(
      warningsOf(whole, flag('y', ['orders-next', 'stock-next'], { enabled: true, labels: ['team=A'] })),
    ).toEqual([
      '"y" does not apply to federated graph "shop": it replaces "stock", which takes no part in that graph.',
      '"y" applies to no federated graph now, so nothing is composed with it.',
    ])
  })

  it('is told of when the schema of a member takes it off its graph', () => {
    const state = run(wide, flag('y', ['orders-next', 'stock-next'], { enabled: true, labels: ['team=A'] }))
    expect(warningsOf(state, publish('stock-next'))).toEqual([
      '"y" does not apply to federated graph "shop": it replaces "stock", which takes no part in that graph.',
      '"y" applies to no federated graph now, so nothing is composed with it.',
    ])
  })

  it('is told of when new labels or matchers take a base away from under it', () => {
    expect(warningsOf(applying, relabel('orders', 'team=B'))).toEqual([
      '"x" does not apply to federated graph "shop": it replaces "orders", which takes no part in that graph.',
      '"x" applies to no federated graph now, so nothing is composed with it.',
    ])
    const both = run(applying, relabel('users', 'team=A', 'env=prod'), graph('all', 'team=A'))
    const narrow: Command = { type: 'update-feature-flag', name: 'x', labels: ['team=A', 'env=prod'] }
    expect(warningsOf(run(both, narrow), match('all', 'env=prod'))).toEqual([
      '"x" does not apply to federated graph "all": it replaces "orders", which takes no part in that graph.',
    ])
  })

  it('is told of while it is enabled only', () => {
    expect(warningsOf(wide, flag('y', ['stock-next']))).toEqual([])
    expect(warningsOf(wide, flag('y', ['stock-next'], { enabled: true }))).toEqual([
      'Feature subgraph "stock-next" has no published schema and is left out of "y" until it has.',
      '"y" applies to no federated graph now, so nothing is composed with it.',
    ])
  })

  it('is no subject of a schema that is published to a base', () => {
    expect(
      warningsOf(
        run(wide, publish('stock-next'), flag('y', ['stock-next'], { enabled: true })),
        publish('stock', 'z'),
      ),
    ).toEqual([])
  })
})

describe('publishing', () => {
  it('tells that a feature subgraph in no enabled flag has no effect', () => {
    const warning = '"orders-next" is in no enabled feature flag, so nothing is composed with it.'
    expect(warningsOf(sample(), publish('orders-next'))).toEqual([warning])
    expect(warningsOf(run(sample(), flag('y', ['orders-next'])), publish('orders-next'))).toEqual([warning])
  })

  it('tells that it changes neither routing URL nor labels of what exists', () => {
    expect(
      warningsOf(sample(), {
        type: 'publish-schema',
        name: 'orders',
        schema: sha('9'),
        bytes: 3,
        routingUrl: 'http://elsewhere/',
        labels: [],
      }),
    ).toEqual([
      `"orders" existed already: its routing URL is still ${URL_OF}. Publishing changes the schema only.`,
      '"orders" existed already: its labels are still team=A. Publishing changes the schema only.',
    ])
    const state = run(sample(), subgraph('bare'), publish('bare'))
    expect(
      warningsOf(state, {
        type: 'publish-schema',
        name: 'bare',
        schema: sha('9'),
        bytes: 3,
        labels: ['a=b'],
      }),
    ).toEqual(['"bare" existed already: its labels are still none. Publishing changes the schema only.'])
  })
})

it('a graph that goes is told of as served still', () => {
  const stillServed = (name: string) =>
    `Routers of federated graph "${name}" keep serving its last composition until they are stopped, or until a graph of this name is created and composed.`
  expect(warningsOf(sample(), { type: 'delete-federated-graph', name: 'depot' })).toEqual([
    stillServed('depot'),
  ])
  const team = run(emptyNamespace('team'), { type: 'create-namespace' }, graph('g', 'a=1'), graph('h'))
  expect(
    commandWarnings(run(team, { type: 'delete-namespace' }), { type: 'delete-namespace' }, ['g', 'h']),
  ).toEqual(['g', 'h'].map(stillServed))
})

it('a repetition is warned of what the first answer was warned of', () => {
  const command: Command = { type: 'enable-feature-flag', name: 'x' }
  const state = run(sample(), flag('x', ['orders-next'], { labels: ['team=A'] }))
  const once = run(state, command)
  expect(commandWarnings(once, command, [])).toEqual(warningsOf(state, command))
})
