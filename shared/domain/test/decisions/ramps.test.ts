/** Ramps of rollouts, where the model of all rules says little: what a change by hand does to one. */
import { describe, expect, it } from 'vitest'
import { type Command, decide, emptyNamespace, type NamespaceState } from '../../src/index.ts'
import { run } from '../fold.ts'

const PLAN = { steps: [5, 50, 100], everyMs: 60_000, guards: { errors: { points: 1 } } }

const onRamp = [
  { type: 'create-federated-graph', name: 'shop', labelMatchers: [] },
  { type: 'create-subgraph', name: 'a', routingUrl: 'http://a.example', labels: [] },
  { type: 'create-feature-subgraph', name: 'f', routingUrl: 'http://f.example', base: 'a' },
  { type: 'create-feature-flag', name: 'next', labels: [], featureSubgraphs: ['f'], enabled: true },
  { type: 'create-rollout', name: 'r', graph: 'shop', flag: 'next', key: ['claim:sub'], freshSalt: '1' },
  { type: 'ramp-rollout', name: 'r', plan: PLAN },
] satisfies Command[]

describe('a ramp', () => {
  const state = run(emptyNamespace('default'), ...onRamp)
  const paused = run(state, { type: 'pause-rollout', name: 'r' })
  const rampOf = ({ rollouts }: NamespaceState) => rollouts.get('r')?.ramp ?? null

  it.each([
    { percent: 20 },
    { key: ['header:X-User'] },
    { where: [{ on: 'claim:plan', equals: 'pro' }] },
    { mode: 'shadow' as const },
  ])('is over if its groups are changed by hand: %j', (change) => {
    const refused = decide(state, { type: 'update-rollout', name: 'r', ...change })
    expect(refused).toMatchObject({ kind: 'refused', problem: { code: 'ROLLOUT_INVALID' } })
    const changed = run(paused, { type: 'update-rollout', name: 'r', ...change })
    expect(rampOf(changed)).toBeNull()
    // So nobody resumes a guarded ramp with a key that clients choose.
    expect(decide(changed, { type: 'resume-rollout', name: 'r' }).kind).toBe('unchanged')
  })

  it('goes on where nothing but the end or the place of the rollout changes', () => {
    const expires = '2027-01-01T00:00:00Z'
    const changed = run(state, { type: 'update-rollout', name: 'r', expires })
    expect(rampOf(changed)).toEqual(rampOf(state))
  })

  it('begins its step anew when it is resumed, which its statistics are told', () => {
    const resumed = rampOf(run(paused, { type: 'resume-rollout', name: 'r' }))
    expect(resumed).toMatchObject({ step: 0, begun: 2, attempt: 2, state: 'running' })
    expect(resumed?.since).toBeGreaterThan(rampOf(state)?.since ?? Infinity)
  })
})
