import { describe, expect, it } from 'vitest'
import { publishReason } from '../src/revisions/publish-reason.ts'
import { completed, composed, content, failed, removed, reused, served } from './records.ts'

describe('the reason of a revision', () => {
  const before = { content: served, reason: 'composition' as const, hasRollouts: true }

  it('is a removal when flags left and nothing else changed', () => {
    const next = content('base 1', { b: 'b 1' })
    expect(publishReason(before, next, completed(1, failed(), { b: reused('b 1') }))).toBe('removal')
  })

  it('is a composition when anything was added or changed', () => {
    const next = content('base 2', { b: 'b 1' })
    expect(publishReason(before, next, completed(1, composed('base 2')))).toBe('composition')
    expect(publishReason(null, next, completed(1, composed('base 2')))).toBe('composition')
  })

  it('names pin, unpin and the deletion of the graph', () => {
    const next = content('base 0')
    expect(publishReason(before, next, completed(1, composed('base 2'), {}, 1))).toBe('pin')
    const pinned = { content: served, reason: 'pin' as const, hasRollouts: true }
    expect(publishReason(pinned, next, completed(1, composed('base 2')))).toBe('unpin')
    expect(publishReason(before, content(null), removed(1))).toBe('graph-removed')
  })

  it('is rollouts when nothing but these changed, and pin while the graph is held', () => {
    const other = { ...before, hasRollouts: false }
    expect(publishReason(other, served, null)).toBe('rollouts')
    expect(publishReason(other, served, completed(1, failed()))).toBe('rollouts')
    expect(publishReason(before, served, null)).toBe('keys')
    expect(publishReason({ ...other, reason: 'pin' }, served, null)).toBe('pin')
  })
})
