/**
 * Foresees what a command would do to the graphs of a namespace: it follows the rules of the registry and the
 * composer, and writes nothing.
 */
import type { Problem } from '@switchyard/contracts'
import {
  affectedGraphs,
  applyEvent,
  type Command,
  type CompositionInputs,
  compositionInputs,
  commandWarnings,
  decide,
  type NamespaceState,
  type SubgraphToCompose,
} from '@switchyard/domain'

export type ForeseenComposition = {
  readonly graph: string
  /** The name of the flag, or null for the base. */
  readonly featureFlag: string | null
  /**
   * The kind of the composition. `unchanged` has the same inputs as now, so it is not computed again. `empty`
   * means that nothing is left to compose. `removed` means that the flag would no longer apply, and that
   * requests which name it would get the base.
   */
  readonly kind: 'compose' | 'unchanged' | 'empty' | 'removed'
  /** Sorted by name; empty unless something is composed. */
  readonly subgraphs: readonly SubgraphToCompose[]
  readonly allowUnenforcedAuthorization: boolean
}

export type ForeseenGraph = {
  readonly name: string
  /** The base first, then the flags by name. */
  readonly compositions: readonly ForeseenComposition[]
}

export type ForeseenChange = {
  readonly kind: 'changed'
  readonly message: string
  readonly warnings: readonly string[]
  /** Affected graphs by name. */
  readonly graphs: readonly ForeseenGraph[]
}

export type Foreseen =
  | ForeseenChange
  | { readonly kind: 'unchanged'; readonly message: string }
  | { readonly kind: 'refused'; readonly problem: Problem }

export function foresee(before: NamespaceState, command: Command): Foreseen {
  const decision = decide(before, command)
  if (decision.kind !== 'events') return decision
  const after = decision.events.reduce(applyEvent, before)
  const affected = affectedGraphs(before, after)
  return {
    kind: 'changed',
    message: decision.message,
    warnings: commandWarnings(after, command, affected),
    graphs: affected.map((name) =>
      foreseeGraph(name, compositionInputs(before, name), compositionInputs(after, name)),
    ),
  }
}

function foreseeGraph(
  graph: string,
  before: CompositionInputs | null,
  after: CompositionInputs | null,
): ForeseenGraph {
  const flagsBefore = new Map((before?.flags ?? []).map(({ name, subgraphs }) => [name, subgraphs]))
  const flagsAfter = new Map((after?.flags ?? []).map(({ name, subgraphs }) => [name, subgraphs]))
  const flags = [...new Set([...flagsBefore.keys(), ...flagsAfter.keys()])].sort()
  const allowed = after?.allowUnenforcedAuthorization ?? false
  const asAllowed = before?.allowUnenforcedAuthorization === allowed
  const foreseen = (
    featureFlag: string | null,
    was: readonly SubgraphToCompose[] = [],
    subgraphs: readonly SubgraphToCompose[] = [],
  ): ForeseenComposition => {
    const composition = { graph, featureFlag, subgraphs, allowUnenforcedAuthorization: allowed }
    if (subgraphs.length === 0) return { ...composition, kind: featureFlag === null ? 'empty' : 'removed' }
    return { ...composition, kind: asAllowed && sameInputs(was, subgraphs) ? 'unchanged' : 'compose' }
  }
  return {
    name: graph,
    compositions: [
      foreseen(null, before?.base, after?.base),
      ...flags.map((flag) => foreseen(flag, flagsBefore.get(flag), flagsAfter.get(flag))),
    ],
  }
}

function sameInputs(left: readonly SubgraphToCompose[], right: readonly SubgraphToCompose[]): boolean {
  return left.length === right.length && left.every((input, index) => isSame(input, right[index]))
}

function isSame(left: SubgraphToCompose, right: SubgraphToCompose | undefined): boolean {
  return (
    left.name === right?.name &&
    left.routingUrl === right.routingUrl &&
    left.schema === right.schema &&
    left.baseName === right.baseName
  )
}
