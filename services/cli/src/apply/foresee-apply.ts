/** Works out from a snapshot, by the registry's own rules, what applying a desired state would do. */
import { createHash } from 'node:crypto'
import type { ApplyDesiredState } from '@switchyard/contracts'
import {
  affectedGraphs,
  applyEvents,
  type CommandOf,
  commandWarnings,
  decide,
  type Decision,
  describeEvents,
  graphsOfRollouts,
  type NamespaceState,
} from '@switchyard/domain'
import type { Confirmation } from '../command/confirmation.ts'
import { RefusedByRegistry } from '../run/errors.ts'

/** The answer that the registry would give to the command now. */
export type ForeseenApply = {
  readonly changed: boolean
  /** The description of what would be done, one line each, or a sentence that nothing would be. */
  readonly message: string
  readonly warnings: readonly string[]
  readonly affectedGraphs: readonly string[]
  /** Graphs whose rollouts would change. Nothing is composed for that. */
  readonly rolloutGraphs: readonly string[]
}

/** Foresees the registry's answer. Throws the refusal with which the registry would answer. */
export function foreseeApply(state: NamespaceState, body: ApplyDesiredState): ForeseenApply {
  const command = commandOf(body)
  const decision = decided(decide(state, command))
  if (decision.kind === 'unchanged') {
    return { changed: false, message: decision.message, warnings: [], affectedGraphs: [], rolloutGraphs: [] }
  }
  const after = applyEvents(state, decision.events)
  const affected = affectedGraphs(state, after)
  return {
    changed: true,
    message: decision.message,
    warnings: commandWarnings(after, command, affected),
    affectedGraphs: affected,
    rolloutGraphs: graphsOfRollouts(state, after),
  }
}

/** Returns the question about the deletions that pruning would make. Null if nothing would be deleted. */
export function pruning(state: NamespaceState, body: ApplyDesiredState): Confirmation | null {
  const decision = decide(state, commandOf(body))
  // The registry says so itself.
  if (decision.kind !== 'events') return null
  const deletions = decision.events.filter(({ type }) => type.endsWith('.deleted'))
  if (deletions.length === 0) return null
  return {
    question: `Delete ${deletions.length === 1 ? 'it' : `these ${deletions.length}`} from namespace "${state.namespace}", which the file does not name`,
    consequences: describeEvents(deletions, state).split(/\n|(?<=\.) (?=[A-Z])/),
  }
}

function decided(decision: Decision): Exclude<Decision, { readonly kind: 'refused' }> {
  if (decision.kind === 'refused') throw new RefusedByRegistry(decision.problem)
  return decision
}

function commandOf({ subgraphs, featureSubgraphs, ...rest }: ApplyDesiredState): CommandOf<'apply'> {
  return {
    type: 'apply',
    ...rest,
    subgraphs: subgraphs.map(withSchema),
    featureSubgraphs: featureSubgraphs.map(({ subgraph: base, ...item }) => withSchema({ ...item, base })),
  }
}

function withSchema<Item extends { readonly sdl?: string | undefined }>({ sdl, ...item }: Item) {
  if (sdl === undefined) return item
  const bytes = Buffer.from(sdl)
  return {
    ...item,
    schema: { sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length },
  }
}
