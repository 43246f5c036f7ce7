/** Which commands a revision is the result of, read from the registry's log when somebody asks. */
import {
  type GraphName,
  parseRecord,
  RegistryRecord,
  registrySubject,
  type RevisionChange,
} from '@switchyard/contracts'
import { apiKeyNames, subjectOfEvent, summarizeEvents } from '@switchyard/domain'
import type { EventLog } from '@switchyard/event-log'
import type { PublishedConfig } from './published-configs.ts'
import type { RegistryReader } from './registry-reader.ts'

/** The largest number of commands that are listed for a revision. If there are more, the last are listed. */
const MAX_CHANGES = 10
/** The largest number of events that are listed for a command. If there are more, the first are listed. */
const MAX_EVENTS = 10

/** The part of a revision that tells which commands it reflects. */
type Reflected = Pick<PublishedConfig, 'registrySequence' | 'compositionSequence' | 'rolloutsSequence'>

/**
 * Sequences of the records of these commands, oldest first; null if they are not known any more. `before` is
 * the revision before it, null of the first one.
 */
export function sequencesBehind(
  fold: RegistryReader,
  graph: GraphName,
  config: Reflected,
  before: Reflected | null,
): readonly number[] | null {
  const composed = composedBehind(fold, graph, config, before)
  const released = fold.rolloutCommandsBetween(graph, before?.rolloutsSequence ?? 0, config.rolloutsSequence)
  if (composed === null || released === null) return null
  return [...new Set([...composed, ...released])].sort((left, right) => left - right)
}

/** The sequences of those that the graph was composed for. */
function composedBehind(
  fold: RegistryReader,
  graph: GraphName,
  config: Reflected,
  before: Reflected | null,
): readonly number[] | null {
  // Without a newer composition, no command is behind it: keys changed, or the log was set back.
  if (before !== null && config.compositionSequence === before.compositionSequence) return []
  const { registrySequence } = config
  const found = fold.commandsBetween(graph, before?.registrySequence ?? 0, registrySequence)
  // The revision before it reflects the same command with flags that were not composed yet.
  return found?.length === 0 ? fold.commandsBetween(graph, registrySequence - 1, registrySequence) : found
}

/** Returns the sequences of the commands that are listed. */
export function listedOf(sequences: readonly number[]): readonly number[] {
  return sequences.slice(-MAX_CHANGES)
}

/**
 * The records of these sequences, by one walk over the namespace's log from the first of them to the last.
 */
export async function readCommands(
  log: EventLog,
  fold: RegistryReader,
  namespace: string,
  sequences: ReadonlySet<number>,
): Promise<ReadonlyMap<number, RevisionChange>> {
  const changes = new Map<number, RevisionChange>()
  if (sequences.size === 0) return changes
  const keys = apiKeyNames(fold.system)
  const ordered = [...sequences].sort((left, right) => left - right)
  const last = ordered.at(-1) ?? 0
  const filter = { kind: 'subject', subject: registrySubject(namespace) } as const
  for await (const { sequence, record } of log.read(filter, ordered[0] ?? 1)) {
    if (sequences.has(sequence))
      changes.set(sequence, changeOf(sequence, parseRecord(RegistryRecord, record), keys))
    if (sequence >= last) break
  }
  return changes
}

function changeOf(
  sequence: number,
  { actor, time, reason, events }: RegistryRecord,
  keys: ReadonlyMap<string, string>,
): RevisionChange {
  return {
    sequence,
    time,
    actor,
    apiKey: apiKeyOf(actor, keys),
    ...(reason === undefined ? {} : { reason }),
    summary: summarizeEvents(events),
    events: events.slice(0, MAX_EVENTS).map((event) => ({ type: event.type, name: subjectOfEvent(event) })),
    eventCount: events.length,
  }
}

/** Returns the name of the actor's API key. Null if the actor is no API key, or an unknown one. */
export function apiKeyOf(actor: string, names: ReadonlyMap<string, string>): string | null {
  return actor.startsWith('key:') ? (names.get(actor.slice('key:'.length)) ?? null) : null
}
