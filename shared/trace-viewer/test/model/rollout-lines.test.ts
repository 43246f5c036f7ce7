import type { Trace } from '@switchyard/request-trace'
import { expect, it } from 'vitest'
import { rolloutLines, standInText, whyChosen } from '../../src/model/rollout-lines.ts'

it('rollouts are told in sentences, with what their conditions came to', () => {
  const lines = rolloutLines({
    rollouts: [
      {
        name: 'apps',
        flag: 'next',
        percent: 5,
        outcome: 'other-audience',
        conditions: [
          { on: 'client', test: 'equals', seen: ['ios'], holds: true },
          { on: 'header:x', test: 'exists', not: true, holds: true },
          { on: 'address', test: 'in', seen: ['[redacted]'], holds: false, problem: true },
        ],
      },
      {
        name: 'users',
        flag: 'next',
        percent: 0.5,
        outcome: 'control',
        key: { source: 'claim:sub', value: 'ann', bucket: 2780 },
      },
    ],
  })
  expect(lines).toEqual([
    {
      line: 'apps (flag next, 5 percent): not for this request, since a condition does not hold',
      conditions: [
        'client equals …: holds (it has "ios")',
        'header:x not exists: holds (it has none)',
        'address in …: not understood, so it holds for nobody (it has [redacted])',
      ],
    },
    {
      line: 'users (flag next, 0.5 percent): outside: bucket 2780 of claim:sub "ann" is not below 50',
      conditions: [],
    },
  ])
  expect(rolloutLines({})).toEqual([])
})

it.each<[Trace['composition']['reason'], string]>([
  ['header', 'Feature flag "next" is named in a header, so no rollout decides.'],
  ['cookie', 'Feature flag "next" is named in a cookie, so no rollout decides.'],
  ['unknown', 'A feature flag is named that this graph does not have, so the base graph answers.'],
  ['not-served', 'A feature flag is named that is not served, so the base graph answers.'],
  ['none', 'The request gets the base graph, since no rollout is for it.'],
])('why a composition answered without a rollout is told: %s', (reason, text) => {
  const composition = { feature_flag: 'next', reason, artifact: 'a', revision: 1 }
  expect(whyChosen({ composition })).toBe(text)
})

it.each<[Trace['composition']['reason'], 'inside' | 'control', string]>([
  ['rollout', 'inside', 'The request gets feature flag "next", by rollout "users".'],
  ['rollout-control', 'control', 'The request gets the base graph, since it is outside of rollout "users".'],
  [
    'rollout-not-ready',
    'inside',
    'The request gets feature flag "next", by rollout "users". Its composition cannot answer at the moment, so the base graph does.',
  ],
])('why a composition answered by a rollout is told: %s', (reason, outcome, text) => {
  const composition = { feature_flag: 'next', reason, artifact: 'a', revision: 1 }
  expect(whyChosen({ composition, rollouts: [{ name: 'users', flag: 'next', percent: 5, outcome }] })).toBe(
    text,
  )
})

it('a stand-in is told with its claims and headers, and when it was overruled', () => {
  const claims = [
    { name: 'sub', value: 'ann' },
    { name: 'plan', value: '[redacted]' },
  ]
  expect(standInText({})).toBeNull()
  expect(standInText({ stand_in: { claims, headers: { 'x-region': 'eu' } } })).toBe(
    'Chosen for another user, with the claims sub: ann, plan: [redacted], and with the headers x-region: eu. All else goes by the request itself.',
  )
  expect(standInText({ stand_in: { claims: [], headers: {} } })).toContain(
    'with no claims, and with no headers.',
  )
  expect(standInText({ stand_in: {} })).toContain('with nothing of its own.')
  expect(standInText({ stand_in: { headers: {}, overruled: true } })).toBe(
    'Another user was to be tried, with no headers. The request itself names a feature flag, which wins.',
  )
})

it('a rollout that is not understood is told as the reason', () => {
  const composition = { feature_flag: null, reason: 'none', artifact: 'a', revision: 1 } as const
  const rollouts = [{ name: 'users', flag: 'next', percent: 5, outcome: 'not-understood' }] as const
  expect(rolloutLines({ rollouts })[0]?.line).toContain('not understood, so requests that may be of its')
  expect(whyChosen({ composition, rollouts })).toBe(
    'The request gets the base graph, since rollout "users" is not understood.',
  )
})
