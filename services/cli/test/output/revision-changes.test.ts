/** What made a revision, as `config history` tells it of registries of any age. */
import type { RevisionChange, RevisionView } from '@switchyard/contracts'
import { describe, expect, it } from 'vitest'
import { causesOf } from '../../src/output/revision-changes.ts'

const REVISION: RevisionView = {
  epoch: 1,
  revision: 7,
  createdAt: '2026-03-02T09:12:44.120Z',
  registrySequence: 9,
  reason: 'composition',
  actor: 'bootstrap',
  base: null,
  featureFlags: [],
}
const CHANGE: RevisionChange = {
  sequence: 9,
  time: '2026-03-02T09:12:43.000Z',
  actor: 'key:1',
  apiKey: 'bot',
  summary: 'feature flag "f" enabled',
  events: [],
  eventCount: 1,
}

describe('what made a revision', () => {
  it('is unknown where the registry does not say it, or does not know it any more', () => {
    const unknown = [{ what: 'unknown (composition)', by: 'bootstrap', why: '-' }]
    expect(causesOf(REVISION)).toEqual(unknown)
    expect(causesOf({ ...REVISION, changes: null, changeCount: 0 })).toEqual(unknown)
    expect(causesOf({ ...REVISION, actor: null })[0]?.by).toBe('unknown')
  })

  it('is keys or a restore where no command is behind it', () => {
    const told = (reason: RevisionView['reason']) => causesOf({ ...REVISION, reason, changes: [] })[0]?.what
    expect(told('keys')).toBe('keys changed')
    expect(told('restored')).toBe('restored: event log imported or set back')
    expect(told('pin')).toContain('while held')
  })

  it('is each command, the newest first, with a key that is named where its name is known', () => {
    const changes = [
      { ...CHANGE, actor: 'key:2', apiKey: null },
      { ...CHANGE, reason: 'friday' },
    ]
    expect(causesOf({ ...REVISION, changes, changeCount: 5 })).toEqual([
      { what: CHANGE.summary, by: 'bot (key:1)', why: 'friday' },
      { what: CHANGE.summary, by: 'key:2', why: '-' },
      { what: '3 more before', by: '-', why: '-' },
    ])
  })
})
