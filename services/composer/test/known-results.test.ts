import type { CompositionRecord } from '@switchyard/contracts'
import { describe, expect, it } from 'vitest'
import { KnownResults } from '../src/known-results.ts'

const HOUR_MS = 60 * 60 * 1000
const known = { inputHash: 'a'.repeat(64), artifact: 'b'.repeat(64), hints: [] }
const record: CompositionRecord = {
  v: 1,
  type: 'composition.completed',
  namespace: 'default',
  graph: 'shop',
  registrySequence: 1,
  base: { status: 'composed', ...known },
  featureFlags: [],
  pinnedRevision: null,
}

describe('results that are known', () => {
  it('are forgotten after an hour when no record holds them, since their blobs may be removed', () => {
    let now = 0
    const results = new KnownResults(() => now)
    results.add(known)
    now = HOUR_MS
    expect(results.get(known.inputHash)).toEqual(known)
    now = HOUR_MS + 1
    expect(results.get(known.inputHash)).toBeUndefined()
  })

  it('stay when a record holds them', () => {
    let now = 0
    const results = new KnownResults(() => now)
    results.add(known)
    results.addRecord(record)
    now = 1000 * HOUR_MS
    expect(results.get(known.inputHash)).toEqual(known)
  })
})
