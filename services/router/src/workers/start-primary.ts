/**
 * The composition root of a router with several workers: one process that fetches and verifies configs,
 * accepts connections, and speaks for all of them, and the workers, which serve.
 */
import { randomUUID } from 'node:crypto'
import { trace } from '@opentelemetry/api'
import type { Announcer } from '@switchyard/event-log'
import type { Environment, FleetKey, Logger, ProcessMetrics } from '@switchyard/service-kit'
import type { RouterConfig, SettingsFile } from '../config/router-config.ts'
import { createRouterEvents } from '../observe/router-events.ts'
import { WorkerEvents } from '../observe/worker-events.ts'
import { ConfigFollower } from '../generations/config-follower.ts'
import { sourcesOf, startFollowing } from '../startup/config-sources.ts'
import { Heartbeat } from '../generations/heartbeat.ts'
import { TRACER } from '../observe/meter.ts'
import { announceSettings } from '../startup/announce-settings.ts'
import { LAST_WORDS_MS } from '../startup/drain.ts'
import type { RouterSource, RunningRouter } from '../startup/router-options.ts'
import { Acceptor } from './acceptor.ts'
import { WorkerPool } from './worker-pool.ts'
import { forkWorkers } from './worker.ts'

/** For a worker to come to its end after all that it had to do. */
const EXIT_MS = 5000
const TELL_EVERY_MS = 500

/** What a router with several workers is started with. */
export type PrimaryOptions = {
  readonly config: RouterConfig
  readonly source: RouterSource
  readonly announcer: Announcer | null
  readonly fleetKey: FleetKey | null
  readonly logger: Logger
  /** Unique in the fleet. */
  readonly instance: string
  /** What workers read their settings from. */
  readonly env: Environment
  readonly file: SettingsFile | null
  readonly defaultNetworks: readonly string[] | null
  /** Whether anybody will ask for metrics. */
  readonly keepsMetrics: boolean
}

/** A router with several workers that listens. */
export type RunningPrimary = Pick<RunningRouter, 'url' | 'reload'> &
  AsyncDisposable & {
    /** What the instruments of each worker measured, by its number. */
    measure(): Promise<ReadonlyMap<string, ProcessMetrics>>
  }

/**
 * Resolves when a worker is up; with a file, once that is served. Throws as startRouter does, and
 * WorkerStartError. Disposing takes as long as for a router of one process.
 */
export async function startPrimary(options: PrimaryOptions): Promise<RunningPrimary> {
  const { config, source, announcer, logger, env, file, defaultNetworks, keepsMetrics } = options
  await using parts = new AsyncDisposableStack()
  const events = createRouterEvents(logger, config.accessLog)
  const workerEvents = new WorkerEvents(logger)
  announceSettings(config, events.listener)
  const count = config.workers
  let isLeaving = false
  // On a file nobody is let in before it is served.
  let isOpen = source.kind === 'config-store'
  let heartbeat: Heartbeat | null = null
  let follower: ConfigFollower | null = null
  let served = ''
  const waitingFor = () => follower?.state.waitingFor ?? 'the router is starting'
  const changed = () => {
    pool.tell(waitingFor())
    acceptor.distribute()
    const { config: now, flags } = pool.serving ?? { config: null, flags: [] }
    const serves = JSON.stringify([now?.version, flags])
    if (serves !== served) heartbeat?.beat()
    served = serves
  }
  const acceptor: Acceptor = parts.use(
    new Acceptor({
      config,
      workers: () => (isOpen ? pool.reachable : []),
      onDropped: () => workerEvents.connectionDropped(),
    }),
  )
  await acceptor.listen()
  const { url } = acceptor.address
  const pool: WorkerPool = parts.use(
    new WorkerPool({
      count,
      start: forkWorkers({
        env,
        setUp: { workers: count, file, defaultNetworks, keepsMetrics },
        address: () => acceptor.address,
      }),
      events: workerEvents,
      stopWithin: config.preStopDelay + config.drainTimeout + LAST_WORDS_MS + EXIT_MS,
      onChange: changed,
      onAccepted: (id) => acceptor.accepted(id),
      onEnded: (worker) => acceptor.ended(worker),
    }),
  )
  await pool.start()
  follower = parts.use(
    new ConfigFollower({
      ...sourcesOf(source, config, events.configs),
      generations: pool,
      events: events.configs,
      tracer: trace.getTracer(TRACER),
      announcer,
      pollInterval: config.pollInterval,
      onChange: () => heartbeat?.beat(),
    }),
  )
  const { state } = follower
  if (announcer !== null) {
    heartbeat = parts.use(
      new Heartbeat({
        announcer,
        fleetKey: options.fleetKey,
        instance: options.instance,
        boot: randomUUID(),
        generations: pool,
        follower: () => follower?.state ?? state,
        leaving: () => isLeaving,
      }),
    )
  }
  const telling = setInterval(() => pool.tell(waitingFor()), TELL_EVERY_MS).unref()
  parts.defer(() => clearInterval(telling))
  await startFollowing(source, follower, (error) => events.requests.failures.defect(error))
  isOpen = true
  acceptor.distribute()
  events.listener.listening(`${url}${config.basePath}/graphql`)
  const running = parts.move()
  const stop = async () => {
    isLeaving = true
    heartbeat?.beat()
    await pool[Symbol.asyncDispose]()
    await running.disposeAsync()
  }
  let stopping: Promise<void> | null = null
  return {
    url,
    measure: () => pool.measure(),
    reload: () => {
      pool.reload()
      follower.look()
    },
    [Symbol.asyncDispose]: () => (stopping ??= stop()),
  }
}
