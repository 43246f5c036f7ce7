import { compileSupergraph } from '@switchyard/engine/moves'
import { describe, expect, it } from 'vitest'
import { typeGraphOf } from '../src/reach/type-graph.ts'
import { SETS } from './sets/index.ts'
import { mergedOf, mergeSdls } from './subgraph-fixtures.ts'

const COMPOSING = Object.values(SETS)
  .flat()
  .filter((set) => 'facts' in set)

describe('the graph that reach walks', () => {
  it.each(COMPOSING)('is that of the supergraph as a text: $name', ({ subgraphs: sdls }) => {
    const { merged, subgraphs } = mergedOf(sdls)
    const { types, labels, roots } = compileSupergraph(mergeSdls(sdls))
    expect(typeGraphOf(merged, subgraphs).typeGraph.graph.compiled).toMatchObject({ types, labels, roots })
  })
})
