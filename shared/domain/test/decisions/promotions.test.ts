import { describe, expect, it } from 'vitest'
import {
  affectedGraphs,
  type Command,
  commandWarnings,
  compositionInputs,
  decide,
  isLaunched,
  type NamespaceState,
} from '../../src/index.ts'
import { eventsOf, feature, flag, graph, messageOf, publish, refusal, run, sample, sha } from '../fold.ts'

const NEXT_URL = 'http://localhost:4201/graphql'
const promote = (name = 'new'): Command => ({ type: 'promote-feature-flag', name })
const undo = (name = 'new'): Command => ({ type: 'undo-promotion', name })

/** A flag with two members, of which one has another URL, in a graph beside one without the flag. */
const flagged = run(
  sample(),
  feature('users-next', 'users'),
  { type: 'update-subgraph', name: 'users-next', routingUrl: NEXT_URL },
  publish('orders-next', '2'),
  publish('users-next', '3'),
  { type: 'update-subgraph', name: 'users', labels: ['team=A', 'team=B'] },
  graph('all', 'team=A,team=B'),
  flag('new', ['orders-next', 'users-next'], { enabled: true, labels: ['team=A'] }),
)
const launched = run(flagged, promote())

const flagIn = (state: NamespaceState, name = 'new') => {
  const found = state.flags.get(name)
  if (found === undefined) throw new Error(`there is no flag ${name}`)
  return found
}
const inputsOf = (state: NamespaceState, name = 'shop') => {
  const inputs = compositionInputs(state, name)
  return { base: inputs?.base, flag: inputs?.flags.find((input) => input.name === 'new')?.subgraphs }
}

describe('promoting a feature flag', () => {
  it('is one record that holds what was before and after, and publishes it', () => {
    expect(eventsOf(flagged, promote())).toEqual([
      {
        type: 'feature-flag.launched',
        name: 'new',
        promoted: [
          expect.objectContaining({ subgraph: 'orders', featureSubgraph: 'orders-next' }),
          {
            subgraph: 'users',
            featureSubgraph: 'users-next',
            before: { schema: sha('5'), bytes: 10, routingUrl: 'http://localhost:4101/graphql' },
            after: { schema: sha('3'), bytes: 10, routingUrl: NEXT_URL },
          },
        ],
      },
      { type: 'subgraph.schema-published', name: 'orders', schema: sha('2'), bytes: 10 },
      { type: 'subgraph.schema-published', name: 'users', schema: sha('3'), bytes: 10 },
      { type: 'subgraph.updated', name: 'users', routingUrl: NEXT_URL },
    ])
    expect(messageOf(flagged, promote())).toContain(
      'Feature flag "new" was launched: "orders-next" is published as "orders", "users-next" is published as "users".',
    )
  })

  it('makes the flag the base graph, with the content that the flag had', () => {
    const before = inputsOf(flagged).flag?.map(({ schema, routingUrl }) => ({ schema, routingUrl }))
    const { base, flag: ofFlag } = inputsOf(launched)
    expect(base?.map(({ schema, routingUrl }) => ({ schema, routingUrl }))).toEqual(before)
    expect(ofFlag).toBe(base)
    expect(flagIn(launched).enabled).toBe(true)
  })

  it('affects every graph of a subgraph that it changes, also those without the flag', () => {
    expect(affectedGraphs(flagged, launched)).toEqual(['all', 'depot', 'shop'])
  })

  it('changes nothing the second time, whatever became of the subgraphs', () => {
    expect(decide(launched, promote())).toMatchObject({ kind: 'unchanged' })
    expect(decide(run(launched, publish('users', '9')), promote())).toMatchObject({ kind: 'unchanged' })
  })

  it('refuses a flag that serves nobody, or not all that it has, with everything that is wrong', () => {
    const state = run(flagged, feature('stock-next', 'stock'), {
      type: 'create-subgraph',
      name: 'bare',
      routingUrl: NEXT_URL,
      labels: [],
    })
    const more = run(
      state,
      feature('bare-next', 'bare'),
      publish('bare-next'),
      flag('off', ['stock-next', 'bare-next']),
    )
    expect(refusal(decide(more, promote('off')))).toEqual({
      code: 'FEATURE_FLAG_INVALID',
      detail: 'Feature flag "off" was not promoted, and nothing was changed: 3 problems.',
      problems: [
        'It is disabled, so that nobody is served it. Enable it first.',
        'Subgraph "bare", which "bare-next" replaces, has no published schema, so that it is in no graph and nothing would be replaced.',
        'Feature subgraph "stock-next" has no published schema. Publish one, or take it out of the flag.',
      ],
    })
    expect(refusal(decide(flagged, promote('nwe')))).toMatchObject({
      code: 'NOT_FOUND',
      detail: expect.stringContaining('Did you mean "new"?'),
    })
  })

  it('warns of rollouts that make no difference any more', () => {
    const rollout = run(flagged, {
      type: 'create-rollout',
      name: 'some',
      graph: 'shop',
      flag: 'new',
      percent: 5,
      key: ['claim:sub'],
      freshSalt: '0',
    })
    expect(commandWarnings(run(rollout, promote()), promote(), ['shop'])).toEqual([
      expect.stringMatching(/^Rollout "some" makes no difference any more/),
    ])
  })
})

describe('a launched flag', () => {
  it('follows the base, whatever is published there', () => {
    const { base, flag: ofFlag } = inputsOf(run(launched, publish('users', '9')))
    expect(base?.find(({ name }) => name === 'users')?.schema).toBe(sha('9'))
    expect(ofFlag).toEqual(base)
  })

  it.each<[string, Command]>([
    ['a schema of a feature subgraph', publish('users-next', '8')],
    ['its routing URL', { type: 'update-subgraph', name: 'users-next', routingUrl: 'http://other/graphql' }],
    ['its members', { type: 'update-feature-flag', name: 'new', featureSubgraphs: ['users-next'] }],
    ['the existence of one', { type: 'delete-subgraph', name: 'orders-next' }],
  ])('is served beside the base again after a change of %s, and can be promoted again', (_what, command) => {
    const changed = run(launched, command)
    expect(isLaunched(changed, flagIn(changed))).toBe(false)
    expect(affectedGraphs(launched, changed)).toContain('shop')
    expect(inputsOf(changed).flag?.some(({ baseName }) => baseName !== null)).toBe(true)
    const again = run(changed, promote())
    expect(isLaunched(again, flagIn(again))).toBe(true)
  })

  it('is told about when it ends, and is launched again when the change is taken back', () => {
    const changed = run(launched, publish('users-next', '8'))
    expect(commandWarnings(changed, publish('users-next', '8'), ['shop'])).toContain(
      'Feature flag "new" was launched, and its feature subgraphs were changed since: it is served beside the base again, until it is promoted again.',
    )
    const back = run(changed, publish('users-next', '3'))
    expect(isLaunched(back, flagIn(back))).toBe(true)
  })
})

describe('undoing a promotion', () => {
  it('publishes again by hash what was there before', () => {
    expect(eventsOf(launched, undo())).toEqual([
      { type: 'feature-flag.launch-undone', name: 'new' },
      { type: 'subgraph.schema-published', name: 'orders', schema: sha('f'), bytes: 10 },
      { type: 'subgraph.schema-published', name: 'users', schema: sha('5'), bytes: 10 },
      { type: 'subgraph.updated', name: 'users', routingUrl: 'http://localhost:4101/graphql' },
    ])
    const undone = run(launched, undo())
    expect(inputsOf(undone)).toEqual(inputsOf(flagged))
    expect(decide(undone, undo())).toMatchObject({ kind: 'unchanged' })
  })

  it('is possible after a feature subgraph was changed, since that is in no base', () => {
    const undone = run(launched, publish('users-next', '8'), undo())
    expect(inputsOf(undone).base).toEqual(inputsOf(flagged).base)
  })

  it('is refused with all subgraphs that others changed since, and changes none of them', () => {
    const state = run(
      launched,
      publish('users', '9'),
      { type: 'update-subgraph', name: 'users', routingUrl: 'http://other/graphql' },
      { type: 'delete-subgraph', name: 'orders' },
    )
    expect(refusal(decide(state, undo()))).toMatchObject({
      code: 'UNDO_NOT_POSSIBLE',
      problems: [
        'Subgraph "orders" was deleted.',
        'Subgraph "users" has another schema and routing URL than the promotion gave it.',
      ],
    })
  })

  it('is possible again when the other change was taken back', () => {
    const other = run(launched, publish('users', '9'))
    expect(decide(other, undo()).kind).toBe('refused')
    expect(decide(run(other, publish('users', '3')), undo()).kind).toBe('events')
  })

  it('goes back step by step where two flags were promoted one after the other', () => {
    const second = run(
      launched,
      feature('users-alt', 'users'),
      publish('users-alt', '7'),
      flag('alt', ['users-alt'], { enabled: true, labels: ['team=A'] }),
      promote('alt'),
    )
    expect(decide(second, undo()).kind).toBe('refused')
    const undone = run(second, undo('alt'), undo())
    expect(inputsOf(undone)).toEqual(inputsOf(flagged))
  })
})
