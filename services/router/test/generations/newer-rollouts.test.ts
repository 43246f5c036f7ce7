/** What a router keeps of manifests that arrive faster than it can serve them. */
import { describe, expect, it } from 'vitest'
import {
  type NewerRollouts,
  newerRolloutsOf,
  newerThan,
  withNewer,
} from '../../src/generations/newer-rollouts.ts'
import { rollout } from '../support/rollouts.ts'

const newer = (revision: number, percent: number): NewerRollouts =>
  newerRolloutsOf({
    version: { epoch: 1, revision },
    rollouts: [rollout({ percent })],
    featureFlags: new Set(['next', 'other']),
  })
const keptOf = (percents: readonly number[]) =>
  percents
    .map((percent, at) => newer(at + 1, percent))
    .reduce<readonly NewerRollouts[]>((known, one) => withNewer(known, one, 0), [])
    .map(({ version, rollouts }) => [version.revision, rollouts[0]?.percent])

describe('the rollouts of newer manifests', () => {
  it('are those of the newest one as long as percentages only fall', () => {
    expect(keptOf([50, 20, 20, 5, 0])).toEqual([[5, 0]])
  })

  it('keep what later ones undo, since that waits until these are served', () => {
    expect(keptOf([50, 0, 20, 50])).toEqual([
      [2, 0],
      [3, 20],
      [4, 50],
    ])
  })

  it('do not become more, however often a percentage goes up and down', () => {
    const many = Array.from({ length: 1001 }, (_, at) => (at % 2 === 0 ? 5 : 25))
    expect(keptOf(many)).toEqual([[1001, 5]])
  })

  it('are in the order of their versions, and end with what is served', () => {
    const known = withNewer([newer(3, 0)], newer(2, 50), 0)
    expect(known.map(({ version }) => version.revision)).toEqual([2, 3])
    expect(newerThan(known, { epoch: 1, revision: 2 }).map(({ version }) => version.revision)).toEqual([3])
  })

  it('name the flags that their rollouts give, of those that the manifest has', () => {
    expect(newer(1, 5).flags).toEqual(['next'])
  })
})
