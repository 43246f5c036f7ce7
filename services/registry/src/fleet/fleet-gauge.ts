/** How many routers serve what, and what they should serve, by the config log: metrics for alerts. */
import { metrics } from '@opentelemetry/api'
import { manifestNumber, ServedRevision } from '@switchyard/contracts'
import { declareGauge, observeTogether } from '@switchyard/service-kit'
import type { Fleet } from './fleet.ts'
import type { PublishedConfigs } from '../reading/published-configs.ts'

export const ROUTERS = declareGauge('switchyard.registry.routers', {
  description:
    'Living routers, by what they serve: the newest revision of their graph, an older one, one that is not in the log, or none',
  labels: { serves: ['newest', 'older', 'not-in-log', 'none'] },
})

export const MANIFEST = declareGauge('switchyard.registry.manifest', {
  description: 'First 48 bits of the hash of the newest manifest of a graph, which its routers should serve',
  labels: { graph: ['<namespace>/<name>'] },
})

/** Observes until it is disposed. */
export function observeFleet(fleet: Fleet, configs: PublishedConfigs): Disposable {
  const meter = metrics.getMeter('@switchyard/registry')
  const routers = meter.createObservableGauge(ROUTERS.name, ROUTERS.options)
  const manifest = meter.createObservableGauge(MANIFEST.name, MANIFEST.options)
  return observeTogether(meter, [routers, manifest], (result) => {
    const counts = new Map<ServedRevision, number>(ServedRevision.options.map((serves) => [serves, 0]))
    for (const router of fleet.list()) {
      if (!router.alive || router.state === 'draining') continue
      const serves = configs.servedBy(router)
      counts.set(serves, (counts.get(serves) ?? 0) + 1)
    }
    for (const [serves, count] of counts) result.observe(routers, count, { serves })
    for (const [{ namespace, graph }, { sha256 }] of configs.graphs()) {
      result.observe(manifest, manifestNumber(sha256), { graph: `${namespace}/${graph}` })
    }
  })
}
