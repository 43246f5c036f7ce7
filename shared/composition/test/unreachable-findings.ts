/** What composing finds in fields that cannot be reached. */
import type { CompositionError } from '@switchyard/composition'
import { compileSupergraph } from '@switchyard/engine/moves'
import { parse } from 'graphql'
import { describeFindings } from '../src/findings/describe-findings.ts'
import { readGraph } from '../src/graph/graph.ts'
import { readModel } from '../src/model/read-model.ts'
import { judgeReach } from '../src/reach/reach.ts'
import type { ReachVerdict, UnreachableField } from '../src/reach/unreachable-field.ts'
import { explainUnreachable } from '../src/unreached/explain-unreachable.ts'
import { mergeSdls } from './subgraph-fixtures.ts'

/** The fields that cannot be reached. */
export function unreachableFieldsOf(sdls: Readonly<Record<string, string>>): readonly UnreachableField[] {
  return judgeText(mergeSdls(sdls)).findings
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

/** Judges the text of a supergraph. */
export function judgeText(supergraphSdl: string): ReachVerdict {
  const compiled = compileSupergraph(supergraphSdl)
  const types = new Map(compiled.api.types.map((type) => [type.name, type]))
  return judgeReach({ compiled }, (name) => types.get(name))
}
