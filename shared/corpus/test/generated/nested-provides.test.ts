import { RandomRun } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { Random } from '@switchyard/samples'
import type { SuiteOperation } from '../../src/harness/suite.ts'
import { checkDeferred } from '../../src/deferred/check-deferred.ts'
import { type Bench, checkOperation, describeCase, openWorld } from '../../src/generated/check.ts'
import type { World } from '../../src/generated/world.ts'

const RUN = new RandomRun(import.meta.url, 6, 40)
const OPERATIONS = 4

/** At four levels of four types some operations are refused: they unfold too far. */
const DEPTH = 3

const LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@external", "@requires", "@provides"])'
const LINKS = { next: '[Node]', one: 'Node' } as const
const PROVIDED = { x: 'Int', y: 'String' } as const
const LEAVES = ['x', 'y', 'z', 'own']

function some(random: Random, names: readonly string[], percent: number): readonly string[] {
  return names.filter(() => random.chance(percent))
}

function typesOf(random: Random): readonly string[] {
  return ['Album', 'Book', 'Comic', 'Disc'].slice(0, 2 + random.below(3))
}

/**
 * Objects lead to objects, and what is provided below them differs from type to type and from field to field.
 */
function worldOf(types: readonly string[], random: Random, salt: number): World {
  const external = new Map<string, Set<string>>(types.map((type) => [type, new Set()]))
  const provides = (): string => {
    const parts = types.flatMap((type) => {
      const fields = some(random, Object.keys(PROVIDED), 40)
      for (const field of fields) external.get(type)?.add(field)
      return fields.length === 0 ? [] : [`... on ${type} { ${fields.join(' ')} }`]
    })
    return parts.length === 0 ? '' : `@provides(fields: "${parts.join(' ')}")`
  }
  const strict = new Set(some(random, types, 20))
  const links = (type: string, directive: () => string) =>
    Object.entries(LINKS)
      .map(([name, target]) => `${name}: ${target}${strict.has(type) ? '!' : ''} ${directive()}`)
      .join(' ')
  const start = 'type Query { root: Node roots: [Node] } interface Node { id: ID! next: [Node] one: Node }'
  const leaves = Object.entries(PROVIDED).map(([name, type]) => ({ name, text: `${name}: ${type}` }))
  const all = leaves.map(({ text }) => text).join(' ')
  const linked = types.map(
    (type) => [type, links(type, () => (random.chance(55) ? provides() : ''))] as const,
  )
  const externals = (type: string) =>
    leaves.flatMap(({ name, text }) => (external.get(type)?.has(name) === true ? [`${text} @external`] : []))
  const ofSubgraph = (fieldsOf: (type: string) => string) =>
    `${LINK} ${types.map((type) => `type ${type} @key(fields: "id") { id: ID! ${fieldsOf(type)} }`).join('\n')}`
  return {
    whole: `${start} ${types.map((type) => `type ${type} implements Node { id: ID! own: Int z: Int ${all} ${links(type, () => '')} }`).join('\n')}`,
    subgraphs: {
      a: `${LINK} ${start} ${linked.map(([type, fields]) => `type ${type} implements Node @key(fields: "id") { id: ID! own: Int ${externals(type).join(' ')} ${fields} }`).join('\n')}`,
      b: ofSubgraph(() => all),
      c: ofSubgraph(() => (random.chance(40) ? 'x: Int @external z: Int @requires(fields: "x")' : 'z: Int')),
    },
    salt,
    failing: random.chance(30) ? 10 : 0,
  }
}

function selectionOf(types: readonly string[], random: Random, mayDefer: boolean, depth: number): string {
  const defer = () => (mayDefer && random.chance(25) ? '@defer ' : '')
  const parts: string[] = random.chance(40) ? ['id'] : []
  for (const type of some(random, types, 45))
    parts.push(`... on ${type} ${defer()}{ ${['__typename', ...some(random, LEAVES, 40)].join(' ')} }`)
  for (const link of depth === 0
    ? []
    : Object.keys(LINKS).filter((_, index) => random.chance(70 - 30 * index)))
    parts.push(`... ${defer()}{ ${link} { ${selectionOf(types, random, mayDefer, depth - 1)} } }`)
  return parts.length === 0 ? '__typename' : parts.join(' ')
}

async function wrongIn(bench: Bench, operation: SuiteOperation, seed: number): Promise<string | null> {
  if (!operation.query.includes('@defer')) {
    const [fault] = await checkOperation(bench, operation)
    return fault === undefined ? null : `${fault.rule}: ${fault.detail}`
  }
  const verdict = await checkDeferred(bench, operation, seed)
  return verdict.kind === 'right' ? null : `${verdict.rule}: ${verdict.detail}`
}

describe(`nested interfaces that provide now this and now that (SEED=${RUN.seed} RUNS=${RUN.runs})`, () => {
  const test = 'are answered as one server would answer them, at once and in parts'

  it(test, { timeout: RUN.timeout(120_000) }, async () => {
    let withFragments = 0
    for (let seed = RUN.seed; seed < RUN.seed + RUN.runs; seed++) {
      const random = new Random(seed)
      const types = typesOf(random)
      const world = worldOf(types, random, seed)
      const opened = openWorld(world)
      if (opened.kind === 'refused') throw new Error(`${opened.message}\n${describeCase(world, null)}`)
      for (let index = 0; index < OPERATIONS; index++) {
        const selection = selectionOf(types, random, index % 2 === 1, DEPTH)
        const operation = { name: `${seed}/${index}`, query: `{ root { ${selection} } }` }
        await RUN.ask({ test, seed }, async () => {
          const plan = opened.bench.engine.plan(operation)
          if (plan.fetches.some(({ document }) => document.includes(' fragment _f'))) withFragments++
          expect(await wrongIn(opened.bench, operation, seed), describeCase(world, operation)).toBeNull()
        })
      }
    }
    console.log(`${withFragments} of ${RUN.runs * OPERATIONS} plans with named fragments`)
    if (RUN.runs >= 6) expect(withFragments).toBeGreaterThan(RUN.runs / 4)
  })
})
