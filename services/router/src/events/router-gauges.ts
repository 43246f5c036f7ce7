/** What a router has at the moment, for whoever reads its metrics. */
import { type BatchObservableResult, metrics } from '@opentelemetry/api'

export type RouterState = {
  /** GraphQL requests that are being read, carried out or answered. */
  readonly activeRequests: () => number
  /** Bytes of operations with their plans, roughly. */
  readonly operationsSize: () => number
  /** Bytes of answers that clients have not read yet. */
  readonly unsentSize: () => number
  /** Bytes of bodies and of subgraphs' answers that requests hold which are not answered. */
  readonly unansweredSize: () => number
  /** Null: nothing is served. */
  readonly revision: () => number | null
}

/** Until it is disposed of. */
export function observeRouter(state: RouterState): Disposable {
  const meter = metrics.getMeter('@switchyard/router')
  const active = meter.createObservableUpDownCounter('http.server.active_requests', {
    description: 'Requests of clients that are being read, carried out or answered',
  })
  const operations = meter.createObservableUpDownCounter('switchyard.router.operations_size', {
    unit: 'By',
    description: 'Memory that operations with their plans take, roughly',
  })
  const unsent = meter.createObservableUpDownCounter('switchyard.router.unsent_size', {
    unit: 'By',
    description: 'Answers that clients have not read yet',
  })
  const unanswered = meter.createObservableUpDownCounter('switchyard.router.unanswered_size', {
    unit: 'By',
    description: 'Bodies and answers of subgraphs that requests hold which are not answered yet',
  })
  const revision = meter.createObservableGauge('switchyard.router.revision', {
    description: 'Revision of the configuration that is served; none while nothing is',
  })
  const instruments = [active, operations, unsent, unanswered, revision]
  const observe = (result: BatchObservableResult): void => {
    result.observe(active, state.activeRequests())
    result.observe(operations, state.operationsSize())
    result.observe(unsent, state.unsentSize())
    result.observe(unanswered, state.unansweredSize())
    const served = state.revision()
    if (served !== null) result.observe(revision, served)
  }
  meter.addBatchObservableCallback(observe, instruments)
  return { [Symbol.dispose]: () => meter.removeBatchObservableCallback(observe, instruments) }
}
