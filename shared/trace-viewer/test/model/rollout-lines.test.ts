import { expect, it } from 'vitest'
import { rolloutLines } from '../../src/model/rollout-lines.ts'

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
      line: 'apps (flag next, 5 %): not for this request, since a condition does not hold',
      conditions: [
        'client equals: holds (the request has ios)',
        'header:x not exists: holds (the request has none)',
        'address in: not understood, so it holds for nobody (the request has [redacted])',
      ],
    },
    {
      line: 'users (flag next, 0.5 %): outside, so base answered; bucket 2780 of claim:sub ann',
      conditions: [],
    },
  ])
  expect(rolloutLines({})).toEqual([])
})
