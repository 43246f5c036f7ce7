import { isLongRun, sampled } from '@switchyard/testkit'
import { isObjectType } from 'graphql'
import { describe, expect, it } from 'vitest'
import {
  createEngine,
  createMonolith,
  dataText,
  explainedNulls,
  type FieldFunction,
  type Suite,
  SUITES,
  worldField,
} from '@switchyard/corpus'
import { Random } from '@switchyard/samples'

/**
 * Suites in which a fault of a field means something else to the subgraphs than to the monolith: the world is
 * written per concrete type where a subgraph knows only the interface, or under other names, or has faults of
 * its own; or a non-null field takes with it, in the subgraph, an object that some other field requires.
 */
const LEFT_OUT = new Set([
  'chained requires',
  'entities that are not there',
  'failing subgraphs',
  'inaccessible',
  'interface objects',
  'interfaces with keys',
  'introspection',
  'keys that turn out null',
  'override labels',
  'renamed root types and directives',
  'requires',
  'requirements of interface objects',
  'requires over abstract types',
  'requires with arguments',
  'requirements of interface objects',
  'subgraph errors',
  'true types',
  'types extended behind an interface object',
])

/** Each operation with so many sets of faults. */
const ROUNDS = isLongRun() ? 4 : 1

type Fault = 'throws' | 'null'

/** The suite with a switch at every field that neither identifies an object nor feeds another field. */
function withFaults(suite: Suite, faults: ReadonlyMap<string, Fault>): Suite {
  const fields: Record<string, FieldFunction> = { ...suite.fields }
  for (const coordinate of faultableFields(suite)) {
    const normal = worldField(suite, coordinate)
    fields[coordinate] = (row, args, tables) => {
      const fault = faults.get(coordinate)
      if (fault === 'throws') throw new Error(`${coordinate} failed`)
      return fault === 'null' ? null : normal(row, args, tables)
    }
  }
  return { ...suite, fields }
}

function faultableFields(suite: Suite): readonly string[] {
  const subgraphs = Object.values(suite.subgraphs)
  const selections = subgraphs.flatMap(({ sdl }) => [...sdl.matchAll(/@\w+\([^)]*"[^"]*"[^)]*\)/g)])
  const selected = new Set(selections.flatMap(([text]) => text.match(/\w+/g) ?? []))
  const special = new Set([
    ...Object.keys(suite.computed ?? {}),
    ...subgraphs.flatMap(({ fields }) => Object.keys(fields ?? {})),
  ])
  return Object.values(createMonolith(suite).schema.getTypeMap()).flatMap((type) =>
    isObjectType(type) && !type.name.startsWith('__')
      ? Object.keys(type.getFields())
          .filter((field) => !selected.has(field))
          .map((field) => `${type.name}.${field}`)
          .filter((coordinate) => !special.has(coordinate))
      : [],
  )
}

describe('fields that fail or are null', () => {
  // `make test` and CI look at every second.
  it.each(
    sampled(
      SUITES.filter(({ name }) => !LEFT_OUT.has(name)),
      isLongRun() ? 1 : 2,
    ),
  )('leave the nulls and the errors of one graph in the suite $name', async (suite) => {
    const faults = new Map<string, Fault>()
    const faulty = withFaults(suite, faults)
    const coordinates = faultableFields(suite)
    const monolith = createMonolith(faulty)
    const engine = createEngine(faulty)
    for (const operation of suite.operations) {
      if (operation.errors !== undefined) continue
      for (let round = 0; round < ROUNDS; round++) {
        const random = new Random(round * 7919 + operation.name.length)
        faults.clear()
        for (const coordinate of coordinates) {
          const chance = random.next()
          if (chance < 0.24) faults.set(coordinate, chance < 0.12 ? 'throws' : 'null')
        }
        const context = `${operation.query}\n${JSON.stringify([...faults])}`
        const oracle = await monolith.answer(operation)
        const { result } = await engine.run(operation)
        expect(dataText(result.data, operation), context).toBe(dataText(oracle.data, operation))
        const paths = result.errors.map(({ path }) => JSON.stringify(path ?? []))
        expect(explainedNulls(oracle.data, paths), context).toEqual(
          explainedNulls(oracle.data, oracle.errorPaths),
        )
      }
    }
  })
})
