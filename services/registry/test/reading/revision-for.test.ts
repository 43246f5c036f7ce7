import { describe, expect, it } from 'vitest'
import type { RecordedResult, ManifestContent } from '@switchyard/contracts'
import type { CompositionEntry } from '../../src/reading/composition-results.ts'
import type { PublishedConfig } from '../../src/reading/published-configs.ts'
import { revisionFor } from '../../src/reading/revision-for.ts'

const composed = (artifact: string): RecordedResult => ({
  status: 'reused',
  inputHash: artifact,
  artifact,
  hints: [],
})
const failed: RecordedResult = {
  status: 'failed',
  inputHash: 'x',
  unchanged: false,
  errors: [],
  errorCount: 1,
  hints: [],
}

function entry(
  base: RecordedResult,
  flags: Record<string, RecordedResult>,
  pinnedRevision: number | null = null,
  lastUnpinned: ManifestContent | null = config('b', { f: 'f1' }),
): CompositionEntry {
  const fails = base.status === 'failed' && pinnedRevision === null
  return {
    sequence: 10,
    lastUnpinned: fails ? lastUnpinned : 'irrelevant',
    failing: new Map(),
    record: {
      v: 1,
      type: 'composition.completed',
      namespace: 'default',
      graph: 'shop',
      registrySequence: 20,
      base,
      featureFlags: Object.entries(flags).map(([name, result]) => ({ name, unpublished: [], result })),
      pinnedRevision,
    },
  }
}

function config(
  base: string | null,
  flags: Record<string, string>,
  compositionSequence = 9,
): PublishedConfig {
  const sequences = { compositionSequence, registrySequence: compositionSequence }
  const artifacts = Object.entries(flags).map(([name, artifact]) => [name, { artifact }] as const)
  return {
    epoch: 1,
    sha256: '',
    createdAt: '',
    republished: 0,
    rolloutsSequence: 0,
    rollouts: [],
    revision: 4,
    ...sequences,
    base: base === null ? null : { artifact: base },
    featureFlags: Object.fromEntries(artifacts),
  }
}

describe('the revision that carries out a composition', () => {
  const same = config('b', { f: 'f1' })

  it.each<[string, CompositionEntry, PublishedConfig, boolean]>([
    ['the newest carries out a later one', entry(composed('new'), {}), config('b', {}, 11), true],
    ['nothing that routers see changed', entry(composed('b'), { f: composed('f1') }), same, true],
    ['the base is another one', entry(composed('c'), { f: composed('f1') }), same, false],
    ['a flag is another one', entry(composed('b'), { f: composed('f2') }), same, false],
    ['a flag is new', entry(composed('b'), { f: composed('f1'), g: composed('g1') }), same, false],
    ['a flag fails that failed before', entry(composed('b'), { f: composed('f1'), g: failed }), same, true],
    ['a flag fails that was served', entry(composed('b'), { f: failed }), same, false],
    ['the base fails and the flag is still there', entry(failed, { f: composed('f2') }), same, true],
    ['the base fails and the flag was switched off', entry(failed, {}), same, false],
    [
      'the base fails and the graph is released from an older revision',
      entry(failed, { f: composed('f1') }, null, config('newer', { f: 'f2' })),
      same,
      false,
    ],
    ['the base has never composed', entry(failed, {}, null, null), same, true],
  ])('when %s', (_, composition, newest, isThere) => {
    expect(revisionFor(composition, newest, null)).toBe(isThere ? newest : null)
  })

  const held = entry(composed('c'), { f: composed('f2') }, 2)
  const heldWithoutFlag = entry(composed('c'), {}, 2)

  it.each<[string, CompositionEntry, PublishedConfig | null, boolean]>([
    ['it is what is served', held, config('b', { f: 'f1' }), true],
    ['it had another base', held, config('a', { f: 'f1' }), false],
    ['it had another flag', held, config('b', { f: 'f0' }), false],
    ['it had one flag more, which is still on', held, config('b', {}), false],
    ['it had one flag more, which is switched off', heldWithoutFlag, config('b', { f: 'f1' }), false],
    ['nobody read it yet', held, null, false],
    ['the graph was removed in it', held, config(null, {}), true],
    ['the graph was removed in it, and the flag is switched off', heldWithoutFlag, config(null, {}), false],
  ])('when the graph is held on a revision, and %s', (_, composition, pinned, isThere) => {
    expect(revisionFor(composition, same, pinned)).toBe(isThere ? same : null)
  })

  it('does not exist before the composition, or before the first revision', () => {
    expect(revisionFor(null, same, null)).toBeNull()
    expect(revisionFor(entry(composed('b'), {}), null, null)).toBeNull()
  })
})
