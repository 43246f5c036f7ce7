/** What composing finds in fields that cannot be reached. */
import type { CompositionError } from '@switchyard/composition'
import { compileSupergraph, openGraph } from '@switchyard/engine/moves'
import { parse } from 'graphql'
import { describeFindings } from '../src/findings/describe-findings.ts'
import { readGraph } from '../src/merge/graph.ts'
import { readModel } from '../src/model/read-model.ts'
import { judgeReach } from '../src/reach/reach.ts'
import type { UnreachableField } from '../src/reach/unreachable-field.ts'
import { explainUnreachable } from '../src/unreached/explain-unreachable.ts'
import { mergeSdls } from './subgraph-fixtures.ts'

/** The fields that cannot be reached. */
export function unreachableFieldsOf(sdls: Readonly<Record<string, string>>): readonly UnreachableField[] {
  return judgeReach(openGraph(compileSupergraph(mergeSdls(sdls)))).findings
}

/** The errors of these fields, in their order. */
export function explainFields(
  fields: readonly UnreachableField[],
  sdls: Readonly<Record<string, string>>,
): readonly CompositionError[] {
  const subgraphs = Object.keys(sdls)
    .sort()
    .map((name) => ({ name, sdl: sdls[name] ?? '', document: parse(sdls[name] ?? '', { noLocation: true }) }))
  const names = subgraphs.map(({ name }) => name)
  const graph = readGraph(
    subgraphs.map(({ document }) => readModel(document)),
    new Map(names.map((name, at) => [name, at])),
  )
  return describeFindings(explainUnreachable(fields, graph, names), subgraphs)
}
