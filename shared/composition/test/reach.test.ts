import { compileSupergraph, openGraph } from '@switchyard/engine/moves'
import { parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { judgeReach } from '../src/reach/reach.ts'
import { readSubgraph } from '../src/subgraph/subgraph.ts'
import { explainFinding } from '../src/unreachable/explain-finding.ts'
import { byText, placesOf, readMarks } from './errors/marks.ts'
import { unreachable } from './errors/unreachable.ts'
import { SETS } from './sets/index.ts'
import { composeSdls, expectFailed } from './subgraph-fixtures.ts'
import { explainFields, supergraphOf, unreachableFieldsOf } from './unreachable-findings.ts'

function flat(text: string | undefined): string {
  return (text ?? '').replaceAll(/\s+/g, ' ')
}

describe('a field that cannot be reached', () => {
  it.each(unreachable)('is found, with its path and operation: $name', (set) => {
    const { sdls } = readMarks(set)
    const supergraphSdl = supergraphOf(sdls) ?? expect.fail('no supergraph')
    const { findings } = judgeReach(openGraph(compileSupergraph(supergraphSdl)))
    const found = findings.map(({ path, operation }) => ({ path, operation: flat(operation) }))
    const told = expectFailed(composeSdls(sdls)).map(({ path, operation }) => ({
      path,
      operation: flat(operation),
    }))
    const byText = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)
    expect(found.sort(byText)).toEqual(told.sort(byText))
  })
})

const judged = Object.values(SETS)
  .flat()
  .flatMap(({ name, subgraphs }) => {
    const result = composeSdls(subgraphs)
    if (result.kind === 'composed')
      return [{ name, sdls: subgraphs, supergraphSdl: result.supergraphSdl, verdict: 'reachable' }]
    const isForReach = result.errors.every(({ code }) => code === 'SATISFIABILITY_ERROR')
    const supergraphSdl = isForReach ? supergraphOf(subgraphs) : null
    return supergraphSdl === null ? [] : [{ name, sdls: subgraphs, supergraphSdl, verdict: 'unreachable' }]
  })

/** Fields that require each other: today's errors do not say that they form a circle. */
const TOLD_LONGER = new Set(['requirements that need each other cannot be met'])

const deadEnds = [
  ...unreachable.map((set) => ({ name: set.name, sdls: readMarks(set).sdls })),
  ...judged.filter(({ verdict }) => verdict === 'unreachable'),
]

describe('an unreachable field', () => {
  it.each(deadEnds.filter(({ name }) => !TOLD_LONGER.has(name)))(
    'is told as by what reads parsed subgraphs: $name',
    ({ sdls }) => {
      const located = Object.entries(sdls).map(([name, sdl]) => {
        const document = parse(sdl)
        return { name, subgraph: readSubgraph(name, document), written: document }
      })
      const fields = unreachableFieldsOf(sdls)
      expect(explainFields(fields, sdls)).toEqual(fields.map((field) => explainFinding(field, located)))
    },
  )

  it.each(unreachable)(
    'is told with the sentences of the library and the places of the set: $name',
    (set) => {
      const { sdls, marks } = readMarks(set)
      const errors = explainFields(unreachableFieldsOf(sdls), sdls)
      expect(errors.map(({ code }) => code)).toEqual(Array(set.errors ?? 1).fill(set.code))
      const told = expectFailed(composeSdls(sdls))
      const messages = (all: typeof told) => all.map(({ message }) => message).sort()
      expect(messages(errors)).toEqual(messages(told))
      const places = new Map(errors.flatMap(placesOf).map((place) => [JSON.stringify(place), place]))
      expect([...places.values()].sort(byText)).toEqual([...marks].sort(byText))
      expect(errors.map(({ message }) => message).join('\n')).toContain(set.says ?? '')
    },
  )

  it('is told differently only where the sets say so', () => {
    expect(deadEnds.filter(({ name }) => TOLD_LONGER.has(name))).toHaveLength(TOLD_LONGER.size)
  })
})

describe('a set that is legal in every other way', () => {
  it.each(judged)('is judged as by the library: $name', ({ supergraphSdl, verdict }) => {
    const { findings, isDecided } = judgeReach(openGraph(compileSupergraph(supergraphSdl)))
    expect(isDecided).toBe(true)
    const fields = findings.map(({ field }) => `${field.type}.${field.name}`).join()
    expect(findings.length > 0 ? 'unreachable' : 'reachable', fields).toBe(verdict)
  })
})
