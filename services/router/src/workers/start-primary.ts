/**
 * The composition root of a router with several workers: one process that fetches and verifies configs,
 * accepts connections, and speaks for all of them, and the workers, which serve.
 */
import type { GraphKey } from '@switchyard/config-store'
import type { Announcer } from '@switchyard/event-log'
import {
  type Environment,
  type FleetKey,
  type HealthState,
  type Logger,
  observeReady,
  type ProcessMetrics,
} from '@switchyard/service-kit'
import { controlPlaneOf } from '../brokers/control-plane.ts'
import { SharedAccounts } from '../brokers/nats/shared-accounts.ts'
import type { RouterConfig, SettingsFile } from '../config/router-config.ts'
import type { ReloadedSettings } from '../config/reload-settings.ts'
import { type FiguresReports, openFigures } from '../concerns/guards/figures-reports.ts'
import { createRouterEvents, type RouterEvents } from '../startup/router-events.ts'
import { WorkerEvents } from './events.ts'
import type { ConfigFollower } from '../generations/follow/config-follower.ts'
import type { ConfigTarget } from '../generations/follow/config-intake.ts'
import type { NewerRollouts } from '../generations/newer-rollouts.ts'
import { openFollower, startFollowing } from '../startup/config-sources.ts'
import { FlagUse } from '../flags/flag-use.ts'
import { type Heartbeat, openHeartbeat } from '../generations/flag-use/heartbeat.ts'
import {
  announceAddresses,
  announceRetired,
  announceSettings,
  isAnnouncedAlike,
} from '../startup/announce-settings.ts'
import { FlagUseLearning } from '../startup/learn-flag-use.ts'
import { SettingsFileWatch, type WatchedSettings } from '../startup/settings-file-watch.ts'
import { announceDifferences } from '../shadows/differences-report.ts'
import { LAST_WORDS_MS } from '../startup/drain.ts'
import type { RouterSource, RunningRouter } from '../startup/router-options.ts'
import { Acceptor } from './acceptor.ts'
import { announceUsage, usageSecond } from '../concerns/usage/announce-usage.ts'
import type { UsageOfMinute } from '../concerns/usage/usage-reports.ts'
import { FiguresOfWorkers } from './figures-of-workers.ts'
import { LoadOfWorkers } from './load-of-workers.ts'
import type { RouterState } from './messages.ts'
import { UsageOfWorkers } from './usage-of-workers.ts'
import { WorkerPool } from './worker-pool.ts'
import { forkWorkers, type StartWorker } from './worker.ts'

/** Milliseconds in which a worker must exit after it finished its requests. */
const EXIT_MS = 5000
const TELL_EVERY_MS = 500
/** Seconds after a minute within which workers told it. */
const USAGE_AFTER_S = 10

/** The parts and settings that a router with several workers is started with. */
export type PrimaryOptions = {
  readonly config: RouterConfig
  readonly source: RouterSource
  readonly announcer: Announcer | null
  readonly fleetKey: FleetKey | null
  readonly logger: Logger
  /** Unique in the fleet. */
  readonly instance: string
  /** The environment from which workers read their settings. */
  readonly env: Environment
  readonly file: SettingsFile | null
  /** The same file, to be followed. Absent if there is none. */
  readonly settings?: WatchedSettings
  readonly defaultNetworks: readonly string[] | null
  /** Whether anybody will ask for metrics. */
  readonly keepsMetrics: boolean
}

/** A router with several workers that listens. */
export type RunningPrimary = Pick<RunningRouter, 'url' | 'reload'> &
  AsyncDisposable & {
    /** Reads the metrics that the instruments of each worker measured, by its number. */
    measure(): Promise<ReadonlyMap<string, ProcessMetrics>>
  }

/** The state of the primary that changes while it runs. */
type PrimaryState = {
  /** The settings in force. */
  config: RouterConfig
  isLeaving: boolean
  /** Whether clients may connect. A router on a file lets nobody in before the file is served. */
  isOpen: boolean
  /** Null while the workers start. */
  follower: ConfigFollower | null
  /** The heartbeat. Null while the workers start, and if no heartbeats are sent. */
  heartbeat: Heartbeat | null
  /** Announces a minute of usage. Nobody is told while the workers start. */
  tellUsage: (usage: UsageOfMinute) => void
  /** The reports of guarded rollouts. Null while the workers start, and if none are sent. */
  figures: FiguresReports | null
  /** The rollouts of verified manifests that are newer than what is served. */
  newer: readonly NewerRollouts[]
  /** The text of the settings file that is in force; null if it is the one of the start. */
  settingsText: string | null
  /** Whether nothing more will be learned about other routers. */
  isHeard: boolean
  /** The config and the flags that the last heartbeat told of, as JSON. */
  served: string
}

/**
 * Resolves when a worker is up; with a file, once that is served. Throws as startRouter does, and
 * WorkerStartError. Disposing takes as long as for a router of one process.
 */
export async function startPrimary(options: PrimaryOptions): Promise<RunningPrimary> {
  const { config, source } = options
  await using parts = new AsyncDisposableStack()
  const state = stateAtStart(options)
  let flagsOfWorkers = (): readonly string[] => []
  const flagUse = new FlagUse({ others: () => flagsOfWorkers() })
  const events = createRouterEvents(options.logger, () => state.config.accessLog)
  announceSettings(config, events.listener)
  announceRetired(config, events.settings)
  const accounts = parts.use(new SharedAccounts(controlPlaneOf(options.env), events.providers))
  accounts.look(config.brokers)
  const workers = await openWorkers(options, state, { flagUse, events }, parts)
  const { acceptor, pool } = workers
  flagsOfWorkers = () => pool.flagsInUse
  parts.use(observeReady('router', () => readiness(state, pool)))
  const learning = parts.use(learnFlagUse(options, state, pool, flagUse, events))
  const beat = () => state.heartbeat?.beat()
  const onGraph = (graph: GraphKey) => learning.open(graph)
  const target = workersAsTarget(state, pool)
  const follower = parts.use(
    openFollower(source, options, target, events.configs, { onGraph, onChange: beat }),
  )
  state.follower = follower
  openReports(options, state, { ...workers, flagUse, follower }, parts)
  await startFollowing(source, follower, (error) => events.requests.failures.defect(error))
  const watch = watchSettings(options, state, { pool, accounts }, events)
  if (watch !== null) parts.use(watch)
  state.isOpen = true
  acceptor.distribute()
  const { url } = acceptor.address
  await announceAddresses(config, url, events.listener)
  const running = parts.move()
  const stop = async () => {
    state.isLeaving = true
    beat()
    // For the file that the next start reads: the workers take what they know along.
    flagUse.heard(pool.flagsInUse)
    await pool[Symbol.asyncDispose]()
    await running.disposeAsync()
  }
  let stopping: Promise<void> | null = null
  return {
    url,
    measure: () => pool.measure(),
    reload: () => {
      watch?.look()
      pool.reload()
      follower.look()
    },
    [Symbol.asyncDispose]: () => (stopping ??= stop()),
  }
}

function stateAtStart(options: PrimaryOptions): PrimaryState {
  const { config, source } = options
  return {
    config,
    isLeaving: false,
    isOpen: source.kind === 'config-store',
    follower: null,
    heartbeat: null,
    tellUsage: () => {},
    figures: null,
    newer: [],
    settingsText: null,
    isHeard: !FlagUseLearning.hears(options),
    served: '',
  }
}

/** The workers as the follower sees them. */
function workersAsTarget(state: PrimaryState, pool: WorkerPool): ConfigTarget {
  return {
    get serving() {
      return pool.serving
    },
    replace: (config) => pool.replace(config),
    takeBack: (newer) => {
      state.newer = newer
      pool.tell(waitingFor(state))
    },
  }
}

/** Tells the platform what the workers serve and count, and the workers how all of them are. */
function openReports(
  { announcer, fleetKey, instance }: PrimaryOptions,
  state: PrimaryState,
  { pool, figures, usage, load: loads, flagUse, follower }: Reporting,
  parts: AsyncDisposableStack,
): void {
  const followerState = () => follower.state
  const leaving = () => state.isLeaving
  const load = () => loads.read()
  const about = { fleetKey, instance, generations: pool, flagUse, follower: followerState, leaving, load }
  const heartbeat = parts.use(openHeartbeat(announcer, about))
  const reports = () => figures.reports
  state.heartbeat = heartbeat
  if (usage !== null && announcer !== null && heartbeat !== null) {
    const graph = () => followerState().graph
    state.tellUsage = announceUsage({ announcer, fleetKey, instance, boot: heartbeat.boot, graph })
    parts.use(usage)
  }
  state.figures = openFigures({ announcer, fleetKey, instance, heartbeat, reports, follower: followerState })
  if (state.figures !== null) parts.use(state.figures)
  const telling = setInterval(() => {
    figures.look()
    pool.tell(waitingFor(state))
  }, TELL_EVERY_MS).unref()
  parts.defer(() => clearInterval(telling))
}

type Reporting = Pick<OpenedWorkers, 'pool' | 'figures' | 'usage' | 'load'> & {
  readonly flagUse: FlagUse
  readonly follower: ConfigFollower
}

/** The primary hears other routers for all of its workers. */
function learnFlagUse(
  options: PrimaryOptions,
  state: PrimaryState,
  pool: WorkerPool,
  flagUse: FlagUse,
  { configs: events }: RouterEvents,
): FlagUseLearning {
  const onChange = () => pool.tell(waitingFor(state))
  const onHeard = () => {
    state.isHeard = true
    onChange()
  }
  return new FlagUseLearning({ ...options, flagUse, events, onChange, onHeard })
}

type OpenedWorkers = {
  readonly acceptor: Acceptor
  readonly pool: WorkerPool
  readonly figures: FiguresOfWorkers
  /** Null if usage is not counted. */
  readonly usage: UsageOfWorkers | null
  readonly load: LoadOfWorkers
}

/** Listens, and resolves when a worker is up. */
async function openWorkers(
  options: PrimaryOptions,
  state: PrimaryState,
  { flagUse, events: { guards } }: { readonly flagUse: FlagUse; readonly events: RouterEvents },
  parts: AsyncDisposableStack,
): Promise<OpenedWorkers> {
  const { config, logger, env, file, defaultNetworks, keepsMetrics, announcer } = options
  const events = new WorkerEvents(logger)
  const graph = () => state.follower?.state.graph ?? null
  const tell = announcer && announceDifferences({ ...options, announcer, graph })
  const workers = () => (state.isOpen ? pool.reachable : [])
  const onDropped = () => events.connectionDropped()
  const acceptor: Acceptor = parts.use(new Acceptor({ config, workers, onDropped }))
  await acceptor.listen()
  const usage = usageOf(options, state)
  const setUp = () => ({
    workers: config.workers,
    file,
    reloaded: state.settingsText,
    defaultNetworks,
    flagsInUse: flagUse.told,
    keepsMetrics,
    countsUsage: usage !== null,
  })
  const figures: FiguresOfWorkers = new FiguresOfWorkers({
    serving: () => pool.serving?.config ?? null,
    events: guards,
    onStopped: () => {
      pool.tell(waitingFor(state))
      state.figures?.send()
    },
  })
  const load = parts.use(new LoadOfWorkers())
  const watching = (start: StartWorker) => load.watching(figures.watching(start))
  const pool: WorkerPool = parts.use(
    new WorkerPool({
      count: config.workers,
      start: watching(watchedBy(usage, { env, setUp, address: () => acceptor.address })),
      events,
      known: () => ({ fleet: fleetOf(state, flagUse), stopped: figures.stopped, newer: state.newer }),
      stopWithin: () => state.config.preStopDelay + state.config.drainTimeout + LAST_WORDS_MS + EXIT_MS,
      onChange: () => {
        pool.tell(waitingFor(state))
        acceptor.distribute()
        tellOfChange(state, pool)
      },
      onAccepted: (id) => acceptor.accepted(id),
      onDifferences: (boot, results) => tell?.(results, boot),
      onEnded: (worker) => {
        figures.ended(worker)
        usage?.ended(worker)
        load.ended(worker)
        acceptor.ended(worker)
      },
    }),
  )
  await pool.start()
  return { acceptor, pool, figures, usage, load }
}

/** Makes the function that starts workers, whose usage is joined. */
function watchedBy(usage: UsageOfWorkers | null, options: Parameters<typeof forkWorkers>[0]): StartWorker {
  const start = forkWorkers(options)
  return usage === null ? start : usage.watching(start)
}

/** Joins what workers count; null if nobody is told. */
function usageOf({ config, announcer }: PrimaryOptions, state: PrimaryState): UsageOfWorkers | null {
  if (announcer === null || !config.usage.enabled) return null
  const second = usageSecond(Math.random, USAGE_AFTER_S)
  return new UsageOfWorkers({ tell: (minute) => state.tellUsage(minute), second })
}

/** Returns what the primary knows of other routers. */
function fleetOf({ isHeard }: PrimaryState, flagUse: FlagUse): RouterState['fleet'] {
  return { flagsInUse: [...flagUse.inUse].sort(), isHeard }
}

/** Workers put in force what the primary has checked, all of them or none. */
function watchSettings(
  { config, settings }: PrimaryOptions,
  state: PrimaryState,
  { pool, accounts }: { readonly pool: WorkerPool; readonly accounts: SharedAccounts },
  { settings: events, listener }: RouterEvents,
): SettingsFileWatch | null {
  if (settings === undefined) return null
  const apply = async ({ config: next }: ReloadedSettings, text: string) => {
    await pool.applySettings(text, () => (state.settingsText = text))
    if (!isAnnouncedAlike(state.config, next)) announceSettings(next, listener)
    accounts.look(next.brokers)
    state.config = next
  }
  return new SettingsFileWatch({ ...settings, interval: config.settingsReloadInterval, apply, events })
}

/** Sends a heartbeat if the workers serve something else than the last one told. */
function tellOfChange(state: PrimaryState, pool: WorkerPool): void {
  const { config, flags } = pool.serving ?? { config: null, flags: [] }
  const serves = JSON.stringify([config?.version, flags])
  if (serves !== state.served) state.heartbeat?.beat()
  state.served = serves
}

function readiness(state: PrimaryState, pool: WorkerPool): HealthState {
  if (state.isLeaving) return { ok: false, reason: 'the router is about to stop' }
  return pool.readiness(waitingFor(state))
}

function waitingFor({ follower }: PrimaryState): string {
  return follower?.state.waitingFor ?? 'the router is starting'
}
