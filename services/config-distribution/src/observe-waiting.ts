/** Metrics about revisions that wait to be published. */
import { metrics } from '@opentelemetry/api'
import { declareGauge, observeTogether } from '@switchyard/service-kit'
import type { PublicationStep } from './observe/events.ts'
import type { GraphDistributor } from './graph-distributor.ts'

export const WAITING = declareGauge('switchyard.config_distribution.waiting', {
  description: 'Graphs for which something waits to be published, by the step that is next',
  labels: { step: ['commit', 'projection'] },
})

export const WAITING_AGE = declareGauge('switchyard.config_distribution.waiting_age', {
  unit: 's',
  description: 'How long the oldest of what waits to be published has waited; 0 while nothing waits',
  labels: { step: ['commit', 'projection'] },
})

/** Observes the waiting graphs until it is disposed of. */
export function observeWaiting(graphs: () => Iterable<Pick<GraphDistributor, 'waiting'>>): Disposable {
  const meter = metrics.getMeter('@switchyard/config-distribution')
  const count = meter.createObservableGauge(WAITING.name, WAITING.options)
  const age = meter.createObservableGauge(WAITING_AGE.name, WAITING_AGE.options)
  return observeTogether(meter, [count, age], (result) => {
    const waiting: Record<PublicationStep, number[]> = { commit: [], projection: [] }
    for (const graph of graphs()) {
      if (graph.waiting !== null) waiting[graph.waiting.step].push(graph.waiting.milliseconds)
    }
    for (const [step, ages] of Object.entries(waiting)) {
      result.observe(count, ages.length, { step })
      result.observe(age, ages.reduce((oldest, one) => Math.max(oldest, one), 0) / 1000, { step })
    }
  })
}
