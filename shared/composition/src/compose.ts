/**
 * Composes subgraph schemas into one supergraph: reads, checks, merges, checks what was merged, judges what
 * can be reached, and writes the supergraph. Nothing else knows this order.
 *
 * Pure: same input, same output in any process, whatever the order of the subgraphs. Whatever the input is,
 * the answer is a value: a failure of our own becomes an error with the code COMPOSITION_INTERNAL.
 */
import type { CompositionInput, CompositionResult, SubgraphInput } from './contract/composition-result.ts'
import { describeFindings } from './findings/describe-findings.ts'
import {
  graphFinding,
  inSubgraph,
  newFinding,
  type Finding,
  type SubgraphFinding,
} from './findings/finding.ts'
import { findGraphHints } from './hints/find-hints.ts'
import { readGraph, type Graph } from './merge/graph.ts'
import type { MergedGraph } from './merge/merged.ts'
import { mergeSubgraphs } from './merge/merge.ts'
import { readCheckedGraph } from './merge/checked/checked-graph.ts'
import { findInGraph } from './merge/rules/index.ts'
import { findKindMismatches } from './merge/rules/types/kinds.ts'
import { judgeReach } from './reach/reach.ts'
import { sampleTypes } from './reach/sample-types.ts'
import { typeGraphOf } from './reach/type-graph.ts'
import { internalError, readInput, valueNameOf, type ReadSubgraph } from './read-input.ts'
import { findByName, findInSubgraph } from './subgraph/rules/index.ts'
import { explainUnreachable } from './unreached/explain-unreachable.ts'
import { takenBefore } from './unreached/taken-before.ts'
import { printSupergraph } from './supergraph/print-graph.ts'

/** The supergraph of these subgraphs with its hints, or all errors that were found. Never throws. */
export function compose({
  subgraphs: given,
  allowUnenforcedAuthorization,
}: CompositionInput): CompositionResult {
  const subgraphs = inOrder(given)
  try {
    const read = readInput(subgraphs)
    if (read.kind === 'failed') return { ...read, hints: [] }
    return composeRead(read.subgraphs, allowUnenforcedAuthorization !== true)
  } catch (error) {
    return { kind: 'failed', errors: [internalError(error, subgraphs)], hints: [] }
  }
}

/**
 * Sorts by name. A feature subgraph stands where the subgraph stands that it replaces, so that behind a flag
 * all others have the same places.
 */
function inOrder(given: readonly SubgraphInput[]): readonly SubgraphInput[] {
  const names = new Set(given.map(({ name }) => name))
  return given
    .map((subgraph) => ({ subgraph, key: valueNameOf(subgraph, names) }))
    .sort((a, b) => compare(a.key, b.key) || compare(a.subgraph.name, b.subgraph.name))
    .map(({ subgraph }) => subgraph)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function composeRead(subgraphs: readonly ReadSubgraph[], isEnforced: boolean): CompositionResult {
  const models = subgraphs.map(({ model }) => model)
  const graph = readGraph(models, positionsOf(subgraphs))
  const ofSubgraphs = findInSubgraphs(subgraphs, isEnforced)
  const hints = findGraphHints(graph, isEnforced).filter(notToldBy(ofSubgraphs))
  const failed = (findings: readonly Finding[]): CompositionResult => ({
    kind: 'failed',
    errors: describeFindings(findings, subgraphs),
    hints: describeFindings(hints, subgraphs),
  })
  if (ofSubgraphs.length > 0) return failed(ofSubgraphs)
  const merged = mergeAndCheck(graph)
  hints.push(...merged.findings.filter(({ isNew }) => isNew))
  const refusals = merged.findings.filter(({ isNew }) => !isNew)
  if (refusals.length > 0) return failed(refusals)
  const unreachable = findUnreachable(graph, merged.graph, subgraphs)
  hints.push(...unreachable.filter(({ isNew }) => isNew))
  const lost = unreachable.filter(({ isNew }) => !isNew)
  if (lost.length > 0) return failed(lost)
  const supergraphSdl = printSupergraph(merged.graph, subgraphs)
  return { kind: 'composed', supergraphSdl, hints: describeFindings(hints, subgraphs) }
}

/** Fields that clients may ask for and no subgraph can resolve. */
function findUnreachable(
  graph: Graph,
  merged: MergedGraph,
  subgraphs: readonly ReadSubgraph[],
): readonly Finding[] {
  const { findings: fields, isDecided } = judgeReach(typeGraphOf(merged, subgraphs), sampleTypes(merged))
  const names = subgraphs.map(({ name }) => name)
  const wasTaken = takenBefore(merged, graph)
  const explain = (isTaken: boolean) =>
    explainUnreachable(
      fields.filter((field) => wasTaken(field) === isTaken),
      graph,
      names,
    )
  const found = [...explain(false), ...explain(true).map(newFinding)]
  return isDecided ? found : [...found, graphFinding('SATISFIABILITY_UNDECIDED', {}, [])]
}

/** Leaves out hints that an override has no effect, where an error says so of the same override. */
function notToldBy(errors: readonly Finding[]): (hint: Finding) => boolean {
  const told = errors.filter(({ code }) => code === 'OVERRIDE_FROM_SELF_ERROR')
  const nodes = new Set(told.flatMap(({ at }) => at.map(({ node }) => node)))
  return ({ code, at }) => code !== 'FROM_SUBGRAPH_DOES_NOT_EXIST' || !at.some(({ node }) => nodes.has(node))
}

/** Where routers do not enforce who may see a field, it makes no difference that they could not. */
function findInSubgraphs(subgraphs: readonly ReadSubgraph[], isEnforced: boolean): readonly Finding[] {
  return subgraphs.flatMap(({ model, name }, at) =>
    [...findInSubgraph(model), ...findByName(model, new Set([name]))]
      .filter((one) => isEnforced || !isAboutEnforcement(one))
      .map((one) => inSubgraph(one, at)),
  )
}

function isAboutEnforcement({ code, facts }: SubgraphFinding): boolean {
  if (code === 'AUTHORIZATION_NOT_COMPOSED') return true
  return code === 'INVALID_GRAPHQL' && facts.kind === 'no-alternatives'
}

/** Which subgraph `@override(from:)` means: also the one that stands in the place of another. */
function positionsOf(subgraphs: readonly SubgraphInput[]): ReadonlyMap<string, number> {
  const positions = new Map(subgraphs.map(({ name }, at) => [name, at]))
  for (const [at, { baseName }] of subgraphs.entries())
    if (baseName !== null && baseName !== undefined && !positions.has(baseName)) positions.set(baseName, at)
  return positions
}

type Merged = { readonly graph: MergedGraph; readonly findings: readonly Finding[] }

function mergeAndCheck(graph: Graph): Merged {
  const mismatches = findKindMismatches(graph)
  const types = new Map([...graph.types].filter(([name]) => !mismatches.has(name)))
  const mergeable = mismatches.size === 0 ? graph : { ...graph, types }
  const merged = mergeSubgraphs(mergeable)
  const findings = [...mismatches.values(), ...findInGraph(readCheckedGraph(mergeable, merged))]
  return { graph: merged, findings }
}
