import { RandomRun } from '@switchyard/testkit'
import { Random } from '@switchyard/samples'
import { describe, expect, it } from 'vitest'
import { type Asked, questionsOfCorpus, questionsOfWorlds } from '../../src/deferred/benches.ts'
import { type Bench, checkDeferred } from '../../src/deferred/check-deferred.ts'
import { checkFirstEntities } from '../../src/deferred/first-entities.ts'
import { deferredOperation } from '../../src/deferred/questions.ts'
import { describeCase, openWorld } from '../../src/generated/check.ts'
import type { World } from '../../src/generated/world.ts'
import { FED2, type SuiteOperation } from '../../src/harness/suite.ts'

/** `SEED=… RUNS=…` before `vitest run` repeats or lengthens a run. */
const RUN = new RandomRun(import.meta.url, 12, 100)

const NAMES = ['X', 'Y', 'Z']
/** How each type comes to its own field: from an input behind another entity, or by a key that holds one. */
const WAYS = ['requires', 'nested key', 'own key'] as const

/**
 * Types of one interface that lead to entities of one type, of which other subgraphs need to know more. A
 * twin has the number of its object, so that its code is a key of that, too.
 */
function siblings(ways: readonly (typeof WAYS)[number][], salt: number): World {
  const types = ways.map((way, index) => ({ way, name: NAMES[index] ?? '' }))
  const each = (textOf: (type: { readonly name: string; readonly way: string }) => string) =>
    types.map(textOf).join('\n')
  const root = 'type Query { things: [Thing] } interface Thing { id: ID! twin: Twin! }'
  return {
    whole: `${root} type Twin { id: ID! code: ID! } ${each(({ name }) => `type ${name} implements Thing { id: ID! twin: Twin! own: String }`)}`,
    subgraphs: {
      things: `${FED2} ${root} type Twin @key(fields: "id") { id: ID! }
        ${each(({ name }) => `type ${name} implements Thing @key(fields: "id") { id: ID! twin: Twin! @shareable }`)}`,
      leads: `${FED2} type Twin @key(fields: "id") @key(fields: "code") { id: ID! code: ID! @shareable }`,
      sums: `${FED2} type Twin @key(fields: "id", resolvable: false) { id: ID! code: ID! @shareable }
        ${each(({ name, way }) =>
          way === 'requires'
            ? `type ${name} @key(fields: "id") { id: ID! twin: Twin! @external own: String @requires(fields: "twin { code }") }`
            : way === 'nested key'
              ? `type ${name} @key(fields: "twin { code }") { twin: Twin! @shareable own: String }`
              : `type ${name} @key(fields: "id") { id: ID! own: String }`,
        )}`,
    },
    salt,
    failing: 0,
  }
}

const SELECTED = ['own', 'own', 'twin { code }', 'own twin { code }', 'id twin { id }']

/** A fragment on each type and some on all, half of them deferred. */
function siblingOperation(random: Random, types: readonly string[]): SuiteOperation {
  const parts = random.shuffled([...types, 'Thing']).map((type) => {
    const selected = random.pick(type === 'Thing' ? ['id', 'twin { code }', '__typename'] : SELECTED)
    return `... on ${type} ${random.chance(50) ? '@defer ' : ''}{ ${selected} }`
  })
  const query = `{ things { ${parts.join(' ')} } }`
  return { name: query, query }
}

describe(`before the first part (SEED=${RUN.seed} RUNS=${RUN.runs})`, {
  timeout: RUN.timeout(600_000),
}, () => {
  it.each([
    ['{ things { ... on X { own } ... on Y @defer { own } } }'],
    ['{ things { ... on X @defer { own } ... on Y { own } } }'],
    ['{ things { ... on Y @defer { own } ... on X { own } } }'],
    ['{ things { ... on X { twin { code } } ... on Y @defer { twin { code } } } }'],
  ])('no inputs of another type’s fragment are asked for: %s', async (query) => {
    let asked = 0
    for (const ways of [
      ['requires', 'requires'],
      ['nested key', 'nested key'],
    ] as const)
      for (let salt = 0; salt < 8; salt++) {
        const bench = siblingsBench(ways, salt)
        const found = await checkFirstEntities(bench, { name: query, query })
        expect(found?.surplus).toEqual([])
        asked += found?.asked ?? 0
        expect(await checkDeferred(bench, { name: query, query }, salt)).toMatchObject({ kind: 'right' })
      }
    expect(asked).toBeGreaterThan(4)
  })

  it('of types that need the same, no entity is asked for that only a fragment needs', async () => {
    const test = 'of types that need the same'
    for (let seed = RUN.seed; seed < RUN.seed + RUN.runs; seed++)
      await RUN.ask({ test, seed }, async () => {
        const random = new Random(seed)
        const types = NAMES.slice(0, 2 + random.below(2))
        const world = siblings(
          types.map(() => random.pick(WAYS)),
          seed,
        )
        const bench = open(world)
        const operation = siblingOperation(random, types)
        const found = await checkFirstEntities(bench, operation)
        const verdict = await checkDeferred(bench, operation, seed)
        expect(found?.surplus ?? [], describeCase(world, operation)).toEqual([])
        expect(verdict.kind === 'right' ? null : verdict, describeCase(world, operation)).toBeNull()
      })
  })

  it('of the corpus graphs no entity is asked for that only a fragment needs', async () => {
    await askAll('of the corpus graphs', questionsOfCorpus(RUN.seed))
  })

  it('of generated graphs no such entity is asked for, too', async () => {
    await askAll('of generated graphs', questionsOfWorlds(RUN.seed, 10 * RUN.runs))
  })
})

/** The benches of `siblings` that were opened: each is asked several operations. */
const opened = new Map<string, Bench>()

function siblingsBench(ways: Parameters<typeof siblings>[0], salt: number): Bench {
  const key = `${ways.join()} ${salt}`
  const bench = opened.get(key) ?? open(siblings(ways, salt))
  opened.set(key, bench)
  return bench
}

function open(world: World): Bench {
  const opened = openWorld(world)
  if (opened.kind === 'refused') throw new Error(opened.message)
  return opened.bench
}

async function askAll(test: string, questions: Iterable<Asked>): Promise<void> {
  let streams = 0
  let asked = 0
  for (const { bench, seed, world } of questions) {
    if (streams >= RUN.runs) break
    await RUN.ask({ test, seed, ...(world === undefined ? {} : { world }) }, async () => {
      const operation = deferredOperation(bench.monolith, seed)
      const found = await checkFirstEntities(bench, operation)
      if (found === null) return
      streams++
      asked += found.asked
      if (found.reasons.length === 0) expect(found.surplus, operation.query).toEqual([])
    })
  }
  if (RUN.runs > 1_000) console.log(`${test}: ${streams} streams, ${asked} entities`)
  if (RUN.runs >= 12) expect(asked).toBeGreaterThan(RUN.runs / 10)
}
