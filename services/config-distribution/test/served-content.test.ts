import { RandomRun } from '@switchyard/testkit'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contentAfter, sameContent } from '@switchyard/contracts'
import type { CompositionRecord, ManifestContent } from '@switchyard/contracts'
import {
  completed,
  composed,
  content,
  empty,
  failed,
  firstPending,
  removed,
  reused,
  served,
  whilePending,
} from './records.ts'

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
    name: 'serves a new base beside the old artifact of a flag that is still being composed',
    last: served,
    record: whilePending(completed(1, composed('base 2'), { a: reused('a 1'), b: composed('b 2') }), 'a'),
    expected: content('base 2', { a: 'a 1', b: 'b 2' }),
  },
  {
    name: 'makes a flag wait that is composed for the first time',
    last: served,
    record: whilePending(completed(1, composed('base 2'), { a: reused('a 1'), c: firstPending() }), 'c'),
    expected: content('base 2', { a: 'a 1' }),
  },
  {
    name: 'keeps a flag that is composed again and had failed beside a broken base, since it is still served',
    last: served,
    record: whilePending(completed(1, composed('base 2'), { a: failed(), b: reused('b 1') }), 'a'),
    expected: content('base 2', { a: 'a 1', b: 'b 1' }),
  },
  {
    name: 'does not serve a flag that is composed again and was not served',
    last: content('base 1'),
    record: whilePending(completed(1, composed('base 2'), { a: failed() }), 'a'),
    expected: content('base 2'),
  },
  {
    name: 'removes a switched-off flag at once while others are being composed',
    last: served,
    record: whilePending(completed(1, composed('base 2'), { b: reused('b 1') }), 'b'),
    expected: content('base 2', { b: 'b 1' }),
  },
  {
    name: 'keeps what is served while the base fails and flags are being composed, without what was switched off',
    last: served,
    record: whilePending(completed(1, failed(), { a: failed(), c: firstPending() }), 'a', 'c'),
    expected: content('base 1', { a: 'a 1' }),
  },
  {
    name: 'holds a pinned graph on its revision while flags are being composed',
    last: served,
    record: whilePending(completed(1, composed('base 3'), { a: composed('a 2') }, 1), 'a'),
    pinned: content('base 0', { a: 'a 0', b: 'b 0' }),
    expected: content('base 0', { a: 'a 0' }),
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

type Completed = Extract<CompositionRecord, { type: 'composition.completed' }>

const RESULT = fc.constantFrom(...[1, 2, 3].map((generation) => generation), null)
const resultOf = (name: string, generation: number | null) =>
  generation === null ? failed() : composed(`${name} ${generation}`)
/** A change: what composes, which flags are on, and which of them are late. */
const PASS = fc
  .record({
    base: RESULT,
    a: fc.option(RESULT, { nil: undefined }),
    b: fc.option(RESULT, { nil: undefined }),
  })
  .chain(({ base, ...flags }) =>
    fc.record({
      base: fc.constant(resultOf('base', base)),
      flags: fc.constant(
        Object.fromEntries(
          Object.entries(flags).flatMap(([name, generation]) =>
            generation === undefined ? [] : [[name, resultOf(name, generation)] as const],
          ),
        ),
      ),
      late: fc.subarray(['a', 'b']),
    }),
  )
const { parameters } = new RandomRun(import.meta.url, 2000)

/** What a composer records while these flags are still being composed. */
function aloneOf(complete: Completed, before: Completed | null, late: readonly string[]): Completed {
  const previous = new Map(before?.featureFlags.map(({ name, result }) => [name, result]))
  return {
    ...complete,
    featureFlags: complete.featureFlags.map((flag) =>
      late.includes(flag.name)
        ? { ...flag, result: previous.get(flag.name) ?? firstPending(), pending: true as const }
        : flag,
    ),
  }
}

describe('what routers get after a composition', () => {
  it.each(rows)('$name', ({ last, record, pinned = null, expected }) => {
    expect(contentAfter(last, record, pinned)).toEqual(expected)
  })

  it('never takes a flag from its users because base is there first', () => {
    fc.assert(
      fc.property(fc.array(PASS, { minLength: 1, maxLength: 12 }), (passes) => {
        let shown: ManifestContent | null = null
        let before: Completed | null = null
        let plain: ManifestContent | null = null
        for (const [index, pass] of passes.entries()) {
          const complete = completed(index, pass.base, pass.flags)
          if (complete.type === 'graph.removed') throw new Error('no such record')
          const alone = aloneOf(complete, before, pass.late)
          const last: ManifestContent | null = shown
          shown = contentAfter(shown, alone, null)
          for (const { name, pending } of alone.featureFlags) {
            if (pending !== true || last?.featureFlags[name] === undefined) continue
            expect(shown?.featureFlags, `flag ${name} of pass ${index}`).toHaveProperty(name)
          }
          // The complete record leads to what it would have led to alone.
          shown = contentAfter(shown, complete, null)
          plain = contentAfter(plain, complete, null)
          expect(shown).toEqual(plain)
          before = complete
        }
      }),
      parameters,
    )
  })

  it('tells equal contents from different ones', () => {
    expect(sameContent(served, structuredClone(served))).toBe(true)
    expect(sameContent(served, content('base 2', { a: 'a 1', b: 'b 1' }))).toBe(false)
    expect(sameContent(served, content('base 1', { a: 'a 1' }))).toBe(false)
    expect(sameContent(served, content('base 1', { a: 'a 1', c: 'b 1' }))).toBe(false)
    expect(sameContent(served, content(null))).toBe(false)
  })
})
