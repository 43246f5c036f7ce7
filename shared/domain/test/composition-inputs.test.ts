import { describe, expect, it } from 'vitest'
import { affectedGraphs, type Command, compositionInputs, type NamespaceState } from '../src/index.ts'
import { feature, flag, fold, graph, publish, run, sample, subgraph } from './fold.ts'

const names = (inputs: readonly { name: string }[] | undefined) => inputs?.map((input) => input.name)
const flagsOf = (state: NamespaceState, name: string) => names(compositionInputs(state, name)?.flags)

describe('what a graph is composed from', () => {
  it('is every published subgraph whose labels match, sorted', () => {
    const state = run(
      sample(),
      subgraph('accounts', 'team=A'),
      subgraph('apples', 'team=A'),
      publish('apples'),
    )
    expect(names(compositionInputs(state, 'shop')?.base)).toEqual(['apples', 'orders', 'users'])
    expect(compositionInputs(state, 'nowhere')).toBeNull()
  })

  it('matches only unlabelled items when it has no matchers', () => {
    const state = run(sample(), graph('plain'), subgraph('bare'), publish('bare'))
    expect(names(compositionInputs(state, 'plain')?.base)).toEqual(['bare'])
  })

  it('takes groups as AND and labels inside a group as OR', () => {
    const state = run(
      sample(),
      graph('both', 'env=prod', 'team=A,team=B'),
      subgraph('live', 'env=prod', 'team=B'),
      publish('live'),
    )
    expect(names(compositionInputs(state, 'both')?.base)).toEqual(['live'])
  })

  it('puts feature subgraphs in the place of their bases, for each flag of its own', () => {
    const state = run(
      sample(),
      feature('users-next', 'users'),
      publish('orders-next'),
      publish('users-next'),
      flag('one', ['orders-next'], { enabled: true, labels: ['team=A'] }),
      flag('two', ['orders-next', 'users-next'], { enabled: true, labels: ['team=A'] }),
    )
    const inputs = compositionInputs(state, 'shop')
    expect(inputs?.flags.map((item) => [item.name, names(item.subgraphs)])).toEqual([
      ['one', ['orders-next', 'users']],
      ['two', ['orders-next', 'users-next']],
    ])
    expect(inputs?.flags[0]?.subgraphs[0]).toMatchObject({ name: 'orders-next', baseName: 'orders' })
    expect(inputs?.base[0]).toMatchObject({ name: 'orders', baseName: null })
  })

  it.each<[string, Command[]]>([
    ['it is disabled', [publish('orders-next'), flag('x', ['orders-next'], { labels: ['team=A'] })]],
    ['its labels do not match', [publish('orders-next'), flag('x', ['orders-next'], { enabled: true })]],
    ['nothing of it is published', [flag('x', ['orders-next'], { enabled: true, labels: ['team=A'] })]],
    [
      'one of the bases that it replaces takes no part',
      [
        feature('stock-next', 'stock'),
        publish('orders-next'),
        publish('stock-next'),
        flag('x', ['orders-next', 'stock-next'], { enabled: true, labels: ['team=A'] }),
      ],
    ],
  ])('leaves a flag out when %s', (_, commands) => {
    expect(flagsOf(run(sample(), ...commands), 'shop')).toEqual([])
  })

  it('leaves unpublished members out and names them, whatever their base', () => {
    const state = run(
      sample(),
      feature('stock-next', 'stock'),
      publish('orders-next'),
      flag('x', ['orders-next', 'stock-next'], { enabled: true, labels: ['team=A'] }),
    )
    expect(compositionInputs(state, 'shop')?.flags).toMatchObject([
      { name: 'x', unpublished: ['stock-next'] },
    ])
  })
})

describe('deletes', () => {
  const state = run(
    sample(),
    publish('orders-next'),
    feature('users-next', 'users'),
    publish('users-next'),
    flag('x', ['orders-next', 'users-next'], { enabled: true, labels: ['team=A'] }),
  )

  it('take the feature subgraphs of a deleted base with them, out of their flags too', () => {
    const after = fold(state, { type: 'subgraph.deleted', name: 'orders' })
    expect([...after.subgraphs.keys()].sort()).toEqual(['stock', 'users', 'users-next'])
    expect(after.flags.get('x')?.featureSubgraphs).toEqual(['users-next'])
    expect(affectedGraphs(state, after)).toEqual(['shop'])
  })

  it('leave a flag without members in place, composing nothing', () => {
    const after = fold(
      state,
      { type: 'subgraph.deleted', name: 'orders-next' },
      { type: 'subgraph.deleted', name: 'users-next' },
    )
    expect(after.flags.get('x')?.featureSubgraphs).toEqual([])
    expect(flagsOf(after, 'shop')).toEqual([])
    expect(after.subgraphs.has('orders')).toBe(true)
  })
})

describe('affected graphs', () => {
  const published = run(sample(), publish('orders-next'))
  const disabled = run(published, flag('x', ['orders-next'], { labels: ['team=A'] }))
  const enabled = run(disabled, { type: 'enable-feature-flag', name: 'x' })
  const after = (state: NamespaceState, ...commands: Command[]) =>
    affectedGraphs(state, run(state, ...commands))

  it.each<[string, () => readonly string[], string[]]>([
    [
      'a flag is created disabled',
      () => after(published, flag('x', ['orders-next'], { labels: ['team=A'] })),
      [],
    ],
    ['a feature subgraph is created', () => after(sample(), feature('more', 'orders')), []],
    ['a feature subgraph in no flag is published', () => after(sample(), publish('orders-next')), []],
    [
      'a feature subgraph in a disabled flag is published',
      () => after(disabled, publish('orders-next', 'b')),
      [],
    ],
    [
      'a flag is created enabled',
      () => after(published, flag('x', ['orders-next'], { labels: ['team=A'], enabled: true })),
      ['shop'],
    ],
    ['a flag is enabled', () => affectedGraphs(disabled, enabled), ['shop']],
    ['a flag is disabled', () => affectedGraphs(enabled, disabled), ['shop']],
    [
      'a flag that applies nowhere is enabled',
      () => after(published, flag('y', ['orders-next'], { enabled: true })),
      [],
    ],
    [
      'a feature subgraph in an enabled flag is published',
      () => after(enabled, publish('orders-next', 'b')),
      ['shop'],
    ],
    ['a base subgraph is published', () => after(enabled, publish('orders', 'b')), ['shop']],
    ['a subgraph is created', () => after(enabled, subgraph('more', 'team=A')), []],
    ['a graph is created', () => after(enabled, graph('more', 'team=A')), ['more']],
    [
      'a subgraph is relabelled',
      () =>
        affectedGraphs(
          enabled,
          fold(enabled, { type: 'subgraph.updated', name: 'users', labels: ['team=B'] }),
        ),
      ['depot', 'shop'],
    ],
    [
      'matchers change',
      () =>
        affectedGraphs(
          enabled,
          fold(enabled, { type: 'federated-graph.updated', name: 'depot', labelMatchers: [] }),
        ),
      ['depot'],
    ],
    [
      'a graph is pinned',
      () =>
        affectedGraphs(
          enabled,
          fold(enabled, { type: 'federated-graph.pinned', name: 'depot', revision: 3 }),
        ),
      ['depot'],
    ],
    [
      'a graph is deleted',
      () => affectedGraphs(enabled, fold(enabled, { type: 'federated-graph.deleted', name: 'shop' })),
      ['shop'],
    ],
    [
      'the namespace is deleted',
      () => affectedGraphs(enabled, fold(enabled, { type: 'namespace.deleted' })),
      ['depot', 'shop'],
    ],
    [
      'an enabled flag is relabelled from one graph to none',
      () => affectedGraphs(enabled, fold(enabled, { type: 'feature-flag.updated', name: 'x', labels: [] })),
      ['shop'],
    ],
    [
      'a disabled flag is deleted',
      () => affectedGraphs(disabled, fold(disabled, { type: 'feature-flag.deleted', name: 'x' })),
      [],
    ],
  ])('when %s', (_, actual, expected) => {
    expect(actual()).toEqual(expected)
  })
})
