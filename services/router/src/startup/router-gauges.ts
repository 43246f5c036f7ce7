/** Metrics of the present state of a router, and of its caches so far. */
import { type Meter, metrics } from '@opentelemetry/api'
import { observeTogether } from '@switchyard/service-kit'
import { METER } from '../observe/meter.ts'

/** Which configuration is served. */
export type MeasuredRevision = {
  /** `<namespace>/<name>`; `''` for a file that names no graph. Each graph counts its revisions by itself. */
  readonly graph: string
  readonly revision: number
  /** See manifestNumber; null for a file, which has no manifest. */
  readonly manifest: number | null
  /** As of the `Date` format of JSON; null for a file. */
  readonly createdAt: string | null
  /** Number of flags and document manifests that are left out, since their artifacts are damaged. */
  readonly leftOut: { readonly flags: number; readonly documents: number }
}

/** The state of a router that metrics read at any time. */
export type MeasuredState = {
  /** GraphQL requests that are being read, carried out or answered. */
  readonly activeRequests: () => number
  /** Calls of subgraphs that are not over, by subgraph. */
  readonly activeCalls: () => ReadonlyMap<string, number>
  readonly operations: {
    /** Operations, with answers about the schema. */
    readonly entries: number
    readonly plans: number
    /** Approximate bytes of all of them. */
    readonly bytes: number
    readonly lookups: { readonly hits: number; readonly misses: number }
  }
  readonly planning: {
    /** Operations that wait for a planning thread. */
    readonly waiting: number
    readonly lookups: { readonly hits: number; readonly joined: number; readonly misses: number }
  }
  /** Bytes of answers that clients have not read yet. */
  readonly unsentSize: () => number
  /** Bytes of bodies and of subgraphs' answers that requests hold which are not answered. */
  readonly unansweredSize: () => number
  /** Returns the revision that is served; null if nothing is. */
  readonly serving: () => MeasuredRevision | null
}

/** Observes the router until the result is disposed. */
export function observeRouter(state: MeasuredState): Disposable {
  const meter = metrics.getMeter(METER)
  const parts = new DisposableStack()
  parts.use(observeTraffic(meter, state))
  parts.use(observeCaches(meter, state))
  parts.use(observeServing(meter, state))
  return parts
}

function observeTraffic(meter: Meter, state: MeasuredState): Disposable {
  const active = meter.createObservableUpDownCounter('http.server.active_requests', {
    description: 'Requests of clients that are being read, carried out or answered',
  })
  const calls = meter.createObservableUpDownCounter('switchyard.router.active_subgraph_calls', {
    description: 'Calls of subgraphs that are not over for the fetch that began them',
  })
  const unsent = meter.createObservableUpDownCounter('switchyard.router.unsent_size', {
    unit: 'By',
    description: 'Answers that clients have not read yet',
  })
  const unanswered = meter.createObservableUpDownCounter('switchyard.router.unanswered_size', {
    unit: 'By',
    description: 'Bodies and answers of subgraphs that requests hold which are not answered yet',
  })
  return observeTogether(meter, [active, calls, unsent, unanswered], (result) => {
    result.observe(active, state.activeRequests())
    for (const [subgraph, count] of state.activeCalls()) result.observe(calls, count, { subgraph })
    result.observe(unsent, state.unsentSize())
    result.observe(unanswered, state.unansweredSize())
  })
}

function observeCaches(meter: Meter, { operations, planning }: MeasuredState): Disposable {
  const size = meter.createObservableUpDownCounter('switchyard.router.operations_size', {
    unit: 'By',
    description: 'Memory that operations with their plans take, roughly',
  })
  const entries = meter.createObservableUpDownCounter('switchyard.router.operations', {
    description: 'Operations that are remembered, with answers about the schema',
  })
  const plans = meter.createObservableUpDownCounter('switchyard.router.remembered_plans', {
    description: 'Plans that are remembered with their operations',
  })
  const operationLookups = meter.createObservableCounter('switchyard.router.operation_lookups', {
    description: 'How often an operation was looked for, and whether it was known',
  })
  const planLookups = meter.createObservableCounter('switchyard.router.plan_lookups', {
    description: 'How often a plan was looked for, and whether it was known',
  })
  const waiting = meter.createObservableUpDownCounter('switchyard.router.planning_queue', {
    description: 'Operations that wait for a planning thread',
  })
  return observeTogether(meter, [size, entries, plans, operationLookups, planLookups, waiting], (result) => {
    result.observe(size, operations.bytes)
    result.observe(entries, operations.entries)
    result.observe(plans, operations.plans)
    result.observe(operationLookups, operations.lookups.hits, { result: 'hit' })
    result.observe(operationLookups, operations.lookups.misses, { result: 'miss' })
    result.observe(planLookups, planning.lookups.hits, { result: 'hit' })
    result.observe(planLookups, planning.lookups.joined, { result: 'joined' })
    result.observe(planLookups, planning.lookups.misses, { result: 'miss' })
    result.observe(waiting, planning.waiting)
  })
}

function observeServing(meter: Meter, { serving }: MeasuredState): Disposable {
  const revision = meter.createObservableGauge('switchyard.router.revision', {
    description: 'Revision of the configuration that is served; none while nothing is',
  })
  const age = meter.createObservableGauge('switchyard.router.composition_age', {
    unit: 's',
    description: 'Time since the configuration that is served was published; none for a file',
  })
  const leftOut = meter.createObservableGauge('switchyard.router.left_out', {
    description: 'Parts of the configuration that are not served, since they are damaged in the config store',
  })
  const manifest = meter.createObservableGauge('switchyard.router.manifest', {
    description:
      'First 48 bits of the hash of the manifest that is served: the same number, the same configuration; none for a file',
  })
  return observeTogether(meter, [revision, age, manifest, leftOut], (result) => {
    const served = serving()
    if (served === null) return
    for (const [part, count] of Object.entries(served.leftOut)) result.observe(leftOut, count, { part })
    result.observe(revision, served.revision, { graph: served.graph })
    if (served.manifest !== null) result.observe(manifest, served.manifest, { graph: served.graph })
    if (served.createdAt !== null)
      result.observe(age, Math.max(0, Date.now() - Date.parse(served.createdAt)) / 1000)
  })
}
