/**
 * The registry's parts, put together: folds of three logs, the command writer, and the management API before
 * them.
 */
import { problem, ProblemError, reasonAgainstRecord } from '@switchyard/contracts'
import { type Announcer, type BlobStore, type EventLog, Quarantine } from '@switchyard/event-log'
import {
  BY_VARIABLES,
  Changes,
  type FleetKey,
  healthOf,
  type HealthState,
  type Logger,
  PortUnavailableError,
} from '@switchyard/service-kit'
import { Access } from './keys/access.ts'
import { BlobReferences } from './reading/blob-references.ts'
import { BlobSweep } from './blob-sweep.ts'
import { CommandWriter } from './writing/command-writer.ts'
import { CompositionResults } from './reading/composition-results.ts'
import { NoApiKeyError } from './errors.ts'
import { createEvents } from './events.ts'
import { Fleet } from './fleet.ts'
import type { SeveralGraphs } from './http/api.ts'
import { closeServer } from './http/close-server.ts'
import { createHttpServer } from './http/server.ts'
import { FailedAuthentications } from './keys/failed-authentications.ts'
import { KeyWriter } from './keys/key-writer.ts'
import { LogProbe } from './reading/log-probe.ts'
import { PublishedConfigs } from './reading/published-configs.ts'
import { RecordWriter } from './writing/record-writer.ts'
import { RegistryReader } from './reading/registry-reader.ts'
import { RevisionHistory } from './reading/revision-history.ts'
import { SdlChecker } from './schemas/sdl-checker.ts'
import { Importer } from './transfer/importer.ts'
import { ImportState } from './transfer/import-state.ts'
import { TraceKeyFile } from './trace-keys/trace-key-file.ts'
import { TraceKeys } from './trace-keys/trace-keys.ts'
import { TraceTokens } from './trace-keys/trace-tokens.ts'
import { WriteGate } from './writing/write-gate.ts'

export { NoApiKeyError, RegistryError } from './errors.ts'

export type RegistryOptions = {
  readonly log: EventLog
  readonly blobs: BlobStore
  readonly announcer: Announcer
  readonly logger: Logger
  readonly host: string
  /** 0: the system chooses. */
  readonly port: number
  /** May do everything. Without one, an API key has to be in the log already, else NoApiKeyError. */
  readonly bootstrapApiKey?: string
  /** Absent: no key can be made here, and no trace token signed. */
  readonly traceKeys?: {
    readonly file: string
    /** Whether the first key is made when the first token is asked for. */
    readonly createFirst: boolean
    /** How long a token waits for routers to learn its key; 5 s when it is not given. */
    readonly routersWaitMs?: number
  }
  /** Only heartbeats that are signed with it are believed; without one, all are. */
  readonly fleetKey?: FleetKey
  /** Addresses and networks whose `X-Forwarded-For` says who failed to authenticate. */
  readonly trustedProxies?: readonly string[]
  /** Unix milliseconds, for the times in records and the age of blobs. */
  readonly now?: () => number
  /**
   * Monotonic milliseconds, for the age of heartbeats, how long blobs had no name, and the rate of failed
   * authentications.
   */
  readonly monotonicNow?: () => number
  /** Blobs that no record names are looked for at the start and this often; an hour when it is not given. */
  readonly blobSweepIntervalMs?: number
  /** For a set-up that serves one graph only: see `SeveralGraphs`. */
  readonly severalGraphs?: SeveralGraphs
  /** Ends a start that is still waiting for the log. */
  readonly signal?: AbortSignal
}

export type Registry = AsyncDisposable & {
  readonly url: string
  readonly port: number
  ready(): HealthState
}

const BLOB_SWEEP_INTERVAL_MS = 60 * 60 * 1000

/**
 * Listens at once and is ready when the log was read; without a bootstrap key it reads the log first. The
 * caller disposes log, blobs and announcer afterwards.
 */
export async function startRegistry(options: RegistryOptions): Promise<Registry> {
  const { log: stored, blobs, announcer, logger, host } = options
  const events = createEvents(logger)
  const quarantine = new Quarantine({ log: stored, logger, reasonAgainst: reasonAgainstRecord })
  const { log } = quarantine
  const changes = new Changes()
  /** First waiting for others ends, so that open requests are answered; then everything else. */
  const drain = new AbortController()
  const stop = new AbortController()
  const { signal } = stop
  await using resources = new AsyncDisposableStack()
  const references = new BlobReferences()
  const common = { log, changes, events, references, signal }
  const fold = resources.use(new RegistryReader(common))
  const compositions = resources.use(new CompositionResults(common))
  const configs = resources.use(new PublishedConfigs(common))
  const now = options.now ?? Date.now
  const monotonicNow = options.monotonicNow ?? (() => performance.now())
  const fleet = resources.use(
    new Fleet({ announcer, changes, events, logger, fleetKey: options.fleetKey, now, monotonicNow }),
  )
  const importState = new ImportState(stored, blobs)
  const probe = resources.use(
    new LogProbe(
      log,
      events,
      () => fold.everythingCaughtUp(),
      () => importState.refresh(),
    ),
  )
  resources.use(
    new BlobSweep({
      blobs,
      references,
      events,
      now,
      monotonicNow,
      folds: [fold, compositions, configs],
      intervalMs: options.blobSweepIntervalMs ?? BLOB_SWEEP_INTERVAL_MS,
    }),
  )
  resources.defer(() => stop.abort())

  const ready = (): HealthState => {
    const stopReason = fold.stopReason ?? compositions.stopReason ?? configs.stopReason
    const reason = stopReason ?? probe.problem ?? unreadReason(probe) ?? importState.problem
    const warnings = [quarantine.warning, fleet.warning].filter((warning) => warning !== null)
    return healthOf(reason === null ? [] : [reason], warnings.length === 0 ? null : warnings.join('; '))
  }
  if (options.bootstrapApiKey === undefined) {
    await probe.firstSuccess(options.signal)
    if (fold.system.apiKeys.size === 0) throw new NoApiKeyError()
  }
  const gate = new WriteGate(() => new ProblemError(problem('NOT_READY', 'An import is under way.')))
  const records = new RecordWriter({
    log,
    gate,
    events,
    reaches: (sequence) => fold.reaches(sequence),
    now,
    signal,
  })
  const { file: keyFile, ...tracing } = options.traceKeys ?? { file: null, createFirst: false }
  const traceKeys = new TraceKeys({
    file: keyFile === null ? null : new TraceKeyFile(keyFile),
    writer: records,
    fold,
    events,
    now,
  })
  const access = new Access(options.bootstrapApiKey ?? null)
  const revisions = new RevisionHistory({ log, fold, compositions, configs })
  const importer = new Importer({
    log: stored,
    blobs,
    state: importState,
    gate,
    events,
    caughtUp: async () => {
      await Promise.all([fold, compositions, configs].map((reader) => reader.everythingCaughtUp()))
    },
    signal,
  })
  const app = await createHttpServer({
    access,
    trustedProxies: options.trustedProxies ?? [],
    failedAuthentications: new FailedAuthentications({ monotonicNow }),
    keys: new KeyWriter(records, fold, access),
    traceKeys,
    traceTokens: new TraceTokens({
      ...tracing,
      keys: traceKeys,
      fold,
      configs,
      fleet,
      changes,
      events,
      now,
      signal: drain.signal,
    }),
    fold,
    writer: new CommandWriter(records, fold),
    downstream: { fold, compositions, revisions, fleet, changes, signal: drain.signal },
    revisions,
    log,
    blobs,
    sdl: resources.use(new SdlChecker()),
    events,
    severalGraphs: options.severalGraphs ?? null,
    ready,
    canAnswer: () => probe.hasSucceeded && fold.stopReason === null && importState.problem === null,
    transfer: { source: { log: stored, blobs, now }, importer },
  })
  resources.defer(() => closeServer(app))
  await app.listen({ host, port: options.port }).catch((error: unknown) => {
    const place = { what: 'registry', host, port: options.port, settings: BY_VARIABLES }
    throw new PortUnavailableError(place, error)
  })
  resources.defer(() => drain.abort())
  const address = app.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : options.port
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  events.listening(url)
  const owned = resources.move()
  return { url, port, ready, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

function unreadReason(probe: LogProbe): string | null {
  return probe.hasSucceeded ? null : 'the log is being read'
}
