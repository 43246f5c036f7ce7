import { CompositionMessage } from '@switchyard/contracts'
import { RandomRun } from '@switchyard/testkit'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inlineMessages, isCut } from '../src/lanes/inline-messages.ts'

const message = (more: Partial<CompositionMessage> = {}): CompositionMessage => ({
  code: 'SOME_CODE',
  message: 'Something is wrong',
  subgraphs: ['a'],
  locations: [{ subgraph: 'a', line: 1, column: 1 }],
  ...more,
})

/** `SEED=… RUNS=… vitest run services/composer/test/inline-messages.test.ts` repeats or lengthens a run. */
const RUN = new RandomRun(import.meta.url, 30)

describe('messages in a record', () => {
  it('are whole when they are few and small', () => {
    const whole = [
      message({
        locations: [{ subgraph: 'a', line: 1, column: 1, length: 3, label: 'Int here' }],
        operation: '{ t { x } }',
        path: [
          { coordinate: 'Query.t', subgraph: 'a' },
          { coordinate: 'T.x', subgraph: null },
        ],
        reasons: [{ subgraph: 'a', target: null, reason: 'it is so' }],
      }),
    ]
    expect(inlineMessages(whole)).toEqual(whole)
    expect(isCut(whole)).toBe(false)
  })

  it('keep both ends of a long path, the first reasons, and no half of an operation', () => {
    const path = Array.from({ length: 100 }, (_, index) => ({ coordinate: `T${index}.x`, subgraph: 'a' }))
    const reasons = Array.from({ length: 100 }, () => ({
      subgraph: 'a',
      target: null,
      reason: 'r'.repeat(9999),
    }))
    const long = [message({ path, reasons, operation: `{ ${'x '.repeat(5000)}}` })]
    const [cut] = inlineMessages(long)
    expect(cut?.path?.map(({ coordinate }) => coordinate)).toEqual([
      ...path.slice(0, 10).map(({ coordinate }) => coordinate),
      ...path.slice(-10).map(({ coordinate }) => coordinate),
    ])
    expect(cut?.reasons).toHaveLength(10)
    expect(cut).not.toHaveProperty('operation')
    expect(isCut(long)).toBe(true)
  })

  it('are of a bounded size, well-formed and valid, whatever they were', {
    timeout: RUN.timeout(60_000),
  }, () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 20 }).map((unit) => unit.repeat(300))
    const some = fc.record(
      {
        code: fc.constant('SOME_CODE'),
        message: text,
        subgraphs: fc.array(fc.constant('a'), { maxLength: 3 }),
        locations: fc.array(
          fc.record(
            {
              subgraph: fc.constant('a'),
              line: fc.nat(99).map((n) => n + 1),
              column: fc.constant(1),
              label: text,
            },
            { requiredKeys: ['subgraph', 'line', 'column'] },
          ),
          { maxLength: 60 },
        ),
        operation: text,
        path: fc.array(fc.record({ coordinate: fc.constant('T.x'), subgraph: fc.constant(null) }), {
          maxLength: 60,
        }),
        reasons: fc.array(
          fc.record({ subgraph: fc.constant('a'), target: fc.constant(null), reason: text }),
          {
            maxLength: 30,
          },
        ),
      },
      { requiredKeys: ['code', 'message', 'subgraphs', 'locations'] },
    )
    fc.assert(
      fc.property(fc.array(some, { maxLength: 30 }), (messages) => {
        const inline = inlineMessages(messages)
        expect(inline.length).toBeLessThanOrEqual(20)
        for (const one of inline) {
          const json = JSON.stringify(CompositionMessage.parse(one))
          expect(json.isWellFormed()).toBe(true)
          expect(json.length).toBeLessThan(40_000)
          expect(one.locations.length > 0).toBe((messages[inline.indexOf(one)]?.locations.length ?? 0) > 0)
        }
        expect(isCut(messages)).toBe(JSON.stringify(inline) !== JSON.stringify(messages))
      }),
      RUN.parameters,
    )
  })
})
