import { describe, expect, it } from 'vitest'
import { affectedGraphs, type Command, compositionInputs, decide } from '../../src/index.ts'
import { eventsOf, feature, flag, messageOf, publish, refusal, run, sample, subgraph } from '../fold.ts'

const update = (name: string, change: { labels?: string[]; featureSubgraphs?: string[] }): Command => ({
  type: 'update-feature-flag',
  name,
  ...change,
})
const flagged = run(
  sample(),
  feature('users-next', 'users'),
  publish('orders-next'),
  publish('users-next'),
  flag('new', ['orders-next'], { enabled: true, labels: ['team=A'] }),
)

describe('updating a feature flag', () => {
  it('replaces what is given, leaves the rest, and stays enabled', () => {
    const members = run(flagged, update('new', { featureSubgraphs: ['users-next'] }))
    expect(members.flags.get('new')).toEqual({
      name: 'new',
      labels: ['team=A'],
      featureSubgraphs: ['users-next'],
      enabled: true,
      launched: null,
    })
    const labels = run(flagged, update('new', { labels: [] }))
    expect(labels.flags.get('new')).toMatchObject({ labels: [], featureSubgraphs: ['orders-next'] })
    expect(affectedGraphs(flagged, members)).toEqual(['shop'])
    expect(affectedGraphs(flagged, labels)).toEqual(['shop'])
    expect(messageOf(flagged, update('new', { labels: [] }))).toBe('Feature flag "new" was updated.')
  })

  it('writes down only what differs, sorted', () => {
    const command = update('new', { labels: ['team=A'], featureSubgraphs: ['users-next', 'orders-next'] })
    expect(eventsOf(flagged, command)).toEqual([
      { type: 'feature-flag.updated', name: 'new', featureSubgraphs: ['orders-next', 'users-next'] },
    ])
  })

  it.each<[string, Command]>([
    ['the same labels', update('new', { labels: ['team=A', 'team=A'] })],
    ['the same members', update('new', { featureSubgraphs: ['orders-next'] })],
  ])('says that nothing was changed by %s', (_, command) => {
    expect(decide(flagged, command)).toEqual({
      kind: 'unchanged',
      message: 'Feature flag "new" is like this already; nothing was changed.',
    })
  })

  it('refuses with one list of all problems', () => {
    const state = run(flagged, feature('orders-x', 'orders'))
    const { code, detail, problems } = refusal(
      decide(
        state,
        update('new', {
          labels: [],
          featureSubgraphs: ['orders-next', 'ghost', 'users', 'orders-x', 'ghost'],
        }),
      ),
    )
    expect(code).toBe('FEATURE_FLAG_INVALID')
    expect(problems).toEqual([
      'There is no feature subgraph "ghost" in namespace "default".',
      '"users" is a subgraph, not a feature subgraph; name one that replaces it.',
      'Feature subgraph "ghost" is named more than once.',
      '"orders-next" and "orders-x" replace the same subgraph "orders"; a feature flag takes one replacement of each.',
    ])
    expect(detail).toBe('Feature flag "new" was not updated, and nothing was changed: 4 problems.')
  })

  it('refuses an empty list, and an unknown flag before anything else', () => {
    expect(refusal(decide(flagged, update('new', { featureSubgraphs: [] }))).problems).toEqual([
      'No feature subgraph is named; a feature flag needs one or more.',
    ])
    expect(refusal(decide(flagged, update('constructor', { featureSubgraphs: [] }))).code).toBe('NOT_FOUND')
  })

  it('fills a flag again that deletions left empty', () => {
    const empty = run(flagged, { type: 'delete-subgraph', name: 'orders-next' })
    expect(empty.flags.get('new')).toMatchObject({ featureSubgraphs: [], enabled: true })
    const filled = run(empty, update('new', { featureSubgraphs: ['users-next'] }))
    expect(affectedGraphs(empty, filled)).toEqual(['shop'])
    expect(compositionInputs(filled, 'shop')?.flags.map((item) => item.name)).toEqual(['new'])
  })

  it('lets a flag left empty be relabelled, enabled and deleted', () => {
    const empty = run(flagged, { type: 'delete-subgraph', name: 'orders-next' })
    for (const command of [
      update('new', { labels: [] }),
      { type: 'disable-feature-flag', name: 'new' },
      { type: 'delete-feature-flag', name: 'new' },
    ] as const) {
      expect(affectedGraphs(empty, run(empty, command))).toEqual([])
    }
  })
})

describe('deleting a feature flag', () => {
  it('says so, leaves its feature subgraphs, and refuses the second time', () => {
    const command: Command = { type: 'delete-feature-flag', name: 'new' }
    expect(messageOf(flagged, command)).toBe('Feature flag "new" was deleted.')
    const after = run(flagged, command)
    expect([after.flags.size, after.subgraphs.has('orders-next')]).toEqual([0, true])
    expect(affectedGraphs(flagged, after)).toEqual(['shop'])
    const { code, detail } = refusal(decide(after, command))
    expect([code, detail]).toEqual([
      'NOT_FOUND',
      'There is no feature flag "new" in namespace "default". Nothing was changed.',
    ])
  })
})

describe('the messages of switching and creating', () => {
  it.each<[Command, string]>([
    [flag('a', ['orders-next']), 'Feature flag "a" was created disabled.'],
    [flag('a', ['orders-next'], { enabled: true }), 'Feature flag "a" was created enabled.'],
    [{ type: 'disable-feature-flag', name: 'new' }, 'Feature flag "new" was disabled.'],
  ])('%j', (command, message) => {
    expect(messageOf(flagged, command)).toBe(message)
  })

  it('enabling says so, and each further time that nothing was changed', () => {
    const disabled = run(flagged, { type: 'disable-feature-flag', name: 'new' })
    const enable: Command = { type: 'enable-feature-flag', name: 'new' }
    expect(messageOf(disabled, enable)).toBe('Feature flag "new" was enabled.')
    expect(messageOf(flagged, enable)).toBe('Feature flag "new" is enabled already; nothing was changed.')
  })

  it('refuses to switch an unknown flag, either way', () => {
    for (const type of ['enable-feature-flag', 'disable-feature-flag'] as const) {
      expect(refusal(decide(flagged, { type, name: 'ghost' })).code).toBe('NOT_FOUND')
    }
  })

  it('puts a taken name beside the other problems, never instead of them', () => {
    const taken = refusal(decide(flagged, flag('new', [])))
    expect(taken.problems).toHaveLength(2)
    expect(taken.problems[0]).toContain('There is a feature flag "new"')
  })
})

describe('names that are words of the language', () => {
  it.each(['constructor', '__proto__', 'hasOwnProperty', 'valueOf', 'a.b/c@d'])(
    '"%s" is only a name',
    (name) => {
      let state = run(
        sample(),
        subgraph(name, 'team=A'),
        publish(name),
        feature(`${name}-next`, name),
        publish(`${name}-next`),
      )
      expect(refusal(decide(state, flag(name, [name]))).code).toBe('FEATURE_FLAG_INVALID')
      for (const type of ['enable-feature-flag', 'disable-feature-flag', 'delete-feature-flag'] as const) {
        expect(refusal(decide(state, { type, name })).code).toBe('NOT_FOUND')
      }
      state = run(state, flag(name, [`${name}-next`], { enabled: true, labels: ['team=A'] }))
      const inputs = compositionInputs(state, 'shop')
      expect(inputs?.flags.map((item) => item.name)).toEqual([name])
      expect(inputs?.flags[0]?.subgraphs).toContainEqual(
        expect.objectContaining({ name: `${name}-next`, baseName: name }),
      )
      expect(compositionInputs(state, name)).toBeNull()
      const after = run(state, { type: 'delete-subgraph', name })
      expect(after.flags.get(name)?.featureSubgraphs).toEqual([])
      expect(after.subgraphs.has(`${name}-next`)).toBe(false)
    },
  )
})
