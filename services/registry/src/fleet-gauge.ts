/** How many routers serve what, by the config log: metrics for alerts. */
import { metrics } from '@opentelemetry/api'
import type { ObservableResult } from '@opentelemetry/api'
import { ServedRevision } from '@switchyard/contracts'
import type { Fleet } from './fleet.ts'
import type { PublishedConfigs } from './reading/published-configs.ts'

/** Observes until it is disposed. */
export function observeFleet(fleet: Fleet, configs: PublishedConfigs): Disposable {
  const gauge = metrics
    .getMeter('@switchyard/registry')
    .createObservableGauge('switchyard.registry.routers', {
      description:
        'Living routers, by what they serve: the newest revision of their graph, an older one, one that is not in the log, or none',
    })
  const observe = (result: ObservableResult): void => {
    const counts = new Map<ServedRevision, number>(ServedRevision.options.map((serves) => [serves, 0]))
    for (const router of fleet.list()) {
      if (!router.alive || router.state === 'draining') continue
      const serves = configs.servedBy(router)
      counts.set(serves, (counts.get(serves) ?? 0) + 1)
    }
    for (const [serves, count] of counts) result.observe(count, { serves })
  }
  gauge.addCallback(observe)
  return { [Symbol.dispose]: () => gauge.removeCallback(observe) }
}
