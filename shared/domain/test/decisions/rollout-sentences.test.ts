/** Sentences about rollouts: of both modes, at 0 and 100 percent, and in each state of a ramp. */
import { describe, expect, it } from 'vitest'
import { type Command, commandWarnings, decide, emptyNamespace } from '../../src/index.ts'
import { messageOf, refusal, run } from '../fold.ts'

const base = run(
  emptyNamespace('default'),
  { type: 'create-federated-graph', name: 'shop', labelMatchers: [] },
  { type: 'create-subgraph', name: 'a', routingUrl: 'http://a.example', labels: [] },
  { type: 'create-feature-subgraph', name: 'f', routingUrl: 'http://f.example', base: 'a' },
  { type: 'create-feature-flag', name: 'next', labels: [], featureSubgraphs: ['f'], enabled: true },
)

type Mode = 'serve' | 'shadow'

function created(mode: Mode, percent: number): Command {
  const rule = { graph: 'shop', flag: 'next', mode, percent, key: ['claim:sub'] }
  return { type: 'create-rollout', name: 'r', ...rule, freshSalt: '1' }
}

const RAMP: Command = { type: 'ramp-rollout', name: 'r', plan: { steps: [5, 100], everyMs: 60_000 } }
const PAUSE: Command = { type: 'pause-rollout', name: 'r' }
const ABORT: Command = { type: 'abort-rollout', name: 'r' }
const RESUME: Command = { type: 'resume-rollout', name: 'r' }
const COMPLETE: Command = { type: 'complete-rollout', name: 'r' }

function update(change: { readonly percent?: number; readonly mode?: Mode }): Command {
  return { type: 'update-rollout', name: 'r', ...change }
}

describe('a rollout', () => {
  it.each([
    ['serve', 0, 'nobody gets feature flag "next" in federated graph "shop" by it yet'],
    ['serve', 5, '5 percent of its audience get feature flag "next" in federated graph "shop"'],
    ['serve', 100, 'its whole audience gets feature flag "next" in federated graph "shop"'],
    [
      'shadow',
      0,
      'no answer in federated graph "shop" is compared with that of feature flag "next", which nobody gets',
    ],
    [
      'shadow',
      5,
      'answers to 5 percent of its audience in federated graph "shop" are compared with those of feature flag "next", which nobody gets',
    ],
    [
      'shadow',
      100,
      'answers to its whole audience in federated graph "shop" are compared with those of feature flag "next", which nobody gets',
    ],
  ] as const)('of mode %s says at %i percent what it does', (mode, percent, says) => {
    expect(messageOf(base, created(mode, percent))).toBe(`Rollout "r" was created: ${says}.`)
  })

  it.each<[Mode, Command[], Command, string]>([
    ['serve', [], update({ percent: 0 }), 'Rollout "r" was updated: nobody is inside.'],
    ['serve', [], update({ percent: 100 }), 'Rollout "r" was updated: its whole audience is inside.'],
    [
      'serve',
      [],
      update({ mode: 'shadow' }),
      'Rollout "r" was updated: its flag is only compared with base now, and answers to 20 percent of its audience are compared.',
    ],
    ['serve', [], ABORT, 'Rollout "r" was aborted: it selects nobody.'],
    ['serve', [ABORT], RESUME, 'Rollout "r" was resumed: 20 percent of its audience are inside.'],
    ['serve', [], COMPLETE, 'Rollout "r" was completed: its whole audience is inside.'],
    ['serve', [COMPLETE], RESUME, 'Rollout "r" was resumed: 20 percent of its audience are inside.'],
    [
      'serve',
      [RAMP],
      PAUSE,
      'The ramp of rollout "r" was paused: 5 percent of its audience are inside until it is resumed.',
    ],
    [
      'serve',
      [RAMP, PAUSE],
      RESUME,
      'Rollout "r" was resumed: 5 percent of its audience are inside, and the step of its ramp begins anew.',
    ],
    [
      'serve',
      [],
      { type: 'ramp-rollout', name: 'r', plan: { steps: [100], everyMs: 1000 } },
      'Rollout "r" began a ramp: its whole audience is inside, its only step.',
    ],
    [
      'serve',
      [RAMP],
      { type: 'advance-rollout', name: 'r' },
      'The ramp of rollout "r" went on: its whole audience is inside.',
    ],
    [
      'serve',
      [RAMP, { type: 'advance-rollout', name: 'r' }],
      { type: 'end-ramp-of-rollout', name: 'r' },
      'The ramp of rollout "r" ended: its whole audience is inside.',
    ],
    ['shadow', [], update({ percent: 0 }), 'Rollout "r" was updated: no answer is compared.'],
    [
      'shadow',
      [],
      update({ mode: 'serve', percent: 1 }),
      'Rollout "r" was updated: it gives its flag to requests now, and 1 percent of its audience are inside.',
    ],
    ['shadow', [], ABORT, 'Rollout "r" was aborted: it compares nothing.'],
    [
      'shadow',
      [ABORT],
      RESUME,
      'Rollout "r" was resumed: answers to 20 percent of its audience are compared.',
    ],
    ['shadow', [], COMPLETE, 'Rollout "r" was completed: answers to its whole audience are compared.'],
    ['shadow', [], { type: 'delete-rollout', name: 'r' }, 'Rollout "r" was deleted.'],
  ])('of mode %s says after %j what %j does', (mode, before, command, says) => {
    expect(messageOf(run(base, created(mode, 20), ...before), command)).toBe(says)
  })

  it.each<[Mode, Command[], Command, string]>([
    ['serve', [], PAUSE, 'Rollout "r" has no ramp. Nothing was changed.'],
    ['serve', [RAMP, COMPLETE], PAUSE, 'Rollout "r" is on no ramp that runs: its ramp has ended.'],
    ['shadow', [], PAUSE, 'Rollout "r" is of mode "shadow", which gives its flag to nobody and has no ramp.'],
    ['shadow', [ABORT], update({ percent: 5 }), 'Rollout "r" is aborted and compares nothing, so that'],
    ['shadow', [COMPLETE], update({ percent: 5 }), 'is completed and compares the answers to its whole'],
    ['serve', [COMPLETE], update({ percent: 5 }), 'is completed and selects its whole audience, so that'],
  ])('of mode %s refuses after %j the command %j in words for its mode', (mode, before, command, says) => {
    expect(refusal(decide(run(base, created(mode, 20), ...before), command)).detail).toContain(says)
  })

  it('of mode shadow refuses a ramp for this reason alone', () => {
    const keyless: Command = {
      type: 'create-rollout',
      name: 'r',
      graph: 'shop',
      flag: 'next',
      mode: 'shadow',
      freshSalt: '1',
    }
    expect(refusal(decide(run(base, keyless), RAMP)).problems).toEqual([
      'A rollout of the mode "shadow" gives its flag to nobody, so that it needs no ramp.',
    ])
  })

  it.each([
    ['serve', 'selects nobody'],
    ['shadow', 'compares nothing'],
  ] as const)('of mode %s warns that it %s while its flag is disabled', (mode, says) => {
    const state = run(base, { type: 'disable-feature-flag', name: 'next' })
    const command = created(mode, 20)
    expect(commandWarnings(run(state, command), command, [])).toEqual([
      `Rollout "r" ${says} in federated graph "shop", since feature flag "next" is disabled.`,
    ])
  })
})
