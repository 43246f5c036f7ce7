import { describe, expect, it } from 'vitest'
import { affectedGraphs, type Command, decide, emptyNamespace, type NamespaceState } from '../../src/index.ts'
import {
  eventsOf,
  feature,
  flag,
  messageOf,
  publish,
  refusal,
  run,
  sample,
  sha,
  subgraph,
  URL_OF,
} from '../fold.ts'

const OTHER_URL = 'https://other.example/graphql'
const update = (name: string, change: { routingUrl?: string; labels?: string[] }): Command => ({
  type: 'update-subgraph',
  name,
  ...change,
})
const remove = (name: string): Command => ({ type: 'delete-subgraph', name })

describe('updating a subgraph', () => {
  it('changes what is named and leaves the rest, its schema too', () => {
    const routed = run(sample(), update('orders', { routingUrl: OTHER_URL }))
    expect(routed.subgraphs.get('orders')).toEqual({
      ...sample().subgraphs.get('orders'),
      routingUrl: OTHER_URL,
    })
    const relabelled = run(sample(), update('orders', { labels: ['team=B', 'a=1', 'team=B'] }))
    expect(relabelled.subgraphs.get('orders')).toEqual({
      ...sample().subgraphs.get('orders'),
      labels: ['a=1', 'team=B'],
    })
    expect(messageOf(sample(), update('orders', { labels: [] }))).toBe('Subgraph "orders" was updated.')
  })

  it('writes down only what differs', () => {
    const command = update('orders', { routingUrl: URL_OF, labels: ['team=B'] })
    expect(eventsOf(sample(), command)).toEqual([
      { type: 'subgraph.updated', name: 'orders', labels: ['team=B'] },
    ])
  })

  it.each<[string, Command]>([
    ['the same routing URL', update('orders', { routingUrl: URL_OF })],
    ['the same labels', update('orders', { labels: ['team=A'] })],
    ['the same labels, repeated', update('orders', { labels: ['team=A', 'team=A'] })],
    ['the same of both', update('orders', { routingUrl: URL_OF, labels: ['team=A'] })],
    ['the routing URL that a feature subgraph has', update('orders-next', { routingUrl: URL_OF })],
    ['no labels for a feature subgraph', update('orders-next', { labels: [] })],
  ])('says that nothing was changed by %s', (_, command) => {
    expect(decide(sample(), command)).toEqual({
      kind: 'unchanged',
      message: `"${'name' in command ? command.name : ''}" is like this already; nothing was changed.`,
    })
  })

  it('refuses an unknown name', () => {
    const { code, detail } = refusal(decide(sample(), update('__proto__', { labels: [] })))
    expect(code).toBe('NOT_FOUND')
    expect(detail).toBe(
      'There is no subgraph or feature subgraph "__proto__" in namespace "default". Nothing was changed.',
    )
  })

  it('moves a feature subgraph, and refuses labels for it with the rule', () => {
    const moved = run(sample(), update('orders-next', { routingUrl: OTHER_URL }))
    expect(moved.subgraphs.get('orders-next')).toMatchObject({ routingUrl: OTHER_URL, base: 'orders' })
    const { code, detail } = refusal(
      decide(sample(), update('orders-next', { routingUrl: OTHER_URL, labels: ['team=A'] })),
    )
    expect(code).toBe('INVALID_REQUEST')
    expect(detail).toContain('"orders-next" is a feature subgraph, which has no labels')
  })
})

describe('deleting a subgraph', () => {
  const flagged = run(
    sample(),
    feature('orders-x', 'orders'),
    feature('users-next', 'users'),
    publish('orders-next'),
    publish('orders-x'),
    publish('users-next'),
    flag('both', ['orders-next', 'users-next'], { enabled: true, labels: ['team=A'] }),
    flag('off', ['orders-next'], { labels: ['team=A'] }),
    flag('x', ['orders-x'], { enabled: true, labels: ['team=A'] }),
    flag('users', ['users-next'], { enabled: true, labels: ['team=A'] }),
  )

  it('tells what goes with a base: its feature subgraphs, and what each flag loses', () => {
    expect(messageOf(flagged, remove('orders'))).toBe(
      'Subgraph "orders" was deleted, and with it the feature subgraphs that replace it: "orders-next", "orders-x". ' +
        'Feature flag "both" lost "orders-next". ' +
        'Feature flag "off" lost "orders-next" and has no member left: it composes nothing until it is updated. ' +
        'Feature flag "x" lost "orders-x" and has no member left: it composes nothing until it is updated.',
    )
    const after = run(flagged, remove('orders'))
    expect(after.subgraphs.keys().toSorted()).toEqual(['stock', 'users', 'users-next'])
    expect(membersOf(after)).toEqual({ both: ['users-next'], off: [], users: ['users-next'], x: [] })
    expect(affectedGraphs(flagged, after)).toEqual(['shop'])
  })

  it('takes a feature subgraph out of its flags and leaves the base', () => {
    expect(messageOf(flagged, remove('users-next'))).toBe(
      'Feature subgraph "users-next" was deleted. Feature flag "both" lost "users-next". ' +
        'Feature flag "users" lost "users-next" and has no member left: it composes nothing until it is updated.',
    )
    const after = run(flagged, remove('users-next'))
    expect(after.subgraphs.has('users')).toBe(true)
    expect(membersOf(after)).toEqual({
      both: ['orders-next'],
      off: ['orders-next'],
      users: [],
      x: ['orders-x'],
    })
  })

  it('says no more than it must', () => {
    expect(messageOf(sample(), remove('users'))).toBe('Subgraph "users" was deleted.')
    expect(messageOf(sample(), remove('orders-next'))).toBe('Feature subgraph "orders-next" was deleted.')
    const state = sample()
    expect(affectedGraphs(state, run(state, remove('orders-next')))).toEqual([])
  })

  it('is refused for a name that is not there, also right after the deletion', () => {
    for (const state of [run(sample(), remove('orders')), emptyNamespace('default')]) {
      for (const name of ['orders', 'orders-next', 'constructor']) {
        expect(refusal(decide(state, remove(name))).code).toBe('NOT_FOUND')
      }
    }
  })

  it('frees the name for either kind', () => {
    const freed = run(sample(), remove('orders'))
    expect(run(freed, feature('orders', 'users')).subgraphs.get('orders')?.kind).toBe('feature-subgraph')
    expect(run(freed, subgraph('orders-next')).subgraphs.get('orders-next')?.kind).toBe('subgraph')
  })

  it('lets a flag apply that was held back by the base that is gone', () => {
    const heldBack = run(
      sample(),
      feature('stock-next', 'stock'),
      publish('orders-next'),
      publish('stock-next'),
      flag('wide', ['orders-next', 'stock-next'], { enabled: true, labels: ['team=A'] }),
    )
    expect(affectedGraphs(heldBack, run(heldBack, remove('stock')))).toEqual(['depot', 'shop'])
  })
})

describe('publishing to a name', () => {
  const withMore = (
    more: { routingUrl?: string; labels?: string[]; base?: string },
    name = 'fresh',
  ): Command => ({
    type: 'publish-schema',
    name,
    schema: sha('7'),
    bytes: 3,
    ...more,
  })

  it('creates a feature subgraph with base and routing URL, and tells both', () => {
    const command = withMore({ routingUrl: URL_OF, base: 'orders' })
    expect(messageOf(sample(), command)).toBe(
      'Feature subgraph "fresh" was created; it replaces "orders". The schema of "fresh" was published.',
    )
    expect(run(sample(), command).subgraphs.get('fresh')).toEqual({
      kind: 'feature-subgraph',
      name: 'fresh',
      routingUrl: URL_OF,
      base: 'orders',
      schema: { sha256: sha('7'), bytes: 3 },
    })
  })

  it('creates a subgraph without labels when none are given', () => {
    expect(eventsOf(sample(), withMore({ routingUrl: URL_OF }))[0]).toEqual({
      type: 'subgraph.created',
      name: 'fresh',
      routingUrl: URL_OF,
      labels: [],
    })
  })

  it.each<[string, Command, string, string]>([
    ['a missing name without a routing URL', withMore({}), 'NOT_FOUND', 'give its routing URL'],
    [
      'a missing feature subgraph without a routing URL',
      withMore({ base: 'orders' }),
      'NOT_FOUND',
      'give its routing URL',
    ],
    [
      'an unknown base',
      withMore({ routingUrl: URL_OF, base: 'ghost' }),
      'BASE_SUBGRAPH_NOT_FOUND',
      'no subgraph "ghost"',
    ],
    [
      'itself as base',
      withMore({ routingUrl: URL_OF, base: 'fresh' }),
      'BASE_SUBGRAPH_NOT_FOUND',
      'no subgraph "fresh"',
    ],
    [
      'a feature subgraph as base',
      withMore({ routingUrl: URL_OF, base: 'orders-next' }),
      'BASE_SUBGRAPH_NOT_FOUND',
      'itself a feature subgraph',
    ],
    [
      'labels for a feature subgraph that it would create',
      withMore({ routingUrl: URL_OF, base: 'orders', labels: ['team=A'] }),
      'INVALID_REQUEST',
      'no labels',
    ],
    [
      'a feature subgraph of another base',
      withMore({ base: 'users' }, 'orders-next'),
      'FEATURE_SUBGRAPH_EXPECTED',
      'replaces "orders", not "users"',
    ],
    [
      'a base subgraph as if it were a feature subgraph',
      withMore({ base: 'users' }, 'orders'),
      'FEATURE_SUBGRAPH_EXPECTED',
      'a subgraph of its own',
    ],
  ])('refuses %s', (_, command, code, words) => {
    const refused = refusal(decide(sample(), command))
    expect(refused.code).toBe(code)
    expect(refused.detail).toContain(words)
  })

  it('takes a feature subgraph with the base that it has', () => {
    expect(messageOf(sample(), withMore({ base: 'orders', labels: [] }, 'orders-next'))).toBe(
      'The schema of "orders-next" was published.',
    )
  })

  it('leaves routing URL and labels of an existing subgraph alone', () => {
    const after = run(sample(), withMore({ routingUrl: OTHER_URL, labels: ['x=y'] }, 'orders'))
    expect(after.subgraphs.get('orders')).toMatchObject({ routingUrl: URL_OF, labels: ['team=A'] })
  })
})

function membersOf(state: NamespaceState): unknown {
  return Object.fromEntries([...state.flags].map(([name, { featureSubgraphs }]) => [name, featureSubgraphs]))
}
