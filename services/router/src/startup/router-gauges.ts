/** Metrics of the present state of a router, and of its caches so far. */
import { type Meter, metrics } from '@opentelemetry/api'
import { declareCounter, declareGauge, observeTogether } from '@switchyard/service-kit'
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

export const SERVER_ACTIVE_REQUESTS = declareGauge('http.server.active_requests', {
  description: 'Requests of clients that are being read, carried out or answered',
})

export const ACTIVE_SUBGRAPH_CALLS = declareGauge('switchyard.router.active_subgraph_calls', {
  description: 'Calls of subgraphs that are not over for the fetch that began them',
  labels: { subgraph: '' },
})

export const UNSENT_SIZE = declareGauge('switchyard.router.unsent_size', {
  unit: 'By',
  description: 'Answers that clients have not read yet',
})

export const UNANSWERED_SIZE = declareGauge('switchyard.router.unanswered_size', {
  unit: 'By',
  description: 'Bodies and answers of subgraphs that requests hold which are not answered yet',
})

function observeTraffic(meter: Meter, state: MeasuredState): Disposable {
  const active = meter.createObservableUpDownCounter(
    SERVER_ACTIVE_REQUESTS.name,
    SERVER_ACTIVE_REQUESTS.options,
  )
  const calls = meter.createObservableUpDownCounter(ACTIVE_SUBGRAPH_CALLS.name, ACTIVE_SUBGRAPH_CALLS.options)
  const unsent = meter.createObservableUpDownCounter(UNSENT_SIZE.name, UNSENT_SIZE.options)
  const unanswered = meter.createObservableUpDownCounter(UNANSWERED_SIZE.name, UNANSWERED_SIZE.options)
  return observeTogether(meter, [active, calls, unsent, unanswered], (result) => {
    result.observe(active, state.activeRequests())
    for (const [subgraph, count] of state.activeCalls()) result.observe(calls, count, { subgraph })
    result.observe(unsent, state.unsentSize())
    result.observe(unanswered, state.unansweredSize())
  })
}

export const OPERATIONS_SIZE = declareGauge('switchyard.router.operations_size', {
  unit: 'By',
  description: 'Memory that operations with their plans take, roughly',
})

export const OPERATIONS = declareGauge('switchyard.router.operations', {
  description: 'Operations that are remembered, with answers about the schema',
})

export const REMEMBERED_PLANS = declareGauge('switchyard.router.remembered_plans', {
  description: 'Plans that are remembered with their operations',
})

export const OPERATION_LOOKUPS = declareCounter('switchyard.router.operation_lookups', {
  description: 'How often an operation was looked for, and whether it was known',
  labels: { result: ['hit', 'miss'] },
})

export const PLAN_LOOKUPS = declareCounter('switchyard.router.plan_lookups', {
  description: 'How often a plan was looked for, and whether it was known',
  labels: { result: ['hit', 'joined', 'miss'] },
})

export const PLANNING_QUEUE = declareGauge('switchyard.router.planning_queue', {
  description: 'Operations that wait for a planning thread',
})

function observeCaches(meter: Meter, { operations, planning }: MeasuredState): Disposable {
  const size = meter.createObservableUpDownCounter(OPERATIONS_SIZE.name, OPERATIONS_SIZE.options)
  const entries = meter.createObservableUpDownCounter(OPERATIONS.name, OPERATIONS.options)
  const plans = meter.createObservableUpDownCounter(REMEMBERED_PLANS.name, REMEMBERED_PLANS.options)
  const operationLookups = meter.createObservableCounter(OPERATION_LOOKUPS.name, OPERATION_LOOKUPS.options)
  const planLookups = meter.createObservableCounter(PLAN_LOOKUPS.name, PLAN_LOOKUPS.options)
  const waiting = meter.createObservableUpDownCounter(PLANNING_QUEUE.name, PLANNING_QUEUE.options)
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

const GRAPH = '`<namespace>/<name>`, empty for a file that names none'

export const REVISION = declareGauge('switchyard.router.revision', {
  description:
    'Revision of the configuration that is served, of which each graph counts its own; none while nothing is',
  labels: { graph: GRAPH },
})

export const COMPOSITION_AGE = declareGauge('switchyard.router.composition_age', {
  unit: 's',
  description: 'Time since the configuration that is served was published; none for a file',
})

export const LEFT_OUT = declareGauge('switchyard.router.left_out', {
  description: 'Parts of the configuration that are not served, since they are damaged in the config store',
  labels: { part: ['flags', 'documents'] },
})

export const MANIFEST = declareGauge('switchyard.router.manifest', {
  description:
    'First 48 bits of the hash of the manifest that is served: the same number, the same configuration; none for a file',
  labels: { graph: GRAPH },
})

function observeServing(meter: Meter, { serving }: MeasuredState): Disposable {
  const revision = meter.createObservableGauge(REVISION.name, REVISION.options)
  const age = meter.createObservableGauge(COMPOSITION_AGE.name, COMPOSITION_AGE.options)
  const leftOut = meter.createObservableGauge(LEFT_OUT.name, LEFT_OUT.options)
  const manifest = meter.createObservableGauge(MANIFEST.name, MANIFEST.options)
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
