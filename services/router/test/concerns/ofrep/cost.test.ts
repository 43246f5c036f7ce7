/** The cost of one answer for all flags, beside reading the request and writing the answer. */
import type { ManifestRollout } from '@switchyard/contracts'
import { expect, it } from 'vitest'
import { evaluate } from '../../../src/concerns/ofrep/evaluation.ts'
import { RolloutCompiler } from '../../../src/concerns/rollouts/compile-rollouts.ts'
import { RolloutEvents } from '../../../src/concerns/rollouts/events.ts'
import { decisionOf } from '../../../src/concerns/rollouts/stage.ts'
import { createLogger } from '@switchyard/service-kit'
import { rollout } from '../../support/rollouts.ts'

const ROUNDS = 5
const EVALUATIONS = 2000
const LIMIT_US = 100

const FLAGS = Array.from({ length: 20 }, (_, index) => `flag-${index}`)
const ROLLOUTS: readonly ManifestRollout[] = FLAGS.slice(0, 10).map((flag, index) =>
  rollout({
    name: flag,
    flag,
    key: ['claim:sub'],
    where: [
      { on: 'claim:plan', in: ['pro', 'team'] },
      { on: 'header:X-Region', starts_with: 'eu-' },
      { on: 'claim:group', equals: `group-${index}` },
    ],
  }),
)

it('is a few microseconds for twenty flags and ten rollouts', () => {
  const logger = createLogger({ name: 'router', to: { write: () => {} } })
  const flags = new Map(FLAGS.map((flag) => [flag, { state: { kind: 'built' } } as const]))
  const table = new RolloutCompiler(new RolloutEvents(logger)).compile({
    rollouts: ROLLOUTS,
    featureFlags: flags,
  })
  const parts = {
    generations: { table: { rollouts: table } },
    config: { flags: { cookie: true } },
    visitors: null,
    areVisitorsTold: false,
  }
  const sender = {
    client: '192.0.2.1',
    named: { name: 'app', version: '1.0.0' },
    request: { headers: { 'x-region': 'eu-west', cookie: 'a=b; c=d' } },
    identity: { claims: { sub: 'user-1', plan: 'pro', group: 'group-9' }, key: '' },
    decision: null,
  }
  const answer = () => {
    const { choice } = decisionOf(sender, parts)
    return JSON.stringify({ flags: FLAGS.map((flag) => evaluate(flag, choice, flags)) })
  }
  expect(answer()).toContain('"key":"flag-9","value":')
  const rounds = Array.from({ length: ROUNDS }, () => {
    const began = performance.now()
    for (let count = 0; count < EVALUATIONS; count++) answer()
    return ((performance.now() - began) * 1000) / EVALUATIONS
  })
  expect(Math.min(...rounds)).toBeLessThan(LIMIT_US)
})
