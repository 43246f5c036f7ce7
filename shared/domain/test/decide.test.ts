import { describe, expect, it } from 'vitest'
import { type Command, decide, emptyNamespace } from '../src/index.ts'
import { feature, flag, fold, graph, publish, refusal, run, sample, sha, subgraph, URL_OF } from './fold.ts'

describe('namespaces', () => {
  it('has "default" without any record, and refuses to create it again', () => {
    expect(emptyNamespace('default').exists).toBe(true)
    expect(refusal(decide(emptyNamespace('default'), { type: 'create-namespace' })).code).toBe(
      'ALREADY_EXISTS',
    )
  })

  it('refuses every other command in a namespace that does not exist', () => {
    const commands: Command[] = [
      graph('g'),
      subgraph('s'),
      publish('s'),
      feature('f', 's'),
      flag('x', ['f']),
      { type: 'enable-feature-flag', name: 'x' },
      { type: 'disable-feature-flag', name: 'x' },
    ]
    for (const command of commands) {
      const { code, detail } = refusal(decide(emptyNamespace('team'), command))
      expect(code).toBe('NOT_FOUND')
      expect(detail).toContain('no namespace "team"')
    }
  })

  it('can be created, deleted with everything in it, and created again', () => {
    const created = run(emptyNamespace('team'), { type: 'create-namespace' }, subgraph('s'), graph('g'))
    expect(refusal(decide(created, { type: 'create-namespace' })).code).toBe('ALREADY_EXISTS')
    const deleted = fold(created, { type: 'namespace.deleted' })
    expect([deleted.exists, deleted.subgraphs.size, deleted.graphs.size]).toEqual([false, 0, 0])
    expect(run(deleted, { type: 'create-namespace' }).exists).toBe(true)
  })
})

describe('names that do not exist', () => {
  it.each<[Command, string]>([
    [{ type: 'delete-subgraph', name: 'ordres' }, 'Did you mean "orders"?'],
    [{ type: 'delete-federated-graph', name: 'shpo' }, 'Did you mean "shop"?'],
    [publish('ordrs'), 'Did you mean "orders"?'],
    [feature('next', 'order'), 'Did you mean "orders"?'],
  ])('are refused with the one that is near: %j', (command, meant) => {
    expect(refusal(decide(sample(), command)).detail).toContain(meant)
  })

  it('are suggested among feature subgraphs only where one is to be named', () => {
    const { problems } = refusal(decide(sample(), flag('x', ['orders-nex', 'ordrs'])))
    expect(problems[0]).toContain('Did you mean "orders-next"?')
    expect(problems[1]).not.toContain('Did you mean')
  })
})

describe('creating graphs and subgraphs', () => {
  it.each<[string, Command]>([
    ['a graph of a taken name', graph('shop')],
    ['a subgraph of a taken name', subgraph('orders')],
    ['a subgraph named like a feature subgraph', subgraph('orders-next')],
    ['a feature subgraph named like a subgraph', feature('users', 'orders')],
    ['a feature subgraph of a taken name', feature('orders-next', 'orders')],
  ])('refuses %s', (_, command) => {
    expect(refusal(decide(sample(), command)).code).toBe('ALREADY_EXISTS')
  })

  it('lets a graph, a subgraph and a flag share a name', () => {
    const state = run(sample(), graph('orders'), flag('orders', ['orders-next']))
    expect([state.graphs.has('orders'), state.flags.has('orders'), state.subgraphs.has('orders')]).toEqual([
      true,
      true,
      true,
    ])
  })

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'treats "%s" as a name like any other',
    (name) => {
      expect(sample().subgraphs.has(name)).toBe(false)
      expect(run(sample(), subgraph(name)).subgraphs.get(name)?.name).toBe(name)
    },
  )

  it('refuses a feature subgraph of an unknown base, and of another feature subgraph', () => {
    expect(refusal(decide(sample(), feature('f', 'nothing'))).code).toBe('BASE_SUBGRAPH_NOT_FOUND')
    const nested = refusal(decide(sample(), feature('f', 'orders-next')))
    expect(nested.code).toBe('BASE_SUBGRAPH_NOT_FOUND')
    expect(nested.detail).toContain('Name the subgraph that it replaces: "orders"')
  })

  it('takes 2,000 subgraphs and refuses one more, of either kind', () => {
    let state = emptyNamespace('default')
    for (let index = 0; index < 1999; index += 1) state = run(state, subgraph(`s${index}`))
    state = run(state, feature('last', 's0'))
    expect(state.subgraphs.size).toBe(2000)
    for (const command of [
      subgraph('more'),
      feature('more', 's0'),
      { ...publish('more'), routingUrl: URL_OF },
    ]) {
      const { code, detail } = refusal(decide(state, command))
      expect(code).toBe('LIMIT_EXCEEDED')
      expect(detail).toContain('2000')
    }
  })
})

describe('publishing a schema', () => {
  it('changes nothing when the bytes are the same', () => {
    expect(decide(sample(), publish('orders'))).toMatchObject({ kind: 'unchanged' })
  })

  it('replaces another schema', () => {
    const decision = decide(sample(), publish('orders', 'b'))
    expect(decision).toMatchObject({
      kind: 'events',
      created: false,
      message: 'The schema of "orders" was published.',
    })
  })

  it('creates a missing subgraph only when its routing URL is given', () => {
    expect(refusal(decide(sample(), publish('fresh'))).code).toBe('NOT_FOUND')
    const decision = decide(sample(), {
      type: 'publish-schema',
      name: 'fresh',
      schema: sha('1'),
      bytes: 3,
      routingUrl: URL_OF,
      labels: ['team=B'],
    })
    expect(decision).toMatchObject({ kind: 'events', created: true })
    if (decision.kind !== 'events') throw new Error('unreachable')
    expect(decision.events.map((event) => event.type)).toEqual([
      'subgraph.created',
      'subgraph.schema-published',
    ])
  })

  it('publishes a feature subgraph, and refuses labels for it', () => {
    expect(run(sample(), publish('orders-next')).subgraphs.get('orders-next')?.schema).not.toBeNull()
    const labelled: Command = {
      type: 'publish-schema',
      name: 'orders-next',
      schema: sha('1'),
      bytes: 3,
      labels: ['a=b'],
    }
    expect(refusal(decide(sample(), labelled)).code).toBe('INVALID_REQUEST')
  })
})

describe('creating a feature flag', () => {
  it('lists every problem at once, and changes nothing', () => {
    const state = run(sample(), feature('orders-x', 'orders'), flag('new', ['orders-next']))
    const { code, detail, problems } = refusal(
      decide(state, flag('new', ['orders-next', 'orders-x', 'ghost', 'users', 'ghost'])),
    )
    expect(code).toBe('FEATURE_FLAG_INVALID')
    expect(problems).toEqual([
      'There is a feature flag "new" in namespace "default" already; choose another name.',
      'There is no feature subgraph "ghost" in namespace "default".',
      '"users" is a subgraph, not a feature subgraph; name one that replaces it.',
      'Feature subgraph "ghost" is named more than once.',
      '"orders-next" and "orders-x" replace the same subgraph "orders"; a feature flag takes one replacement of each.',
    ])
    expect(detail).toBe('Feature flag "new" was not created, and nothing was changed: 5 problems.')
  })

  it('refuses an empty list', () => {
    const only = 'No feature subgraph is named; a feature flag needs one or more.'
    expect(refusal(decide(sample(), flag('new', [])))).toEqual({
      code: 'FEATURE_FLAG_INVALID',
      detail: `Feature flag "new" was not created, and nothing was changed. ${only}`,
      problems: [only],
    })
  })

  it('is a conflict when only the name is taken', () => {
    const state = run(sample(), flag('new', ['orders-next']))
    expect(refusal(decide(state, flag('new', ['orders-next']))).code).toBe('ALREADY_EXISTS')
  })

  it('is disabled unless asked otherwise, and takes a feature subgraph that another flag has', () => {
    const state = run(sample(), flag('one', ['orders-next']), flag('two', ['orders-next'], { enabled: true }))
    expect([state.flags.get('one')?.enabled, state.flags.get('two')?.enabled]).toEqual([false, true])
  })
})

describe('switching a feature flag', () => {
  it('says so and changes nothing when it is as asked already', () => {
    const state = run(sample(), flag('new', ['orders-next']))
    expect(decide(state, { type: 'disable-feature-flag', name: 'new' })).toEqual({
      kind: 'unchanged',
      message: 'Feature flag "new" is disabled already; nothing was changed.',
    })
    const enabled = run(state, { type: 'enable-feature-flag', name: 'new' })
    expect(enabled.flags.get('new')?.enabled).toBe(true)
    expect(decide(enabled, { type: 'enable-feature-flag', name: 'new' }).kind).toBe('unchanged')
  })

  it('refuses an unknown flag', () => {
    expect(refusal(decide(sample(), { type: 'enable-feature-flag', name: 'constructor' })).code).toBe(
      'NOT_FOUND',
    )
  })
})
