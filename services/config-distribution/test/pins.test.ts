/** What a pinned graph serves while everything round it goes on, and where a release goes. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CompositionRecord } from '@switchyard/contracts'
import { completed, composed, empty, failed, hash, removed, reused, whilePending } from './records.ts'
import { openBench, servedManifest } from './setup.ts'
import type { Bench } from './setup.ts'

let bench: Bench

beforeEach(async () => {
  bench = await openBench()
})
afterEach(async () => {
  await bench[Symbol.asyncDispose]()
})

type Served = { readonly base: string | null; readonly flags?: Readonly<Record<string, string>> }
/** A composition record, and what routers are given after it. */
type Step = readonly [record: CompositionRecord, served: Served, reason: string]

const both = { a: composed('a 2'), b: composed('b 2') }
/** Revision 1: base and two flags. Revision 2: the same, all changed. */
const START: readonly Step[] = [
  [
    completed(1, composed('base 1'), { a: composed('a 1'), b: composed('b 1') }),
    { base: 'base 1', flags: { a: 'a 1', b: 'b 1' } },
    'composition',
  ],
  [completed(2, composed('base 2'), both), { base: 'base 2', flags: { a: 'a 2', b: 'b 2' } }, 'composition'],
]
const PINNED: readonly Step[] = [
  ...START,
  [completed(3, reused('base 2'), both, 1), { base: 'base 1', flags: { a: 'a 1', b: 'b 1' } }, 'pin'],
]

const CASES: readonly { readonly name: string; readonly steps: readonly Step[] }[] = [
  {
    name: 'keeps the artifacts of the pinned revision while compositions go on',
    steps: [
      ...PINNED,
      [
        completed(4, composed('base 3'), { a: composed('a 3'), b: composed('b 3') }, 1),
        { base: 'base 1', flags: { a: 'a 1', b: 'b 1' } },
        'pin',
      ],
    ],
  },
  {
    name: 'takes a flag out that is switched off, and gives its pinned artifact back when it is switched on again',
    steps: [
      ...PINNED,
      [
        completed(4, reused('base 2'), { b: reused('b 2') }, 1),
        { base: 'base 1', flags: { b: 'b 1' } },
        'pin',
      ],
      [completed(5, reused('base 2'), both, 1), { base: 'base 1', flags: { a: 'a 1', b: 'b 1' } }, 'pin'],
    ],
  },
  {
    name: 'does not serve a flag that was created after the pinned revision until the release',
    steps: [
      ...PINNED,
      [
        completed(4, reused('base 2'), { ...both, c: composed('c 1') }, 1),
        { base: 'base 1', flags: { a: 'a 1', b: 'b 1' } },
        'pin',
      ],
      [
        completed(5, reused('base 2'), { ...both, c: reused('c 1') }),
        { base: 'base 2', flags: { a: 'a 2', b: 'b 2', c: 'c 1' } },
        'unpin',
      ],
    ],
  },
  {
    name: 'leaves flags out that were deleted since the pinned revision',
    steps: [
      ...START,
      [
        completed(3, reused('base 2'), { b: reused('b 2') }),
        { base: 'base 2', flags: { b: 'b 2' } },
        'removal',
      ],
      [
        completed(4, reused('base 2'), { b: reused('b 2') }, 1),
        { base: 'base 1', flags: { b: 'b 1' } },
        'pin',
      ],
    ],
  },
  {
    name: 'can be pinned while its base is broken, which is what a rollback is for',
    steps: [
      ...START,
      [completed(3, failed(), both), { base: 'base 2', flags: { a: 'a 2', b: 'b 2' } }, 'composition'],
      [completed(4, failed(), both, 1), { base: 'base 1', flags: { a: 'a 1', b: 'b 1' } }, 'pin'],
      [completed(5, failed(), { b: reused('b 2') }, 1), { base: 'base 1', flags: { b: 'b 1' } }, 'pin'],
    ],
  },
  {
    name: 'goes to the newest good composition when it is released while its base is broken, without what was switched off',
    steps: [
      ...PINNED,
      [
        completed(4, composed('base 3'), { a: composed('a 3'), b: reused('b 2') }, 1),
        { base: 'base 1', flags: { a: 'a 1', b: 'b 1' } },
        'pin',
      ],
      [
        completed(5, failed(), { a: composed('a 4'), b: reused('b 2') }, 1),
        { base: 'base 1', flags: { a: 'a 1', b: 'b 1' } },
        'pin',
      ],
      [completed(6, failed(), { a: reused('a 4') }), { base: 'base 3', flags: { a: 'a 3' } }, 'unpin'],
      [
        completed(7, composed('base 4'), { a: reused('a 4') }),
        { base: 'base 4', flags: { a: 'a 4' } },
        'composition',
      ],
    ],
  },
  {
    name: 'serves a flag, when it is released while the flag is being composed, as if it had not been pinned',
    steps: [
      ...PINNED,
      [
        completed(4, failed(), { a: failed(), b: reused('b 2') }, 1),
        { base: 'base 1', flags: { a: 'a 1', b: 'b 1' } },
        'pin',
      ],
      [
        whilePending(completed(5, composed('base 3'), { a: failed(), b: reused('b 2') }), 'a', 'b'),
        { base: 'base 3', flags: { a: 'a 2', b: 'b 2' } },
        'unpin',
      ],
      [
        completed(5, composed('base 3'), { a: composed('a 3'), b: composed('b 3') }),
        { base: 'base 3', flags: { a: 'a 3', b: 'b 3' } },
        'composition',
      ],
    ],
  },
  {
    name: 'goes to the newest good composition although the pin had changed nothing when it was made',
    steps: [
      START[0]!,
      [
        completed(2, reused('base 1'), { a: reused('a 1'), b: reused('b 1') }, 1),
        { base: 'base 1', flags: { a: 'a 1', b: 'b 1' } },
        'composition',
      ],
      [
        completed(3, composed('base 2'), both, 1),
        { base: 'base 1', flags: { a: 'a 1', b: 'b 1' } },
        'composition',
      ],
      [completed(4, failed(), both), { base: 'base 2', flags: { a: 'a 2', b: 'b 2' } }, 'composition'],
    ],
  },
  {
    name: 'is pinned to another revision at once',
    steps: [
      ...PINNED,
      [completed(4, reused('base 2'), both, 2), { base: 'base 2', flags: { a: 'a 2', b: 'b 2' } }, 'pin'],
    ],
  },
  {
    name: 'is deleted with its pin, and serves what composes when it is created anew',
    steps: [
      ...PINNED,
      [removed(4), { base: null }, 'graph-removed'],
      [completed(5, empty), { base: null }, 'graph-removed'],
      [completed(6, failed(), both), { base: null }, 'graph-removed'],
      [completed(7, composed('base 3')), { base: 'base 3' }, 'composition'],
    ],
  },
  {
    name: 'can be pinned to a revision from before it was deleted',
    steps: [
      ...START,
      [removed(3), { base: null }, 'graph-removed'],
      [
        completed(4, composed('base 3'), { b: composed('b 3') }),
        { base: 'base 3', flags: { b: 'b 3' } },
        'composition',
      ],
      [
        completed(5, reused('base 3'), { b: reused('b 3') }, 1),
        { base: 'base 1', flags: { b: 'b 1' } },
        'pin',
      ],
    ],
  },
  {
    name: 'holds what is served when it is pinned to the revision of its deletion',
    steps: [
      START[0]!,
      [removed(2), { base: null }, 'graph-removed'],
      [completed(3, composed('base 2')), { base: 'base 2' }, 'composition'],
      [completed(4, composed('base 3'), {}, 2), { base: 'base 2' }, 'composition'],
    ],
  },
]

describe('a pinned graph', () => {
  for (const { name, steps } of CASES) {
    it(`${name}, record by record`, async () => {
      await storeArtifacts()
      await using service = bench.start()
      for (const [record, expected, reason] of steps) {
        await bench.compose(record)
        await service.idle()
        expect(await served(), `after registry sequence ${record.registrySequence}`).toEqual(named(expected))
        expect((await bench.configRecords()).at(-1)?.cause.reason).toBe(reason)
      }
    })

    it(`${name}, with a new instance for each record`, async () => {
      await storeArtifacts()
      for (const [record, expected] of steps) {
        await using service = bench.start()
        await bench.compose(record)
        await service.idle()
        expect(await served(), `after registry sequence ${record.registrySequence}`).toEqual(named(expected))
      }
    })
  }

  it('ends with the same, however many records an instance finds at once', async () => {
    await storeArtifacts()
    const steps = CASES.find(({ name }) => name.includes('released while its base is broken'))?.steps ?? []
    await using first = bench.start()
    for (const [record] of steps.slice(0, 2)) await bench.compose(record)
    await first.idle()
    await first[Symbol.asyncDispose]()
    for (const [record] of steps.slice(2, 6)) await bench.compose(record)
    await using second = bench.start()
    await second.idle()
    expect(await served()).toEqual(named(steps[5]![1]))
  })
})

async function storeArtifacts(): Promise<void> {
  const generations = [1, 2, 3, 4]
  await bench.artifacts(...['base', 'a', 'b', 'c'].flatMap((name) => generations.map((n) => `${name} ${n}`)))
}

async function served() {
  const manifest = await servedManifest(bench.store, bench.signingKey)
  return manifest === null ? null : { base: manifest.base, featureFlags: manifest.featureFlags }
}

function named({ base, flags = {} }: Served) {
  return {
    base: base === null ? null : { artifact: hash(base) },
    featureFlags: Object.fromEntries(
      Object.entries(flags).map(([name, artifact]) => [name, { artifact: hash(artifact) }]),
    ),
  }
}
