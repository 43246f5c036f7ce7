/**
 * The messages between the primary and its workers, over the channel that a worker inherits. They are sent as
 * structured clones.
 */
import type { ProcessLoad, RolloutResults } from '@switchyard/contracts'
import type { HealthState, ProcessMetrics } from '@switchyard/service-kit'
import type { SettingsFile } from '../config/router-config.ts'
import type { StepReports, StoppedRollout } from '../concerns/guards/step-report.ts'
import type { UsageOfMinute } from '../concerns/usage/usage-reports.ts'
import type { NewerRollouts } from '../generations/newer-rollouts.ts'
import type { VerifiedConfig } from '../generations/offered-config.ts'

/** The data that a worker needs and that its environment does not contain. */
export type WorkerSetUp = {
  /** Number of the worker, from 1 on. A worker that replaces another one has its number. */
  readonly number: number
  readonly workers: number
  /** The settings file as the primary read it at its start. */
  readonly file: SettingsFile | null
  /** The text of the file that is in force since; null if it is the same. */
  readonly reloaded: string | null
  readonly defaultNetworks: readonly string[] | null
  /** See HandedConnections. */
  readonly ticketKeys: Uint8Array
  /** Feature flags that clients asked for recently, of any worker. */
  readonly flagsInUse: readonly string[]
  /** Whether the primary tells usage. */
  readonly countsUsage: boolean
  /** Whether the primary will ask for metrics. */
  readonly keepsMetrics: boolean
}

/** Checked by the primary. Artifacts, lists and chunks are sent before it, each of them once. */
export type HandedConfig = Omit<VerifiedConfig, 'artifacts' | 'pieces'> & {
  readonly signed: null
  /** The hash of the list of each artifact that is there in pieces. */
  readonly lists: ReadonlyMap<string, string>
  /** Hashes of all that is in `artifacts`. */
  readonly names: readonly string[]
}

/** The state of the router as a whole. */
export type RouterState = {
  readonly ready: HealthState
  /** The reason why nothing is served, while nothing is. */
  readonly waitingFor: string
  readonly fleet: FleetState
  /** The rollouts that the router treats as 0 %. */
  readonly stopped: readonly StoppedRollout[]
  /** The rollouts of verified manifests that are newer than what is served. */
  readonly newer: readonly NewerRollouts[]
}

/** The knowledge of the primary about other routers, and from an earlier start. */
export type FleetState = {
  /** Feature flags that are in use there, sorted. */
  readonly flagsInUse: readonly string[]
  /** Whether nothing more will be learned about them. */
  readonly isHeard: boolean
}

/** A message of the primary to a worker. */
export type ToWorker =
  | { readonly kind: 'start'; readonly setUp: WorkerSetUp; readonly url: string; readonly port: number }
  /** A part of the bytes of an artifact, a list or a chunk, gzipped and in order. */
  | { readonly kind: 'part'; readonly sha256: string; readonly bytes: Uint8Array }
  /** A config to be served. The worker answers with `taken`. */
  | { readonly kind: 'config'; readonly id: number; readonly config: HandedConfig }
  | ({ readonly kind: 'state' } & RouterState)
  /** A connection comes along; answered by `accepted`, before anything is read from it. */
  | { readonly kind: 'connection'; readonly id: number }
  /** A request for the metrics so far. The worker answers with `metrics`. */
  | { readonly kind: 'measure'; readonly id: number }
  | { readonly kind: 'reload' }
  /** The settings file holds another text, which was checked; answered by `prepared`. */
  | { readonly kind: 'settings'; readonly id: number; readonly text: string }
  /** Sent after each `settings`: whether they are put in force. */
  | { readonly kind: 'decided'; readonly isTaken: boolean }
  | { readonly kind: 'stop' }

/** A message of a worker to its primary. */
export type FromWorker =
  | { readonly kind: 'up' }
  | { readonly kind: 'failed'; readonly code: string | null; readonly message: string }
  | { readonly kind: 'accepted'; readonly id: number }
  /** The outcome of a config. `refused` is the reason why it cannot be served, or null if it is. */
  | {
      readonly kind: 'taken'
      readonly id: number
      readonly refused: string | null
      readonly flags: readonly string[]
    }
  /**
   * The outcome of settings. `problems` lists why they cannot be put in force; null if they can be, at once.
   */
  | { readonly kind: 'prepared'; readonly id: number; readonly problems: readonly string[] | null }
  /** The worker is ready: it has compiled the flags that are in use. Sent once. */
  | { readonly kind: 'opened' }
  /** Another set of flags is served of the same config. */
  | { readonly kind: 'flags'; readonly flags: readonly string[] }
  /** The results of comparing answers with those of flags. `boot` changes with every start of the worker. */
  | { readonly kind: 'differences'; readonly boot: string; readonly results: readonly RolloutResults[] }
  /** The usage of a minute. `isLast`: none follows, since the worker stops. */
  | { readonly kind: 'usage'; readonly usage: UsageOfMinute; readonly isLast: boolean }
  | { readonly kind: 'metrics'; readonly id: number; readonly metrics: ProcessMetrics }
  /**
   * Sent at intervals: a worker from which nothing is heard counts as hung. `flagsInUse`: as in a heartbeat
   * of a router. `reports`: what the worker counted; null while no guarded rollout runs.
   */
  | {
      readonly kind: 'alive'
      readonly flagsInUse: readonly string[]
      readonly reports: StepReports | null
      readonly load: ProcessLoad
    }

/** Interval at which a worker reports that it is alive. */
export const ALIVE_EVERY_MS = 1000
