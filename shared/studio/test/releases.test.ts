import { describe, expect, it } from 'vitest'
import {
  failure,
  type FlagDetail,
  promoted,
  rolloutsOf,
  type Snapshot,
} from '../src/page/pages/flag/affected.ts'
import { durationText } from '../src/page/pages/rollout/duration.ts'
import { reasonsAgainst } from '../src/page/pages/rollout/possible.ts'
import type { Rollout } from '../src/page/parts/rollouts/state.ts'

type Ramp = NonNullable<Rollout['ramp']>
type State = Parameters<typeof reasonsAgainst>[0]

const RAMP: Ramp = {
  steps: [5, 50, 100],
  everyMs: 60_000,
  step: 0,
  since: 7,
  sinceTime: 0,
  begun: 1,
  attempt: 1,
  state: 'running',
  judgement: null,
  emergency: null,
}
const possibleOf = (state: State) =>
  Object.entries(reasonsAgainst(state)).flatMap(([verb, reason]) => (reason === null ? [verb] : []))

describe('commands about a rollout', () => {
  it('are those that would change something', () => {
    expect(possibleOf({ status: 'active', ramp: null })).toEqual(['abort', 'complete', 'percent'])
    expect(possibleOf({ status: 'active', ramp: RAMP })).toEqual(['abort', 'pause', 'advance', 'complete'])
    expect(possibleOf({ status: 'active', ramp: { ...RAMP, step: 2 } })).toEqual([
      'abort',
      'pause',
      'end-ramp',
      'complete',
    ])
    expect(possibleOf({ status: 'active', ramp: { ...RAMP, state: 'paused' } })).toEqual([
      'abort',
      'resume',
      'complete',
      'percent',
    ])
    expect(possibleOf({ status: 'aborted', ramp: RAMP })).toEqual(['resume', 'complete'])
    expect(possibleOf({ status: 'completed', ramp: null })).toEqual(['abort', 'resume'])
  })
})

const schema = (letter: string) => ({ sha256: letter.repeat(64), bytes: 10 })
const SUBGRAPH = { name: 'products', routingUrl: 'http://a', labels: [], base: null, schema: schema('a') }
const FEATURE = { ...SUBGRAPH, name: 'products-prices', base: 'products' }
const SNAPSHOT: Snapshot = {
  namespace: 'default',
  sequence: 9,
  graphs: [],
  subgraphs: [SUBGRAPH, { ...FEATURE, routingUrl: 'http://b', schema: schema('b') }],
  featureFlags: [],
  rollouts: [],
  previews: [],
  previewHosts: [],
}
const FLAG: FlagDetail = {
  namespace: 'default',
  name: 'prices',
  labels: [],
  featureSubgraphs: ['products-prices'],
  enabled: true,
  graphs: [{ graph: 'shop', state: 'served' }],
  compositions: [],
}

describe('what commands about a flag affect', () => {
  it('is what base does not have already', () => {
    expect(promoted(SNAPSHOT, FLAG)).toEqual([
      { subgraph: 'products', content: 'the schema and the routing URL http://b that products-prices has' },
    ])
    expect(promoted({ ...SNAPSHOT, subgraphs: [SUBGRAPH, FEATURE] }, FLAG)).toEqual([])
    expect(rolloutsOf(SNAPSHOT, 'prices')).toEqual([])
  })

  it('is nothing where the flag fails', () => {
    const report = { graph: 'shop', featureFlag: 'prices', errorCount: 1, errors: [], hints: [] }
    const failed = { ...report, status: 'failed' as const, failedBefore: false, isNew: false }
    expect(failure({ ...FLAG, compositions: [failed] })).toMatch(/fails in shop/)
    expect(failure(FLAG)).toBeNull()
  })
})

it('says lengths of time in the largest unit', () => {
  expect([1000, 90_000, 3_600_000, 86_400_000].map(durationText)).toEqual([
    '1 second',
    '90 seconds',
    '1 hour',
    '1 day',
  ])
})
