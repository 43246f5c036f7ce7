/** Counts what operations cost, and which would cost more than they may. */
import {
  createCheapCounter,
  createCheapHistogram,
  declareCounter,
  declareHistogram,
} from '@switchyard/service-kit'
import { METER } from '../../observe/meter.ts'
import type { RequestObserver } from '../../observe/request-observer.ts'
import type { RequestSummary } from '../../observe/request-summary.ts'

const BOUNDARIES = [0, 1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000, 1_000_000]

export const OPERATION_COST = declareHistogram('switchyard.router.operation_cost', {
  description:
    'What operations were expected to cost, and what their answers have cost, as far as they were sent',
  boundaries: BOUNDARIES,
  labels: { kind: ['estimated', 'actual'] },
})

export const COSTS_EXCEEDED = declareCounter('switchyard.router.costs_exceeded', {
  description: 'Operations whose estimated cost is higher than a limit, by whose limit it is',
  labels: { limit: ['operation', 'client', 'subgraph'] },
})

/** Records costs. Must be added only if costs are measured. */
export class CostMetrics implements RequestObserver {
  readonly #estimated
  readonly #actual
  readonly #exceeded = createCheapCounter(METER, COSTS_EXCEEDED)

  constructor() {
    const costs = createCheapHistogram(METER, OPERATION_COST)
    this.#estimated = costs.of('estimated')
    this.#actual = costs.of('actual')
  }

  ended({ cost }: RequestSummary): void {
    if (cost === null) return
    this.#estimated.record(cost.estimated)
    if (cost.actual !== null) this.#actual.record(cost.actual)
    if (cost.exceeded !== null) this.#exceeded.of(cost.exceeded).record(1)
  }
}
