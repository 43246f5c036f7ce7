/**
 * The parts of a registry that take in what happens: folds of the three logs, the list of routers, the probe
 * of the storage, and the sweeps that remove blobs and pieces of artifacts that nothing refers to.
 */
import { type GraphName, reasonAgainstRecord, type RouterHeartbeat } from '@switchyard/contracts'
import { guardedRamp } from '@switchyard/domain'
import { Quarantine } from '@switchyard/event-log'
import { Changes, healthOf, type HealthState } from '@switchyard/service-kit'
import { createRegistryEvents } from './events.ts'
import { Fleet } from './fleet/fleet.ts'
import { observeFleet } from './fleet/fleet-gauge.ts'
import { LiveHub } from './live/live-hub.ts'
import { BlobReferences } from './reading/blob-references.ts'
import { HeardDifferences } from './fleet/heard-differences.ts'
import { HeardFigures } from './fleet/heard-figures.ts'
import { HeardServices } from './fleet/heard-services.ts'
import { CompositionResults } from './reading/composition-results.ts'
import { LogProbe } from './reading/log-probe.ts'
import { PublishedConfigs } from './reading/published-configs.ts'
import { RegistryReader } from './reading/registry-reader.ts'
import type { RegistryOptions } from './registry-options.ts'
import { BlobSweep } from './sweep/blob-sweep.ts'
import { PieceSweep } from './sweep/piece-sweep.ts'
import { SweepLoop } from './sweep/sweep-loop.ts'
import { ImportState } from './transfer/import-state.ts'
import { openUsage } from './usage/open-usage.ts'

const BLOB_SWEEP_INTERVAL_MS = 60 * 60 * 1000

export type Readers = ReturnType<typeof openReaders>

/** Starts to read at once. Everything is disposed with `resources`. */
export function openReaders(options: RegistryOptions, resources: AsyncDisposableStack) {
  const { log: stored, blobs, pieces, announcer, logger, fleetKey } = options
  const { now = Date.now, monotonicNow = () => performance.now() } = options
  const clocks = { now, monotonicNow }
  const events = createRegistryEvents(logger)
  const quarantine = new Quarantine({ log: stored, logger, reasonAgainst: reasonAgainstRecord })
  const { log } = quarantine
  const changes = new Changes()
  const stop = new AbortController()
  const references = new BlobReferences()
  const news: LiveHub = resources.use(
    new LiveHub({ sources: () => ({ fold, fleet, services }), tickMs: options.liveTickMs }),
  )
  const common = { log, changes, events, references, signal: stop.signal, news }
  const fold: RegistryReader = resources.use(new RegistryReader(common))
  const compositions = resources.use(new CompositionResults(common))
  const configs = resources.use(new PublishedConfigs(common))
  const folds = [fold, compositions, configs]
  const importState = new ImportState(stored, blobs)
  const caughtUp = () => fold.everythingCaughtUp()
  const probe = resources.use(new LogProbe(log, events, caughtUp, () => importState.refresh()))
  const isGraph = ({ namespace, graph }: GraphName) =>
    probe.hasSucceeded ? fold.state(namespace).graphs.has(graph) : null
  const hearing = { announcer, logger, fleetKey, ...clocks }
  const usage = openUsage({ ...hearing, usage: options.usage, blobs, pieces, isGraph }, resources)
  const onHeartbeat = (heartbeat: RouterHeartbeat) => usage?.heard.hearAlive(heartbeat)
  const onChanged = () => news.fleetChanged()
  const fleet: Fleet = resources.use(new Fleet({ ...hearing, changes, events, onHeartbeat, onChanged }))
  const services: HeardServices = resources.use(new HeardServices({ announcer, onChanged, monotonicNow }))
  resources.use(observeFleet(fleet, configs))
  const differences = resources.use(new HeardDifferences({ announcer, fleetKey, ...clocks }))
  const figures = resources.use(
    new HeardFigures({
      subscribe: (subject, handler) => announcer.subscribe(subject, handler),
      stepOf: (namespace, rollout) => guardedRamp(fold.state(namespace), rollout),
      fleetKey,
      logger,
      ...clocks,
    }),
  )
  startSweeps(options, { references, events, folds, ...clocks }, resources)
  resources.defer(() => stop.abort())
  return {
    ...common,
    ...clocks,
    quarantine,
    fold,
    compositions,
    configs,
    folds,
    fleet,
    services,
    differences,
    figures,
    importState,
    probe,
    usage,
    live: news,
  }
}

/** Removes blobs and pieces that nothing refers to, at the start and now and then. */
function startSweeps(
  { blobs, pieces, blobSweepIntervalMs: intervalMs = BLOB_SWEEP_INTERVAL_MS }: RegistryOptions,
  sweeping: ConstructorParameters<typeof BlobSweep>[1],
  resources: AsyncDisposableStack,
): void {
  for (const sweep of [new BlobSweep(blobs, sweeping), new PieceSweep(pieces, sweeping)])
    resources.use(new SweepLoop(sweep, sweeping.events, intervalMs))
}

/** Ready when the log was read once, can be reached now, and holds no half import. */
export function readiness({ folds, probe, importState, ...heard }: Readers): HealthState {
  const stopped = folds.map(({ stopReason }) => stopReason).find((reason) => reason !== null)
  const unread = probe.hasSucceeded ? null : 'the log is being read'
  const reason = stopped ?? probe.problem ?? unread ?? importState.problem
  const { quarantine, fleet, figures, usage } = heard
  const all = [quarantine.warning, fleet.warning, figures.warning, usage?.heard.warning ?? null]
  const warnings = all.filter((one) => one !== null)
  return healthOf(reason === null ? [] : [reason], warnings.length === 0 ? null : warnings.join('; '))
}
