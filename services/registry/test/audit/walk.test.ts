/** Random logs, keys and limits: all pages together are what the key may read, each record once, in order. */
import { RandomRun } from '@switchyard/testkit'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AuditScope, choosePage } from '../../src/audit/choose-page.ts'
import { CommandSequences } from '../../src/reading/command-sequences.ts'
import { type IndexedRecord, RecordIndex } from '../../src/reading/record-index.ts'
import { ReflectedSequences } from '../../src/reading/reflected-sequences.ts'
import { BOOTSTRAP_KEY, openStorage, startClient } from '../harness.ts'
import { createKey, LogWriter, sequencesOf, walkLog } from './support.ts'

const PAGES = new RandomRun(import.meta.url, 300, 5000)
const LOGS = new RandomRun(import.meta.url, 6, 60)
const NAMESPACES = [null, 'a', 'b', 'c', 'd']

/** Entries of a log, in its order. Quarantined ones are not in the index. */
const entries = fc.array(
  fc.record({
    namespace: fc.constantFrom(...NAMESPACES),
    kind: fc.constantFrom('applied', 'applied', 'applied', 'lost', 'quarantined'),
  }),
  { maxLength: 60 },
)
const order = fc.constantFrom('oldest' as const, 'newest' as const)

function indexOf(log: readonly IndexedRecord[]): RecordIndex {
  const index = new RecordIndex()
  for (const record of log) index.note(record)
  return index
}

/** Sequences of all pages, and how many pages there were. */
function walkIndex(
  index: RecordIndex,
  scope: AuditScope,
  { order: direction, limits }: { readonly order: 'oldest' | 'newest'; readonly limits: readonly number[] },
) {
  const found: number[] = []
  for (let pages = 1, bound: number | undefined; ; pages += 1) {
    const range = direction === 'oldest' ? { after: bound ?? 0 } : { after: 0, before: bound }
    const limit = limits[pages % limits.length] ?? 1
    const page = choosePage(index, { scope, order: direction, limit, ...range })
    expect(page.records.length).toBeLessThanOrEqual(limit)
    found.push(...page.records.map(({ sequence }) => sequence))
    if (!page.more) return { found, pages }
    bound = page.last
  }
}

describe('pages of the audit log', () => {
  it('hold together exactly the records that may be read, whatever the limits', () => {
    const limits = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 3 })
    const readable = fc.subarray(NAMESPACES)
    fc.assert(
      fc.property(entries, readable, fc.boolean(), order, limits, (log, mayRead, isWholeLog, way, sizes) => {
        const records = log.flatMap(({ namespace, kind }, position) =>
          kind === 'quarantined'
            ? []
            : [{ sequence: position + 1, namespace, isApplied: kind === 'applied' }],
        )
        const scope = { includes: (namespace: string | null) => mayRead.includes(namespace), isWholeLog }
        const { found } = walkIndex(indexOf(records), scope, { order: way, limits: sizes })
        const expected = records
          .filter(({ namespace, isApplied }) => isApplied && mayRead.includes(namespace))
          .map(({ sequence }) => sequence)
        expect(found).toEqual(way === 'oldest' ? expected : expected.toReversed())
      }),
      PAGES.parameters,
    )
  })

  it('are bounded in a large log of many namespaces, and miss nothing', () => {
    const names = Array.from({ length: 60 }, (_, number) => `n${number}`)
    const log = Array.from({ length: 150_000 }, (_, position) => ({
      sequence: position + 1,
      namespace: names[(position * 7) % names.length] ?? null,
      isApplied: position % 20_000 < 10_000,
    }))
    const index = indexOf(log)
    const applied = log.filter(({ isApplied }) => isApplied).map(({ sequence }) => sequence)
    for (const isWholeLog of [true, false])
      for (const way of ['oldest', 'newest'] as const) {
        const { found, pages } = walkIndex(
          index,
          { includes: () => true, isWholeLog },
          { order: way, limits: [1000] },
        )
        expect(found).toEqual(way === 'oldest' ? applied : applied.toReversed())
        expect(pages).toBeGreaterThan(applied.length / 1000)
      }
  })

  it('are looked for no further than a million records', () => {
    const index = new RecordIndex()
    index.note({ sequence: 1, namespace: 'a', isApplied: true })
    index.note({ sequence: 2_500_000, namespace: 'b', isApplied: true })
    const scope = { includes: (namespace: string | null) => namespace === 'a', isWholeLog: false }
    const page = choosePage(index, { scope, order: 'newest', after: 0, limit: 10 })
    expect(page).toEqual({ records: [], last: 1_500_001, more: true, end: 2_500_000 })
    expect(walkIndex(index, scope, { order: 'newest', limits: [10] })).toEqual({ found: [1], pages: 3 })
    expect(walkIndex(index, scope, { order: 'oldest', limits: [10] })).toEqual({ found: [1], pages: 3 })
  })

  it(
    'are so over HTTP as well, while others write',
    async () => {
      await using storage = await openStorage()
      await using client = await startClient(storage)
      const keys = {
        all: BOOTSTRAP_KEY,
        some: await createKey(client, 'some', 'deploy:a', 'publish:c'),
        none: await createKey(client, 'none', 'deploy:nowhere'),
      }
      const writer = new LogWriter(storage.log)
      const readers = [
        { key: keys.all, sees: ['a', 'b', 'c', 'd'] },
        { key: keys.some, sees: ['a', 'c'] },
        { key: keys.none, sees: [] },
        { key: keys.all, namespace: 'b', sees: ['b'] },
      ]
      const applied: { readonly sequence: number; readonly namespace: string }[] = []
      const write = async (namespace: string, kind: string) => {
        const events = [{ type: 'federated-graph.created' as const, name: 'g', labelMatchers: [] }]
        if (kind === 'quarantined') await writer.writeNonsense(namespace)
        else if (kind === 'lost') await writer.write(namespace, events, { after: 99_999 })
        else applied.push({ sequence: await writer.write(namespace, events), namespace })
      }
      await fc.assert(
        fc.asyncProperty(
          entries,
          fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
          async (log, sizes) => {
            const known = [...applied]
            const writing = (async () => {
              for (const { namespace, kind } of log) if (namespace !== null) await write(namespace, kind)
            })()
            let asked = 0
            const limit = () => sizes[(asked += 1) % sizes.length] ?? 1
            const walks = readers.flatMap(({ sees, ...reader }) =>
              (['oldest', 'newest'] as const).map(async (way) => {
                const found = await walkLog(client, { ...reader, order: way, limit })
                return { sees, way, found: found.filter(({ namespace }) => namespace !== null) }
              }),
            )
            for (const { sees, way, found } of await Promise.all(walks)) {
              const inOrder = way === 'oldest' ? found : found.toReversed()
              const expected = known.filter(({ namespace }) => sees.includes(namespace))
              const sequences = sequencesOf(inOrder)
              expect(sequences.slice(0, expected.length)).toEqual(expected.map(({ sequence }) => sequence))
              expect(sequences).toEqual([...new Set(sequences)].toSorted((one, other) => one - other))
            }
            await writing
          },
        ),
        LOGS.parameters,
      )
    },
    LOGS.timeout(60_000),
  )
})

describe('revisions of a command', () => {
  it('are the first that covers it, and those of the same sequence behind it', () => {
    const reflected = new ReflectedSequences()
    const note = (revision: number, registrySequence: number, compositionSequence = revision) =>
      reflected.note({ epoch: 7, revision, registrySequence }, compositionSequence)
    expect(reflected.of(1)).toEqual([])
    note(1, 4)
    note(2, 9)
    // Flags that followed, then changed keys.
    note(3, 9)
    note(4, 9, 3)
    note(5, 12)
    const revisionsOf = (sequence: number) => reflected.of(sequence)?.map(({ revision }) => revision)
    expect([1, 4, 5, 9, 10, 12, 13].map(revisionsOf)).toEqual([[1], [1], [2], [2, 3], [5], [5], []])
  })

  it('are forgotten one day, and then said to be unknown', () => {
    const reflected = new ReflectedSequences()
    for (let number = 1; number <= 1200; number += 1)
      reflected.note({ epoch: 7, revision: number, registrySequence: 10 * number }, number)
    expect(reflected.of(5010)).toBeNull()
    expect(reflected.of(5011)).toEqual([{ epoch: 7, revision: 502 }])
    // The registry's log was set back: its sequences are given again.
    reflected.note({ epoch: 8, revision: 1201, registrySequence: 40 }, 1201)
    expect(reflected.of(11_000)).toEqual([])
    expect(reflected.of(41)).toEqual([])
    expect(reflected.of(40)).toBeNull()
  })

  it('belong to the graphs that it affected, as far as these are remembered', () => {
    const sequences = new CommandSequences()
    for (let number = 1; number <= 2500; number += 1) {
      sequences.note('default', number % 2 === 0 ? ['b', 'a'] : ['a'], number)
      sequences.note('other', ['c'], number)
    }
    expect(sequences.graphsOf('default', 2001)).toEqual(['a'])
    expect(sequences.graphsOf('default', 2002)).toEqual(['a', 'b'])
    expect(sequences.graphsOf('default', 900)).toBeNull()
    expect(sequences.graphsOf('nowhere', 900)).toEqual([])
    expect(sequences.graphsOf('default', 9999)).toEqual([])
  })
})
