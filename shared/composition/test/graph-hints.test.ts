/** Our own hints say what is said today, over every set of subgraphs. */
import { readFileSync } from 'node:fs'
import { checkSdl } from '@switchyard/composition'
import { parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { HINTS } from '../src/catalogue/hints.ts'
import { findGraphHints } from '../src/hints/graph/index.ts'
import { readGraph } from '../src/merge/graph.ts'
import { readModel } from '../src/model/read-model.ts'
import { F } from './errors/error-set.ts'
import { invalidGraphql } from './errors/invalid-graphql.ts'
import { readMarks } from './errors/marks.ts'
import { mergeErrors } from './errors/merge-errors.ts'
import { ownErrors } from './errors/own-errors.ts'
import { subgraphErrors } from './errors/subgraph-errors.ts'
import { unreachable } from './errors/unreachable.ts'
import { hintsIn } from './graph-hints.ts'
import { SETS } from './sets/index.ts'
import { composeSdls } from './subgraph-fixtures.ts'

const FROM_ITSELF = [
  '+ FROM_SUBGRAPH_DOES_NOT_EXIST: "Query.x" in subgraph "a" overrides it from "a" itself; the override has no effect.',
]

/** The hints that differ from those of today, and why ours are right. The list may only become shorter. */
const DIFFERENCES: Readonly<Record<string, readonly string[]>> = {
  // A graph holds no names of subgraphs, so this is the same as an override from the subgraph that a feature
  // subgraph replaces, which needs the hint. Beside this hint stands the error OVERRIDE_FROM_SELF_ERROR.
  'an override of itself is refused': FROM_ITSELF,
  'a field is overridden from its own subgraph': FROM_ITSELF,
  // The field is that of the interface, not one of the object type that is written before it.
  'a field of an interface is overridden': [
    '- FROM_SUBGRAPH_DOES_NOT_EXIST: "Query.x" in subgraph "a" overrides it from "b", which is no subgraph of this graph; the override has no effect.',
    '+ FROM_SUBGRAPH_DOES_NOT_EXIST: "I.x" in subgraph "a" overrides it from "b", which is no subgraph of this graph; the override has no effect.',
  ],
}

const ERRORS = [invalidGraphql, mergeErrors, ownErrors, subgraphErrors, unreachable].flat()
const ALL = [
  ...Object.values(SETS)
    .flat()
    .map(({ name, subgraphs }) => ({ name, subgraphs, options: {} })),
  ...ERRORS.map((set) => ({ name: set.name, subgraphs: readMarks(set).sdls, options: set })),
].filter(({ subgraphs }) => Object.values(subgraphs).every((sdl) => checkSdl(sdl).length === 0))

describe('the hints of a graph', () => {
  it.each(ALL)('are those of today: $name', ({ name, subgraphs, options }) => {
    const theirs = composeSdls(subgraphs, options).hints
    const ours = hintsIn(subgraphs, options)
    const lineOf = ({ code, message }: (typeof ours)[number]) => `${code}: ${message}`
    const differences = [
      ...theirs
        .map(lineOf)
        .filter((line) => !ours.map(lineOf).includes(line))
        .map((line) => `- ${line}`),
      ...ours
        .map(lineOf)
        .filter((line) => !theirs.map(lineOf).includes(line))
        .map((line) => `+ ${line}`),
    ]
    expect(differences).toEqual(DIFFERENCES[name] ?? [])
    if (differences.length === 0) expect(ours).toEqual(theirs)
  })

  it('are compared over sets that have some, and each difference is that of a set', () => {
    const names = new Set(ALL.map(({ name }) => name))
    expect(Object.keys(DIFFERENCES).filter((name) => !names.has(name))).toEqual([])
    const found = ALL.flatMap(({ subgraphs, options }) => hintsIn(subgraphs, options))
    expect(new Set(found.map(({ code }) => code)).size).toBeGreaterThan(8)
  })

  it('are said in the table of codes as in the catalogue', () => {
    const page = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8').split('\n')
    for (const [code, { happened, remedy }] of Object.entries(HINTS))
      expect(page).toContain(`| \`${code}\` | ${happened} | ${remedy} |`)
    const rows = page.filter((line) => line.includes('| Hint. ') || line.includes('| A hint: '))
    expect(rows).toHaveLength(Object.keys(HINTS).length)
  })
})

describe('an override behind a flag', () => {
  const link = `${F} type Query { x: Int`

  it('means the feature subgraph in the place of the subgraph that it names', () => {
    const sdls = { 'a-next': `${link} }`, b: `${F} type Query { x: Int @override(from: "a") }` }
    const [hint, ...others] = hintsIn(sdls, { replaced: { 'a-next': 'a' } })
    expect(others).toEqual([])
    expect(hint).toMatchObject({ code: 'OVERRIDDEN_FIELD_CAN_BE_REMOVED', subgraphs: ['a-next', 'b'] })
    expect(hint?.message).toContain('"Query.x" of subgraph "a-next" is overridden in subgraph "b"')
  })

  it('has no effect where the feature subgraph names the subgraph that it replaces', () => {
    const sdls = { 'a-next': `${link} @override(from: "a") }` }
    const [hint, ...others] = hintsIn(sdls, { replaced: { 'a-next': 'a' } })
    expect(others).toEqual([])
    expect(hint).toMatchObject({ code: 'FROM_SUBGRAPH_DOES_NOT_EXIST', subgraphs: ['a-next'] })
    expect(hint?.message).toContain('from "a", which is no subgraph of this graph')
  })
})

describe('an override in a schema of Federation 1', () => {
  it('takes the field over, so that it can be removed where it was', () => {
    const hints = hintsIn({
      a: 'type Query { x: Int }',
      b: 'type Query { y: Int x: Int @override(from: "a") }',
    })
    expect(hints.map(({ code }) => code)).toEqual(['OVERRIDDEN_FIELD_CAN_BE_REMOVED'])
    expect(hints[0]?.subgraphs).toEqual(['a', 'b'])
  })
})

describe('the places of hints', () => {
  it('do not grow with the square of the subgraphs, each of which has arguments of its own', () => {
    const models = numbers(400).map((subgraph) => {
      const own = numbers(20).map((index) => `a${String(subgraph)}_${String(index)}: Int`)
      return readModel(parse(`${F} type Query { x(${own.join(' ')}): Int @shareable }`, { noLocation: true }))
    })
    const found = findGraphHints(readGraph(models, new Map()), true)
    expect(found).toHaveLength(400 * 20)
    expect(Math.max(...found.map(({ at }) => at.length))).toBe(21)
  })

  it('do not grow with the square of the subgraphs that own what others provide', () => {
    const owner = `${F} type T @key(fields: "id") { id: ID! y: Int }`
    const fields = numbers(400).map((index) => `f${String(index)}: T @provides(fields: "y")`)
    const giving = `${F} type Query { ${fields.join(' ')} } type T @key(fields: "id") { id: ID! y: Int @external }`
    const models = [giving, ...numbers(400).map(() => owner)].map((sdl) =>
      readModel(parse(sdl, { noLocation: true })),
    )
    const found = findGraphHints(readGraph(models, new Map()), true)
    expect(found).toHaveLength(400)
    expect(Math.max(...found.map(({ at }) => at.length))).toBe(21)
  })
})

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index)
}
