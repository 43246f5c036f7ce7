/**
 * A graph of subgraphs that follows from a seed: one of the tables of tests, of the corpus or of the
 * generated worlds, with up to three changes. Most changes are mistakes.
 */
import { SUITES } from '@switchyard/corpus'
import { generateWorld } from '@switchyard/corpus/worlds'
import { hashText, Random } from '@switchyard/samples'
import { parse, print } from 'graphql'
import { invalidGraphql } from '../test/errors/invalid-graphql.ts'
import { readMarks } from '../test/errors/marks.ts'
import { mergeErrors } from '../test/errors/merge-errors.ts'
import { ownErrors } from '../test/errors/own-errors.ts'
import { subgraphErrors } from '../test/errors/subgraph-errors.ts'
import { unreachable } from '../test/errors/unreachable.ts'
import { SETS } from '../test/sets/index.ts'
import { CHANGES } from './changes/index.ts'
import { withImports } from './changes/imports.ts'

/** SDL by the name of the subgraph. */
export type Sdls = Readonly<Record<string, string>>

export type RandomGraph = {
  readonly seed: number
  readonly sdls: Sdls
  /** Where the graph comes from, and what was changed, in words. */
  readonly made: readonly string[]
}

type Start = { readonly name: string; readonly sdls: Sdls }

const FROM_SETS: readonly Start[] = Object.values(SETS)
  .flat()
  .map(({ name, subgraphs }) => ({ name: `set: ${name}`, sdls: subgraphs }))
const FROM_SUITES: readonly Start[] = SUITES.map(({ name, subgraphs }) => ({
  name: `suite: ${name}`,
  sdls: Object.fromEntries(Object.entries(subgraphs).map(([subgraph, { sdl }]) => [subgraph, sdl])),
}))
const FROM_MISTAKES: readonly Start[] = [
  ...subgraphErrors,
  ...mergeErrors,
  ...ownErrors,
  ...unreachable,
  ...invalidGraphql,
]
  .map((set) => ({ name: `mistake: ${set.code}, ${set.name}`, sdls: readMarks(set).sdls }))
  .filter(({ sdls }) => Object.keys(sdls).length > 0 && Object.values(sdls).every(parses))

/** The graph of this seed. */
export function randomGraph(seed: number): RandomGraph {
  const random = new Random(seed)
  const start = drawStart(random)
  const others = random.chance(12) ? [pickNamed(FROM_MISTAKES, random)] : []
  const made = [start, ...others].map(({ name }) => name)
  const whole = others.reduce((sdls, other) => beside(sdls, other.sdls), start.sdls)
  const sdls = new Map(Object.entries(whole).map(([name, sdl]) => [name, inKnownVersion(sdl)]))
  for (let left = random.pick(start.changes); left > 0; left--) {
    const name = random.pick([...sdls.keys()])
    if (sdls.size > 1 && random.chance(4)) {
      sdls.delete(name)
      made.push(`no subgraph ${name}`)
      continue
    }
    const { name: what, change } = pickNamed(CHANGES, random)
    const document = change(parse(sdls.get(name) ?? '', { noLocation: true }), random, [...sdls.keys()])
    const changed = print(random.chance(85) ? withImports(document) : document)
    if (!parses(changed)) continue
    sdls.set(name, changed)
    made.push(`${what} in ${name}`)
  }
  return { seed, sdls: Object.fromEntries(sdls), made }
}

function drawStart(random: Random): Start & { readonly changes: readonly number[] } {
  const draw = random.below(100)
  const changes = [1, 1, 1, 2, 2, 3]
  if (draw < 35) return { ...pickNamed(FROM_SETS, random), changes }
  if (draw < 55) return { ...pickNamed(FROM_SUITES, random), changes }
  if (draw < 65) return { ...pickNamed(FROM_MISTAKES, random), changes }
  const world = random.below(1_000_000)
  return { name: `world: ${world}`, sdls: generateWorld(world).subgraphs, changes: [0, 0, 1, 1, 2] }
}

/** Chooses by names, so that a seed mostly means the same graph when a table gets longer. */
function pickNamed<Named extends { readonly name: string }>(all: readonly Named[], random: Random): Named {
  const salt = random.below(2 ** 31)
  let chosen: Named | null = null
  let least = Infinity
  for (const one of all) {
    const rank = hashText(`${salt} ${one.name}`)
    if (rank < least) [chosen, least] = [one, rank]
  }
  if (chosen === null) throw new Error('There is nothing to choose from.')
  return chosen
}

/** The subgraphs of both graphs. One that has a name already gets another. */
function beside(sdls: Sdls, others: Sdls): Sdls {
  const renamed = Object.entries(others).map(
    ([name, sdl]) => [Object.hasOwn(sdls, name) ? `${name}-planted` : name, sdl] as const,
  )
  return { ...sdls, ...Object.fromEntries(renamed) }
}

/** The library knows no version after 2.9. */
function inKnownVersion(sdl: string): string {
  return sdl.replaceAll(/(specs\.apollo\.dev\/federation\/v2\.)1\d/g, (_, before: string) => `${before}9`)
}

function parses(sdl: string): boolean {
  try {
    parse(sdl)
    return true
  } catch {
    return false
  }
}
