import { RandomRun } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { compareComposers, type Difference } from '../differential/compare.ts'
import { EXAMPLES } from '../differential/explained/examples.ts'
import { CLASSES, explain } from '../differential/explained/index.ts'
import { hasPlan } from '../differential/planned.ts'
import { randomGraph } from '../differential/random-graph.ts'
import { Tally } from '../differential/tally.ts'

/** `SEED=… RUNS=…` for others; `make beside-library` for many. */
const RUN = new RandomRun(import.meta.url, 250, 2000)

describe('random graphs, composed by us and by the library', () => {
  it(`come to the same, or the difference has a reason (SEED=${RUN.seed} RUNS=${RUN.runs})`, {
    timeout: RUN.timeout(60_000),
  }, () => {
    const tally = new Tally()
    for (let index = 0; index < RUN.runs; index++) tally.take(RUN.seed + index)
    expect(tally.unexplained).toEqual([])
    expect([...tally.alike.keys()].sort()).toEqual(['composed alike', 'refused alike', 'unreachable alike'])
  })

  it('are the same for one seed', () => {
    expect(randomGraph(7)).toEqual(randomGraph(7))
  })
})

describe('a difference', () => {
  it('has no reason where none is known', () => {
    const sdls = { a: 'type Query { x: Int }' }
    const difference = compareComposers({ a: 'type Query { x: Int y: Nowhere }' })
    expect(difference).toBe('refused alike')
    const supergraphSdl = ''
    const made: Difference = {
      kind: 'facts',
      sdls,
      onlyOurs: ['Query.x @a external'],
      onlyTheirs: ['Query.y: Int'],
      ours: { kind: 'composed', supergraphSdl, hints: [] },
      theirs: { kind: 'composed', supergraphSdl },
    }
    expect(explain(made).map(({ by }) => by)).toEqual([null, null])
  })

  it('is explained by classes with names of their own', () => {
    const names = CLASSES.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })
})

describe('a class of differences', () => {
  it.each(EXAMPLES)('explains all of its example: $shows, $name', ({ shows, sdls }) => {
    const difference = compareComposers(sdls)
    if (typeof difference === 'string') expect.fail(difference)
    const classes = explain(difference).map(({ by }) => by)
    expect(classes).toContain(shows)
    expect(classes).not.toContain(null)
  })
})

describe('the proof that an operation can be answered', () => {
  const sdl = (key: string) => `
    type Query @join__type(graph: A) { t: T }
    type T @join__type(graph: A, key: "id") @join__type(graph: B${key}) {
      id: ID!
      x: Int @join__field(graph: B)
    }
    enum join__Graph { A @join__graph(name: "a", url: "") B @join__graph(name: "b", url: "") }`

  it('is a plan with everything that it asks for', () => {
    const link =
      'schema @link(url: "https://specs.apollo.dev/link/v1.0") @link(url: "https://specs.apollo.dev/join/v0.3", for: EXECUTION) { query: Query }'
    expect(hasPlan(`${link}${sdl(', key: "id"')}`, '{ t { x } }')).toBe(true)
    expect(hasPlan(`${link}${sdl('')}`, '{ t { x } }')).toBe(false)
  })
})
