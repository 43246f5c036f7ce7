/**
 * The state of a namespace after a number of records: the value that the records are folded into, never
 * changed in place.
 */
import {
  DEFAULT_NAMESPACE,
  type EmergencyFigures,
  type LabelGroups,
  type PreviewSubgraph,
  type PromotedSubgraph,
  type RampPlan,
  type RolloutCondition,
  type RolloutShadow,
} from '@switchyard/contracts'
import type { Judgement } from '@switchyard/guards'
import { PersistentMap } from './persistent-map.ts'

export type FederatedGraph = {
  readonly name: string
  readonly labelMatchers: readonly string[]
  /** The matchers taken apart. */
  readonly labelGroups: LabelGroups
  /** True if routers do not enforce the directives that restrict who may see a field. */
  readonly allowUnenforcedAuthorization: boolean
  /** The URL at which browsers reach the routers; null if nobody said. */
  readonly publicUrl: string | null
  readonly pinnedRevision: number | null
  /** Sequence of the last record that asked for the graph to be published once more; null if none did. */
  readonly republished: number | null
  /** Manifests of persisted documents, sorted by name. */
  readonly documents: readonly PublishedDocuments[]
}

/** A manifest of persisted documents. */
export type PublishedDocuments = {
  readonly name: string
  /** Hash and size of its text. */
  readonly manifest: string
  readonly bytes: number
  /** How many it has. */
  readonly documents: number
  /** Names of the clients that may use it; null for all clients. */
  readonly clients: readonly string[] | null
}

export type PublishedSchema = { readonly sha256: string; readonly bytes: number }

export type BaseSubgraph = {
  readonly kind: 'subgraph'
  readonly name: string
  readonly routingUrl: string
  readonly labels: readonly string[]
  readonly schema: PublishedSchema | null
}
export type FeatureSubgraph = {
  readonly kind: 'feature-subgraph'
  readonly name: string
  readonly routingUrl: string
  /** The subgraph that it replaces. */
  readonly base: string
  readonly schema: PublishedSchema | null
}
export type Subgraph = BaseSubgraph | FeatureSubgraph

export type FeatureFlag = {
  readonly name: string
  readonly labels: readonly string[]
  /** Sorted. Empty only when every member was deleted. */
  readonly featureSubgraphs: readonly string[]
  readonly enabled: boolean
  /** The promotion that can be undone; null if there was none. Changes of its subgraphs do not end it. */
  readonly launched: Launch | null
}

/** The promotion of a flag: the subgraphs that it replaced got the content of its feature subgraphs. */
export type Launch = {
  /** Sequence of its record. */
  readonly sequence: number
  readonly promoted: readonly PromotedSubgraph[]
}

export type RolloutMode = 'serve' | 'shadow'

/** A ramp, and where it is. */
export type Ramp = RampPlan & {
  /** The step in force, counted from 0. */
  readonly step: number
  /** Sequence and time (Unix ms, by the record) of the record that began the step. */
  readonly since: number
  readonly sinceTime: number
  /** How many steps have begun with this one, also those that were begun again. */
  readonly begun: number
  /** How often this step has begun: 1, or more if it was begun again. */
  readonly attempt: number
  readonly state: 'running' | 'paused' | 'ended'
  /** The last judgement that a record of the ramp holds; null if none does. */
  readonly judgement: Judgement | null
  /** The figures at which the emergency stop aborted it last; null if it did not. */
  readonly emergency: EmergencyFigures | null
}

/** Who gets the composition of a flag in a graph without naming the flag. */
export type Rollout = {
  readonly name: string
  readonly graph: string
  readonly flag: string
  readonly mode: RolloutMode
  readonly where: readonly RolloutCondition[]
  /** The percentage that was set. It is in force while the rollout is active. */
  readonly percent: number
  readonly key: readonly string[]
  readonly salt: string
  /** RFC 3339; null for one that does not expire. */
  readonly expires: string | null
  /** Settings of a rollout of mode `shadow`; null for the defaults. */
  readonly shadow: RolloutShadow | null
  /** `aborted`: it selects nobody. `completed`: it selects its whole audience. */
  readonly status: 'active' | 'aborted' | 'completed'
  /** The ramp that it is on, or was on last; null if it had none, or was changed by hand since. */
  readonly ramp: Ramp | null
  /** Its place among the rollouts of its graph, from 0 on: requests try them in this order. */
  readonly place: number
}

/** A composition with other subgraphs in the place of some, which ends by itself. */
export type Preview = {
  readonly name: string
  /** The name that requests give: that of the preview, `-` and 16 random hex digits. */
  readonly flag: string
  /** Sorted by the subgraphs that they replace, each of which is replaced once. */
  readonly subgraphs: readonly Readonly<PreviewSubgraph>[]
  /** RFC 3339. */
  readonly expires: string
}

/** The outcome of a command, kept for 24 hours of log time, so that its repetition gets the same answer. */
export type CommandMemory = {
  readonly commandHash: string | null
  readonly sequence: number
  /** Unix ms, by the record. */
  readonly time: number
  readonly message: string
  readonly created: boolean
  readonly affectedGraphs: readonly string[]
  /** Graphs whose rollouts changed, sorted. */
  readonly rolloutGraphs: readonly string[]
  /** The names that requests give to previews which it created or changed, sorted. */
  readonly previews: readonly string[]
}

export type NamespaceState = {
  readonly namespace: string
  readonly exists: boolean
  /** Sequence of the last applied record: the `after` of the next one. */
  readonly lastApplied: number
  /** Sequence of the last record seen, applied or skipped: what the next append expects. */
  readonly lastSequence: number
  readonly graphs: PersistentMap<FederatedGraph>
  /** Base and feature subgraphs: they share one name space. */
  readonly subgraphs: PersistentMap<Subgraph>
  readonly flags: PersistentMap<FeatureFlag>
  readonly rollouts: PersistentMap<Rollout>
  readonly previews: PersistentMap<Preview>
  /** Hosts that the subgraphs of previews may have, sorted. Empty: there can be no previews. */
  readonly previewHosts: readonly string[]
  readonly commands: PersistentMap<CommandMemory>
  /** The highest time of an applied record, Unix ms. */
  readonly logTime: number
  /** When expired commands were last dropped, in log time. */
  readonly sweptAt: number
}

/** Before the first record. Only `default` exists without one. */
export function emptyNamespace(namespace: string): NamespaceState {
  return {
    namespace,
    exists: namespace === DEFAULT_NAMESPACE,
    lastApplied: 0,
    lastSequence: 0,
    graphs: PersistentMap.empty(),
    subgraphs: PersistentMap.empty(),
    flags: PersistentMap.empty(),
    rollouts: PersistentMap.empty(),
    previews: PersistentMap.empty(),
    previewHosts: [],
    commands: PersistentMap.empty(),
    logTime: 0,
    sweptAt: 0,
  }
}

export function sortedByName<Item extends { readonly name: string }>(items: Iterable<Item>): readonly Item[] {
  return [...items].sort((left, right) => compareNames(left.name, right.name))
}

/** Compares names by UTF-16 units, which gives the same order on every machine, whatever its locale. */
export function compareNames(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
