/** The parts that a router is made from, and those that its starter holds. */
import type { Worker } from 'node:worker_threads'
import type { ConfigStore, GraphKey } from '@switchyard/config-store'
import type { Jwks, ProcessLoad, RolloutResults } from '@switchyard/contracts'
import type { Announcer } from '@switchyard/event-log'
import type { NatsSettings } from '@switchyard/event-log/nats-settings'
import type { FleetKey, HealthState, Logger, Propagation } from '@switchyard/service-kit'
import type { UsageOfMinute } from '../concerns/usage/usage-reports.ts'
import type { GuardedRollouts } from '../concerns/guards/guarded-rollouts.ts'
import type { RouterConfig } from '../config/router-config.ts'
import type { Compiler } from '../generations/build/compiler.ts'
import type { ConfigFollowing } from '../generations/follow/config-follower.ts'
import type { ConfigTarget } from '../generations/follow/config-intake.ts'
import type { FlagUse } from '../flags/flag-use.ts'
import type { GraphChoice } from '../generations/follow/graph-choice.ts'
import type { HandedConnections } from '../listen/server.ts'
import type { PlanningClock } from '../planning/planning-clock.ts'
import type { WatchedSettings } from './settings-file-watch.ts'

/** A source of configs. */
export type RouterSource =
  | {
      readonly kind: 'config-store'
      readonly store: ConfigStore
      /** The public keys that manifests must be signed with. */
      readonly keys: Jwks
      readonly graph: GraphKey | GraphChoice
      /**
       * Whether configs are accepted without a signed head that proves that they are the newest. Set where
       * everybody who can write the store can also write the log that it is made from.
       */
      readonly trusted?: boolean
      /**
       * Directory of the last-known-good copies. Without one, no copy is kept, and a start without the store
       * serves nothing.
       */
      readonly lastKnownGoodDirectory?: string
      /** Served while there is neither a config in the store nor a copy. Trusted as given. */
      readonly executionConfig?: string
    }
  /**
   * One file, trusted as given, and nothing to follow: what `router compose` wrote, or the supergraph of any
   * composer.
   */
  | { readonly kind: 'execution-config' | 'supergraph'; readonly path: string }

/** The source of a worker: its primary follows the configs, verifies them, and accepts connections for it. */
export type PrimarySource = {
  readonly kind: 'primary'
  readonly connections: HandedConnections
  /**
   * Takes the configs into service that the primary hands over, and tells the parts what it says of them.
   */
  follow(parts: FollowingParts, listener: FollowingListener): ConfigFollowing
  /** Whether the router as a whole is ready. */
  ready(): HealthState
  /** Other flags are served of the same config. */
  flagsChanged(flags: readonly string[]): void
  /** This worker is ready: it has compiled the flags that are in use. */
  opened(): void
  /** The results of comparing answers with those of flags are these. */
  readonly differences: (results: readonly RolloutResults[]) => void
  /** Whether the primary wants to know what this worker counts of usage. */
  readonly countsUsage: boolean
  /** The usage of a minute. `isLast`: none follows. Resolves when it is on its way. */
  readonly usage: (usage: UsageOfMinute, isLast: boolean) => Promise<void>
}

/** The parts of a worker that its primary tells something. */
export type FollowingParts = {
  readonly generations: ConfigTarget
  /** Is told which flags are in use. */
  readonly flagUse: FlagUse
  /** Counts for the primary, and is told which rollouts the router stopped. */
  readonly guards: Pick<GuardedRollouts, 'reports' | 'stop'>
}

/** Hears the messages of the primary. */
export type FollowingListener = {
  /** Another config is served. */
  readonly changed: () => void
  /** Other flags are in use. */
  readonly useChanged: () => void
  /** Called when the primary knows which flags are in use. */
  readonly heard: () => void
}

/** The parts and settings that a router is started with. */
export type RouterOptions = {
  readonly config: RouterConfig
  /** The file that `config` was made from, to be followed. Without one, the settings stay as they are. */
  readonly settings?: WatchedSettings
  readonly source: RouterSource | PrimarySource
  /**
   * Sends heartbeats and hears of changes. Without one, there are no heartbeats, and changes are found by
   * polling.
   */
  readonly announcer?: Announcer
  readonly logger: Logger
  /** How services reach the NATS on which they talk, which providers of events should not share. */
  readonly controlPlane?: NatsSettings | null
  /** The key that signs heartbeats. Heartbeats without a signature prove nothing. */
  readonly fleetKey?: FleetKey
  /** Formats in which traces come with requests and go on to subgraphs. The default is W3C Trace Context. */
  readonly propagation?: Propagation
  /** Unique in the fleet. */
  readonly instance?: string
  /** Called when all is made and loaded, and nobody can connect yet. */
  readonly beforeListening?: () => void
  /** A compiler that several routers in one process share. Its creator disposes it. */
  readonly compiler?: Compiler
  /** Replacements for tests. */
  readonly overrides?: {
    readonly clock?: PlanningClock
    /** Uniform in [0, 1). */
    readonly random?: () => number
    readonly createPlanningWorker?: () => Worker
    /** The steps of a plan that the serving thread tries. */
    readonly mainThreadSteps?: number
    /** Milliseconds that Redis may take for an answer. */
    readonly redisTimeout?: number
    /** Milliseconds between two looks at the results of comparing answers. */
    readonly differencesInterval?: number
    /** Unix milliseconds, for the end of previews and the minutes of usage. */
    readonly now?: () => number
    /** Milliseconds between two looks at the clock that ends minutes of usage. */
    readonly usageInterval?: number
  }
}

/** Settings that can be put in force at once. Exactly one of the two functions must be called, once. */
export type PreparedSettings = {
  /** Puts the settings in force for the requests that come from now on. */
  readonly putInForce: () => void
  readonly letGo: () => Promise<void>
}

/** A router that listens. Disposing it drains it. */
export type RunningRouter = AsyncDisposable & {
  /** Base of the address, without base path. */
  readonly url: string
  readonly port: number
  /** Bytes, by estimate, that operations, their plans and introspections take: at most `cache.operations`. */
  readonly remembered: number
  /** Requests that are not answered yet. */
  readonly activeRequests: () => number
  /** How the process does, with its requests. */
  readonly load: () => ProcessLoad
  /** Resolves when the router serves and is ready for the first time. Never rejects. */
  readonly ready: Promise<void>
  /**
   * Looks at once at the files of certificates and at the config store, as it does from time to time
   * anyway.
   */
  reload(): void
  /**
   * Answers requests by these settings from now on; requests in flight keep theirs. Settings that need a
   * restart have to be the same as before (`reloadSettings`). Rejects as `startRouter` does; what was
   * in force then stays. Not to be called again before it has resolved.
   */
  apply(config: RouterConfig): Promise<void>
  /**
   * Does what `apply` does, in two steps. Must not be called again before the result is put in force or let
   * go.
   */
  prepare(config: RouterConfig): Promise<PreparedSettings>
  /** Number of versions of the settings that are in force, or have requests in flight. */
  readonly versions: () => number
}
