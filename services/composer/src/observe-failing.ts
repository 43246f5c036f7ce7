/** Metrics about compositions that fail now. */
import { metrics } from '@opentelemetry/api'
import type { GraphName } from '@switchyard/contracts'
import { declareGauge, observeTogether } from '@switchyard/service-kit'

/** A graph, and the flags whose compositions fail now; null stands for base. */
export type FailingGraph = {
  readonly graph: GraphName
  readonly failing: readonly (string | null)[]
}

/** Series with names; the rest is in the sum. */
const MOST_NAMED = 200

export const FAILING_COMPOSITIONS = declareGauge('switchyard.composer.failing_compositions', {
  description: 'Compositions of graphs and feature flags that fail as they are now',
})

export const FAILING = declareGauge('switchyard.composer.failing', {
  description: '1 for each composition that fails as it is now, 200 of them at most; none for the others',
  labels: { graph: ['<namespace>/<name>'], composition: ['base', 'flag'], flag: 'empty for base' },
})

/** Observes failing compositions until it is disposed of. */
export function observeFailing(graphs: () => Iterable<FailingGraph>): Disposable {
  const meter = metrics.getMeter('@switchyard/composer')
  const count = meter.createObservableGauge(FAILING_COMPOSITIONS.name, FAILING_COMPOSITIONS.options)
  const named = meter.createObservableGauge(FAILING.name, FAILING.options)
  return observeTogether(meter, [count, named], (result) => {
    let failing = 0
    for (const { graph, failing: flags } of graphs()) {
      for (const flag of flags) {
        failing += 1
        if (failing > MOST_NAMED) continue
        result.observe(named, 1, {
          graph: `${graph.namespace}/${graph.graph}`,
          composition: flag === null ? 'base' : 'flag',
          flag: flag ?? '',
        })
      }
    }
    result.observe(count, failing)
  })
}
