import { describe, expect, it } from 'vitest'
import { contentAfter, sameContent } from '@switchyard/contracts'
import type { CompositionRecord, ManifestContent } from '@switchyard/contracts'
import { completed, composed, content, empty, failed, removed, reused, served } from './records.ts'

type Row = {
  readonly name: string
  readonly last: ManifestContent | null
  readonly record: CompositionRecord
  readonly pinned?: ManifestContent | null
  readonly expected: ManifestContent | null
}

const rows: readonly Row[] = [
  {
    name: 'publishes the first composition with its flags',
    last: null,
    record: completed(1, composed('base 1'), { a: composed('a 1') }),
    expected: content('base 1', { a: 'a 1' }),
  },
  {
    name: 'takes base and flags from a record whose results are reused',
    last: served,
    record: completed(1, reused('base 2'), { a: reused('a 2'), b: composed('b 2') }),
    expected: content('base 2', { a: 'a 2', b: 'b 2' }),
  },
  {
    name: 'lets a flag leave that fails to compose on a good base',
    last: served,
    record: completed(1, composed('base 2'), { a: failed(), b: reused('b 1') }),
    expected: content('base 2', { b: 'b 1' }),
  },
  {
    name: 'lets a flag leave that is no longer listed on a good base',
    last: served,
    record: completed(1, reused('base 1'), { b: reused('b 1') }),
    expected: content('base 1', { b: 'b 1' }),
  },
  {
    name: 'keeps a served flag with its old artifact while the base fails, even when the flag composes anew',
    last: served,
    record: completed(1, failed(), { a: composed('a 2'), b: reused('b 1') }),
    expected: served,
  },
  {
    name: 'keeps a served flag while base and flag fail',
    last: served,
    record: completed(1, failed(), { a: failed(), b: failed() }),
    expected: served,
  },
  {
    name: 'removes a switched-off flag at once although the base fails',
    last: served,
    record: completed(1, failed(), { b: reused('b 1') }),
    expected: content('base 1', { b: 'b 1' }),
  },
  {
    name: 'makes a flag wait that was switched on while the base fails',
    last: content('base 1'),
    record: completed(1, failed(), { a: composed('a 1') }),
    expected: content('base 1'),
  },
  {
    name: 'publishes nothing while no base has ever composed',
    last: null,
    record: completed(1, failed(), { a: composed('a 1') }),
    expected: null,
  },
  {
    name: 'publishes nothing for a graph without published subgraphs',
    last: null,
    record: completed(1, empty),
    expected: null,
  },
  {
    name: 'keeps the base of a graph that lost its last subgraph, and removes its flags',
    last: served,
    record: completed(1, empty),
    expected: content('base 1'),
  },
  {
    name: 'makes a tombstone of a deleted graph',
    last: served,
    record: removed(1),
    expected: content(null),
  },
  {
    name: 'publishes nothing for a deleted graph that was never served',
    last: null,
    record: removed(1),
    expected: null,
  },
  {
    name: 'serves a graph again that was deleted and created anew',
    last: content(null),
    record: completed(1, composed('base 2')),
    expected: content('base 2'),
  },
  {
    name: 'keeps the tombstone while the graph created anew does not compose',
    last: content(null),
    record: completed(1, failed()),
    expected: content(null),
  },
  {
    name: 'holds a pinned graph on the artifacts of that revision whatever composes',
    last: served,
    record: completed(1, composed('base 3'), { a: composed('a 3'), b: composed('b 3') }, 1),
    pinned: content('base 0', { a: 'a 0' }),
    expected: content('base 0', { a: 'a 0' }),
  },
  {
    name: 'removes a switched-off flag from a pinned graph at once',
    last: content('base 0', { a: 'a 0' }),
    record: completed(1, composed('base 3'), {}, 1),
    pinned: content('base 0', { a: 'a 0' }),
    expected: content('base 0'),
  },
  {
    name: 'holds what is served when the pinned revision does not exist',
    last: served,
    record: completed(1, composed('base 3'), { a: composed('a 3'), b: failed() }, 99),
    pinned: null,
    expected: served,
  },
  {
    name: 'makes a tombstone of a pinned graph that is deleted',
    last: served,
    record: removed(1),
    pinned: content('base 0'),
    expected: content(null),
  },
]

describe('what routers get after a composition', () => {
  it.each(rows)('$name', ({ last, record, pinned = null, expected }) => {
    expect(contentAfter(last, record, pinned)).toEqual(expected)
  })

  it('tells equal contents from different ones', () => {
    expect(sameContent(served, structuredClone(served))).toBe(true)
    expect(sameContent(served, content('base 2', { a: 'a 1', b: 'b 1' }))).toBe(false)
    expect(sameContent(served, content('base 1', { a: 'a 1' }))).toBe(false)
    expect(sameContent(served, content('base 1', { a: 'a 1', c: 'b 1' }))).toBe(false)
    expect(sameContent(served, content(null))).toBe(false)
  })
})
