/**
 * The fold over `registry.events.<ns>`. Registries and composers fold the same log with this one function, so
 * they agree on which records count: one whose `after` is not the last applied sequence lost a race that the
 * server let through, and one whose command id was applied before is a repeated write. Both are skipped by
 * everybody.
 */
import { COMMAND_ID_MEMORY_MS, type RegistryRecord } from '@switchyard/contracts'
import { affectedGraphs } from './affected-graphs.ts'
import { applyEvents } from './state/apply-event.ts'
import { createsSomething, describeEvents } from './state/describe-events.ts'
import type { CommandMemory, NamespaceState } from './state/namespace-state.ts'
import type { PersistentMap } from './state/persistent-map.ts'

export type RecordOutcome =
  | {
      readonly kind: 'applied'
      readonly message: string
      readonly created: boolean
      /** Sorted. Graphs that the record removed are among them. */
      readonly affectedGraphs: readonly string[]
      /** Sorted. Graphs whose rollouts changed, also those that the record removed. */
      readonly rolloutGraphs: readonly string[]
      /** Sorted. The names that requests give to previews which the record created or changed. */
      readonly previews: readonly string[]
    }
  | { readonly kind: 'skipped'; readonly reason: 'lost-race' | 'repeated-command' | 'seen-before' }

export type Applied = { readonly state: NamespaceState; readonly outcome: RecordOutcome }

const SWEEP_EVERY_MS = 60 * 60 * 1000

export function applyRecord(state: NamespaceState, record: RegistryRecord, sequence: number): Applied {
  if (sequence <= state.lastSequence) return { state, outcome: { kind: 'skipped', reason: 'seen-before' } }
  const seen = { ...state, lastSequence: sequence }
  if (commandOutcome(state, record.commandId) !== null) {
    return { state: seen, outcome: { kind: 'skipped', reason: 'repeated-command' } }
  }
  if (record.after !== state.lastApplied) {
    return { state: seen, outcome: { kind: 'skipped', reason: 'lost-race' } }
  }
  // Never before the log's own time: what a writer with a late clock did would be forgotten as soon as it was
  // applied.
  const time = Math.max(state.logTime, Date.parse(record.time))
  const changed = applyEvents({ ...seen, logTime: time }, record.events)
  const affected = affectedGraphs(state, changed)
  const rolloutGraphs = graphsOfRollouts(state, changed)
  const previews = changedPreviews(state, changed)
  const memory: CommandMemory = {
    commandHash: record.commandHash ?? null,
    sequence,
    time,
    message: describeEvents(record.events, state),
    created: createsSomething(record.events),
    affectedGraphs: affected,
    rolloutGraphs,
    previews,
  }
  const applied = rememberCommand({ ...changed, lastApplied: sequence }, record.commandId, memory)
  return {
    state: applied,
    outcome: {
      kind: 'applied',
      message: memory.message,
      created: memory.created,
      affectedGraphs: affected,
      rolloutGraphs,
      previews,
    },
  }
}

/** Returns the graphs whose rollouts differ between two states, sorted. */
export function graphsOfRollouts(before: NamespaceState, after: NamespaceState): readonly string[] {
  const names = [...before.rollouts.changedKeys(after.rollouts)]
  const graphs = names.flatMap((name) => [before.rollouts.get(name), after.rollouts.get(name)])
  return [...new Set(graphs.flatMap((rollout) => rollout?.graph ?? []))].sort()
}

/** Returns the names that requests give to previews that are new or changed, sorted. */
function changedPreviews(before: NamespaceState, after: NamespaceState): readonly string[] {
  const names = [...before.previews.changedKeys(after.previews)]
  return names.flatMap((name) => after.previews.get(name)?.flag ?? []).sort()
}

/** Returns the outcome of a command, if it was applied within the last 24 hours of log time. */
export function commandOutcome(state: NamespaceState, commandId: string): CommandMemory | null {
  const memory = state.commands.get(commandId)
  return memory === undefined || isExpired(memory, state.logTime) ? null : memory
}

function rememberCommand(state: NamespaceState, commandId: string, memory: CommandMemory): NamespaceState {
  const logTime = memory.time
  const commands = state.commands.set(commandId, memory)
  if (logTime - state.sweptAt < SWEEP_EVERY_MS) return { ...state, commands, logTime }
  return { ...state, commands: withoutExpired(commands, logTime), logTime, sweptAt: logTime }
}

function withoutExpired(
  commands: PersistentMap<CommandMemory>,
  logTime: number,
): PersistentMap<CommandMemory> {
  let kept = commands
  for (const [id, memory] of commands) if (isExpired(memory, logTime)) kept = kept.delete(id)
  return kept
}

function isExpired(memory: CommandMemory, logTime: number): boolean {
  return logTime - memory.time > COMMAND_ID_MEMORY_MS
}
