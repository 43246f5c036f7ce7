/** Hints about flags, Federation 1 and large graphs; hints.test.ts has the mistakes themselves. */
import { parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { readGraph } from '../src/graph/graph.ts'
import { readModel } from '../src/model/read-model.ts'
import { F } from './errors/error-set.ts'
import { graphHints, hintsIn } from './graph-hints.ts'

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
    const found = graphHints(readGraph(models, new Map()))
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
    const found = graphHints(readGraph(models, new Map()))
    expect(found).toHaveLength(400)
    expect(Math.max(...found.map(({ at }) => at.length))).toBe(21)
  })
})

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index)
}
