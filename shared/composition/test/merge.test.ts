import { mergeSubgraphs } from '../src/merge/merge.ts'
import { readModel } from '../src/model/read-model.ts'
import { printSupergraph } from '../src/supergraph/print-graph.ts'
import { parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { SETS } from './sets/index.ts'
import { composeSdls, expectComposed } from './subgraph-fixtures.ts'
import { readFacts } from './supergraph-facts.ts'

/** Where the merge says something else than the composition library, and why the merge is right. */
const DIFFERENCES: Readonly<Record<string, readonly string[]>> = {
  // An external field that nothing in its subgraph needs is left out of Federation 1, as everywhere else.
  'an external field of a Federation 1 extension stays external where another subgraph has it in a key': [
    '- Product.tag @a external',
  ],
  // The interface object of b does not resolve what c has taken over.
  'an interface object overrides a field of an interface object': ['- Media.stars @b'],
}

const COMPOSING = Object.values(SETS)
  .flat()
  .filter((set) => 'facts' in set)

describe('the merge', () => {
  it.each(COMPOSING)('says the same as the library: $name', ({ name, subgraphs }) => {
    const theirs = new Set(readFacts(expectComposed(composeSdls(subgraphs))))
    const ours = new Set(readFacts(merge(subgraphs)))
    const differences = [
      ...[...theirs].filter((fact) => !ours.has(fact)).map((fact) => `- ${fact}`),
      ...[...ours].filter((fact) => !theirs.has(fact)).map((fact) => `+ ${fact}`),
    ]
    expect(differences).toEqual(DIFFERENCES[name] ?? [])
  })

  it('is tried with every set that composes', () => {
    expect(COMPOSING.length).toBeGreaterThan(200)
    expect(Object.keys(DIFFERENCES).filter((name) => !COMPOSING.some((set) => set.name === name))).toEqual([])
  })
})

function merge(sdls: Readonly<Record<string, string>>): string {
  const names = Object.keys(sdls).sort()
  const models = names.map((name) => readModel(parse(sdls[name] ?? '', { noLocation: true })))
  const graph = mergeSubgraphs(models, new Map(names.map((name, at) => [name, at])))
  const subgraphs = names.map((name) => ({ name, routingUrl: `http://${name}`, valueName: name }))
  return printSupergraph(graph, subgraphs)
}
