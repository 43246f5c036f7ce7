import {
  type ExpectedFragment,
  type ExpectedStream,
  mergeParts,
  produceStream,
  protocolComplaints,
  RandomRun,
  type StreamPart,
} from '@switchyard/testkit'
import {
  experimentalExecuteIncrementally,
  GraphQLDeferDirective,
  GraphQLSchema,
  parse,
  print,
  visit,
} from 'graphql'
import { describe, expect, it } from 'vitest'
import { Random } from '@switchyard/samples'
import { createMonolith, type Monolith } from '../../src/harness/monolith.ts'
import type { Suite, SuiteOperation } from '../../src/harness/suite.ts'
import { SUITES } from '../../src/suites/index.ts'
import { deferredOperation, expectFor, wholeAnswer } from '../../src/deferred/questions.ts'

/** `SEED=… RUNS=… vitest run shared/corpus/test/deferred/reference.test.ts` repeats or lengthens a run. */
const RUN = new RandomRun(import.meta.url, 50, 300)
const { seed: SEED, runs: RUNS } = RUN

/** By schema: several suites ask different questions of the same one. */
const worlds = [...new Map(SUITES.map((suite) => [suite.monolith, suite])).values()].map((suite) => ({
  suite,
  monolith: createMonolith(suite),
}))

type Question = {
  readonly suite: Suite
  readonly monolith: Monolith
  readonly operation: SuiteOperation
  readonly random: Random
  readonly data: unknown
  readonly expected: ExpectedStream
  readonly context: string
}

/** Asks all operations that are answered without errors. */
async function askAll(
  test: string,
  { withTypeNames }: { readonly withTypeNames: boolean },
  check: (question: Question) => Promise<void>,
): Promise<void> {
  for (let seed = SEED; seed < SEED + RUNS; seed++) {
    await RUN.ask({ test, seed }, async () => {
      const random = new Random(seed)
      const { suite, monolith } = random.pick(worlds)
      const drawn = deferredOperation(monolith, seed)
      const query = withTypeNames ? drawn.query : noTypeNames(drawn.query)
      if (query === null) return
      const operation = { ...drawn, query }
      const { data, errorPaths } = await wholeAnswer(suite, monolith, operation, (document) => document)
      if (errorPaths.length > 0 || data === null) return
      const expected = expectFor(monolith, operation, await wholeAnswer(suite, monolith, operation))
      if (expected === null) return
      const context = `${suite.name}\n${query}\n${JSON.stringify(operation.variables)}`
      await check({ suite, monolith, operation, data, expected, random, context })
    })
  }
}

describe(`what is expected of a deferred answer (SEED=${SEED} RUNS=${RUNS})`, {
  timeout: RUN.timeout(300_000),
}, () => {
  it('keeps every rule of streams and merges to the answer without defer, in whatever order fragments end', async () => {
    let nested = 0
    await askAll('keeps every rule', { withTypeNames: true }, async ({ expected, data, random, context }) => {
      const pendingPer = random.pick(['fragment', 'item'] as const)
      const parts = produceStream(expected, (count) => random.below(count), pendingPer)
      expect(protocolComplaints(parts, { pendingPer }), context).toEqual([])
      expect(mergeParts(parts).data, context).toEqual(data)
      if (parts.slice(1).some(({ pending }) => pending !== undefined)) nested++
    })
    if (RUNS >= 50) expect(nested).toBeGreaterThan(0)
  })

  it('announces, object by object, the objects that graphql-js announces', async () => {
    let compared = 0
    await askAll(
      'announces, object by object',
      { withTypeNames: false },
      async ({ suite, monolith, operation, expected, random, context }) => {
        // Of fields that several fragments share, graphql-js and the specification of this router choose the
        // fragment otherwise.
        if (operation.query.startsWith('mutation') || expected.fragments.some(isSharing)) return
        const ours = produceStream(expected, (count) => random.below(count), 'item')
        expect(announcedBy(ours), context).toEqual(
          announcedBy(await askGraphqlJs(suite, monolith, operation)),
        )
        if (ours.some(({ pending = [] }) => pending.some(({ path }) => path.some(Number.isInteger))))
          compared++
      },
    )
    if (RUNS >= 50) expect(compared).toBeGreaterThan(0)
  })

  // `__typename` is left out: graphql-js defers it with its fragment, we send it with its object.
  it('has the initial data, and merges to the data, that the incremental execution of graphql-js gives', async () => {
    let compared = 0
    await askAll(
      'has the initial data',
      { withTypeNames: false },
      async ({ suite, monolith, operation, data, expected, context }) => {
        // Of a mutation graphql-js reads what is deferred after all that is written; ours is as without
        // defer.
        if (operation.query.startsWith('mutation')) return
        const parts = await askGraphqlJs(suite, monolith, operation)
        expect(expected.data, context).toEqual(plain(parts[0]?.data))
        expect(mergeParts(parts).data, context).toEqual(data)
        compared++
      },
    )
    if (RUNS >= 50) expect(compared).toBeGreaterThan(RUNS / 10)
  })
})

/** Label and path of what is announced; what is completed without having brought anything is left out. */
function announcedBy(parts: readonly StreamPart[]): readonly string[] {
  const bringing = new Set(parts.flatMap(({ incremental = [] }) => incremental.map(({ id }) => id)))
  return parts
    .flatMap(({ pending = [] }) => pending)
    .filter(({ id }) => bringing.has(id))
    .map(({ path, label }) => JSON.stringify([label ?? null, path]))
    .sort()
}

async function askGraphqlJs(
  suite: Suite,
  { world }: Monolith,
  operation: SuiteOperation,
): Promise<readonly StreamPart[]> {
  const config = world.toConfig()
  const directives = [...config.directives.filter(({ name }) => name !== 'defer'), GraphQLDeferDirective]
  const answer = await experimentalExecuteIncrementally({
    schema: new GraphQLSchema({ ...config, directives }),
    document: parse(operation.query),
    contextValue: suite.tables?.() ?? {},
    variableValues: operation.variables ?? {},
  })
  if (!('initialResult' in answer)) return [plain(answer)]
  const parts: StreamPart[] = [plain(answer.initialResult)]
  for await (const part of answer.subsequentResults) parts.push(plain(part))
  return parts
}

function plain(value: unknown): StreamPart {
  return JSON.parse(JSON.stringify(value))
}

function isSharing({ completedAfter }: ExpectedFragment): boolean {
  return completedAfter.size > 0
}

/** Null where nothing else is selected somewhere. */
function noTypeNames(query: string): string | null {
  let isEmpty = false
  const document = visit(parse(query), {
    Field: ({ name }) => (name.value === '__typename' ? null : undefined),
    SelectionSet: {
      leave: ({ selections }) => {
        if (selections.length === 0) isEmpty = true
      },
    },
  })
  return isEmpty ? null : print(document)
}
