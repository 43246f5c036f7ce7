import { composeServices } from '@theguild/federation-composition'
import { compileSupergraph, openGraph } from '@switchyard/engine/moves'
import { parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { judgeReach } from '../src/reach/reach.ts'
import { readSubgraph } from '../src/subgraph/subgraph.ts'
import { explainFinding } from '../src/unreachable/explain-finding.ts'
import { placesOf, readMarks } from './errors/marks.ts'
import { unreachable } from './errors/unreachable.ts'
import { SETS } from './sets/index.ts'
import { composeSdls, expectFailed } from './subgraph-fixtures.ts'

/** The supergraph that the library makes without judging what can be reached; null if it makes none. */
function supergraphOf(sdls: Readonly<Record<string, string>>): string | null {
  const services = Object.entries(sdls).map(([name, sdl]) => ({
    name,
    url: `http://${name}/`,
    typeDefs: parse(sdl),
  }))
  try {
    const result = composeServices(services, { disableValidationRules: ['SatisfiabilityRule'] })
    return result.supergraphSdl ?? null
  } catch {
    return null
  }
}

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
      return [{ name, supergraphSdl: result.supergraphSdl, verdict: 'reachable' }]
    const isForReach = result.errors.every(({ code }) => code === 'SATISFIABILITY_ERROR')
    const supergraphSdl = isForReach ? supergraphOf(subgraphs) : null
    return supergraphSdl === null ? [] : [{ name, supergraphSdl, verdict: 'unreachable' }]
  })

/**
 * Told with fewer sentences: that a field is missing which another one requires. Today's error also lists why
 * the subgraph of the missing field cannot be entered, which is what the missing field's own error says.
 */
const TOLD_SHORTER =
  '"T.x" cannot be resolved on the path Query.t (a):\n- from subgraph "a": the @key(fields: "other")'

describe('an unreachable field', () => {
  it.each(unreachable)('is told with the same sentences and places: $name', (set) => {
    const { sdls } = readMarks(set)
    const located = Object.entries(sdls).map(([name, sdl]) => {
      const document = parse(sdl)
      return { name, subgraph: readSubgraph(name, document), written: document }
    })
    const { findings } = judgeReach(openGraph(compileSupergraph(supergraphOf(sdls) ?? expect.fail(set.name))))
    const found = findings.map((finding) => explainFinding(finding, located))
    const told = expectFailed(composeSdls(sdls))
    const shorter = told.find(({ message }) => message.startsWith(TOLD_SHORTER))?.path?.at(-1)?.coordinate
    const messages = (errors: typeof told) =>
      errors
        .filter(({ path }) => shorter === undefined || path?.at(-1)?.coordinate !== shorter)
        .map(({ message }) => message)
        .sort()
    expect(messages(found)).toEqual(messages(told))
    const places = (errors: typeof told) =>
      [...new Set(errors.flatMap(placesOf).map((place) => JSON.stringify(place)))].sort()
    expect(places(found)).toEqual(places(told))
    expect(found.map(({ code }) => code)).toEqual(told.map(({ code }) => code))
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
