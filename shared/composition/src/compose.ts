/**
 * Composes subgraph schemas into one supergraph: reads, checks, merges, checks what was merged, judges what
 * can be reached, and writes the supergraph. Nothing else knows this order.
 *
 * Pure: same input, same output in any process, whatever the order of the subgraphs and whatever is
 * remembered. Whatever the input is, the answer is a value: a failure of our own becomes an error with the
 * code COMPOSITION_INTERNAL.
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
import { CompositionStoppedError, type IsStopped } from './kept/stop.ts'
import type { CompositionMemory } from './memory/composition-memory.ts'
import { Work } from './memory/work.ts'
import { readGraph, withoutTypes, type Graph } from './graph/graph.ts'
import type { MergedGraph } from './merge/merged.ts'
import { mergeSubgraphs } from './merge/merge.ts'
import { CheckedGraph } from './merge/checked/checked-graph.ts'
import { findInGraph } from './merge/rules/index.ts'
import { findKindMismatches } from './merge/rules/types/kinds.ts'
import { judgeMerged } from './reach/judge-merged.ts'
import { typesOf, type ReachVerdict } from './reach/unreachable-field.ts'
import { internalError, readInput, valueNameOf, type ReadSubgraph } from './read-input.ts'
import { findByName, findInSubgraph } from './subgraph/rules/index.ts'
import { explainUnreachable } from './unreached/explain-unreachable.ts'
import { takenBefore } from './unreached/taken-before.ts'
import { printSupergraph } from './supergraph/print-graph.ts'

/**
 * The supergraph of these subgraphs with its hints, or all errors that were found. `memory` is that of
 * earlier compositions of the graph; it makes a composition faster and changes nothing else. Throws nothing
 * but a CompositionStoppedError, if it is told to stop.
 */
export function compose(
  { subgraphs: given, ...options }: CompositionInput,
  memory: CompositionMemory | null = null,
  isStopped: IsStopped = () => false,
): CompositionResult {
  const subgraphs = inOrder(given)
  try {
    const read = readInput(subgraphs, memory, isStopped)
    if (read.kind === 'failed') return { ...read, hints: [] }
    return new Composition(read.subgraphs, options, memory, isStopped).run()
  } catch (error) {
    if (error instanceof CompositionStoppedError) throw error
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

/** One composition of subgraphs that were read. */
class Composition {
  readonly #subgraphs: readonly ReadSubgraph[]
  /** Whether routers enforce who may see a field. */
  readonly #isEnforced: boolean
  readonly #isStrict: boolean
  readonly #memory: CompositionMemory | null
  readonly #work: Work
  readonly #graph: Graph

  constructor(
    subgraphs: readonly ReadSubgraph[],
    { allowUnenforcedAuthorization, isStrict }: Omit<CompositionInput, 'subgraphs'>,
    memory: CompositionMemory | null,
    isStopped: IsStopped,
  ) {
    this.#subgraphs = subgraphs
    this.#isEnforced = allowUnenforcedAuthorization !== true
    this.#isStrict = isStrict === true
    this.#memory = memory
    this.#work = new Work(memory?.last ?? null, memory !== null, isStopped)
    const models = subgraphs.map(({ model }) => model)
    const { before, reads } = this.#work
    this.#graph = readGraph(models, positionsOf(subgraphs), before?.graph, reads)
  }

  run(): CompositionResult {
    const { before, ofSubgraphs, subgraphHints } = this.#work
    const inSubgraphs = this.#findInSubgraphs()
    const typeHints = this.#work.byType(before?.hints, this.#graph.changed)
    const hints = findGraphHints(this.#graph, this.#isEnforced, {
      ofTypes: typeHints,
      ofSubgraphs: subgraphHints,
    }).filter(notToldBy(inSubgraphs))
    const failed = (findings: readonly Finding[]): CompositionResult => ({
      kind: 'failed',
      errors: describeFindings(findings, this.#subgraphs),
      hints: describeFindings(hints, this.#subgraphs),
    })
    const found = this.#refusals(inSubgraphs, hints)
    if (found.length > 0) return failed(found)
    const mismatches = findKindMismatches(this.#graph)
    const graph = withoutTypes(this.#graph, mismatches)
    const kept = this.#work.byType(before?.merged, graph.changed)
    const merged = mergeSubgraphs(graph, kept)
    const changed = withChangedMerges(graph.changed, merged, before?.merged)
    const checks = this.#work.byType(before?.checks, changed)
    const { findings, types } = findInGraph(new CheckedGraph(graph, merged), checks)
    const refusals = this.#refusals([...mismatches.values(), ...findings], hints)
    if (refusals.length > 0) {
      const others = mismatches.size > 0 ? [] : this.#explainOthers(merged, types, changed)
      return failed([...refusals, ...others])
    }
    const verdict = judgeMerged(merged, this.#subgraphs, before?.reach ?? null, changed)
    const lost = this.#refusals(this.#explain(merged, verdict), hints)
    if (lost.length > 0) return failed(lost)
    const printed = printSupergraph(merged, this.#subgraphs, before?.texts)
    const supergraphSdl = printed.text
    const result = {
      kind: 'composed',
      supergraphSdl,
      hints: describeFindings(hints, this.#subgraphs),
    } as const
    this.#memory?.commit(this.#subgraphs, {
      graph: graph.kept,
      ofSubgraphs: ofSubgraphs.now,
      subgraphHints: subgraphHints.now,
      hints: typeHints.now,
      merged: kept.now,
      checks: checks.now,
      reach: verdict.kept,
      texts: printed.kept,
    })
    return result
  }

  /** Where routers do not enforce who may see a field, it makes no difference that they could not. */
  #findInSubgraphs(): readonly Finding[] {
    return this.#subgraphs.flatMap(({ model, name }, at) =>
      [
        ...this.#work.ofSubgraphs.of(model, () => findInSubgraph(model)),
        ...(this.#graph.kept.overrides.get(model)?.length === 0 ? [] : findByName(model, new Set([name]))),
      ]
        .filter((one) => this.#isEnforced || !isAboutEnforcement(one))
        .map((one) => inSubgraph(one, at)),
    )
  }

  /** The findings that are errors. A mistake that the version before took is a hint, unless it is strict. */
  #refusals(findings: readonly Finding[], hints: Finding[]): readonly Finding[] {
    if (this.#isStrict) return findings.map((found) => ({ ...found, isNew: false }))
    hints.push(...findings.filter(({ isNew }) => isNew))
    return findings.filter(({ isNew }) => !isNew)
  }

  /** Fields that cannot be reached, whatever becomes of these types: an author learns of them at once. */
  #explainOthers(
    merged: MergedGraph,
    without: ReadonlySet<string>,
    changed: ReadonlySet<string>,
  ): readonly Finding[] {
    if (!merged.types.has('Query')) return []
    try {
      const { findings } = judgeMerged(merged, this.#subgraphs, this.#work.before?.reach ?? null, changed)
      const others = findings.filter((field) => ![...typesOf(field)].some((type) => without.has(type)))
      return this.#refusals(this.#explain(merged, { findings: others, isDecided: true }), [])
    } catch (error) {
      if (error instanceof CompositionStoppedError) throw error
      // With these types as they are, there may be no graph to judge. The errors that are known count.
      return []
    }
  }

  /** Fields that clients may ask for and no subgraph can resolve. */
  #explain(merged: MergedGraph, { findings: fields, isDecided }: ReachVerdict): readonly Finding[] {
    const undecided = isDecided ? [] : [graphFinding('SATISFIABILITY_UNDECIDED', {}, [])]
    if (fields.length === 0) return undecided
    const names = this.#subgraphs.map(({ name }) => name)
    const wasTaken = takenBefore(merged, this.#graph)
    const explain = (isTaken: boolean) =>
      explainUnreachable(
        fields.filter((field) => wasTaken(field) === isTaken),
        this.#graph,
        names,
      )
    return [...explain(false), ...explain(true).map(newFinding), ...undecided]
  }
}

/** The types that changed, and those of which something else is made than before. */
function withChangedMerges(
  changed: ReadonlySet<string>,
  merged: MergedGraph,
  before: ReadonlyMap<string, { readonly value: unknown }> | undefined,
): ReadonlySet<string> {
  const all = new Set(changed)
  for (const [name, type] of merged.types) if (before?.get(name)?.value !== type) all.add(name)
  return all
}

/** Leaves out hints that an override has no effect, where an error says so of the same override. */
function notToldBy(errors: readonly Finding[]): (hint: Finding) => boolean {
  const told = errors.filter(({ code }) => code === 'OVERRIDE_FROM_SELF_ERROR')
  const nodes = new Set(told.flatMap(({ at }) => at.map(({ node }) => node)))
  return ({ code, at }) => code !== 'FROM_SUBGRAPH_DOES_NOT_EXIST' || !at.some(({ node }) => nodes.has(node))
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
