/**
 * Notices routers that stay on an older revision although the newest one was stored and announced. Usually
 * the store lost or damaged something, or somebody put an old manifest back; writing the revision again
 * repairs both.
 *
 * A router that serves the newest revision without what is damaged of it counts as one that is behind.
 *
 * Notices routers, too, that serve what the log does not have and would not take what it has: the log was
 * restored to an earlier state.
 */
import { isManifestOf } from '@switchyard/contracts'
import type { GraphName, RouterHeartbeat } from '@switchyard/contracts'
import { compareVersions } from '@switchyard/config-store'
import type { ManifestVersion } from '@switchyard/config-store'
import type { Announcer } from '@switchyard/event-log'
import { type FleetKey, Heard, hearRouters, type Logger, type RoutersHeard } from '@switchyard/service-kit'
import type { ConfigDistributionEvents } from './observe/events.ts'
import type { RampController } from './ramps/ramp-controller.ts'
import type { GraphDistributor } from './graph-distributor.ts'

type RouterProgress = {
  readonly behindSince: number | null
  /** Heartbeats in a row that named a newer revision than this instance had read from the log. */
  readonly ahead: number
}

export type RouterWatchOptions = {
  readonly announcer: Announcer
  readonly logger: Logger
  /** If absent, heartbeats are not signed and prove nothing. */
  readonly fleetKey?: FleetKey | undefined
  readonly events: ConfigDistributionEvents
  /** Told of every heartbeat as well. */
  readonly ramps: Pick<RampController, 'heartbeat'>
  readonly find: (graph: GraphName) => GraphDistributor | undefined
  /** Milliseconds that a router may be behind before its revision is written and announced again. */
  readonly behindForMs: number
}

export function watchRouters(options: RouterWatchOptions): RoutersHeard {
  const { announcer, logger, fleetKey, events, find, behindForMs } = options
  const sightings = new Heard<RouterProgress>()
  const onHeartbeat = (heartbeat: RouterHeartbeat): void => {
    const { instance, boot, namespace, graph: name, epoch, revision, state } = heartbeat
    const graph = { namespace, graph: name }
    options.ramps.heartbeat(heartbeat)
    const distributor = find(graph)
    distributor?.routers.heard(heartbeat)
    const last = distributor?.last ?? null
    if (distributor === undefined || last === null) return
    const committed = last.record
    const key = JSON.stringify([namespace, name, instance, boot])
    const now = performance.now()
    const servesLast = isManifestOf(last.identity, heartbeat)
    const isWhole = servesLast && heartbeat.leftOut === undefined
    if (state === 'stopped' || state === 'draining' || isWhole) {
      sightings.forget(key)
      return
    }
    if (!servesLast && compareVersions({ epoch, revision }, committed) >= 0) {
      // Another instance may have committed that revision: the log is read again, and only then believed.
      const ahead = (sightings.get(key)?.ahead ?? 0) + 1
      sightings.hear(key, { behindSince: null, ahead })
      if (ahead === 1) return distributor.repair()
      const believed = fleetKey !== undefined
      if (ahead === 2)
        events.routerAhead(graph, instance, shown({ epoch, revision }), shown(committed), believed)
      return distributor.heardAhead(heartbeat, believed)
    }
    // Routers of a deleted graph keep what they serve, so they are behind on purpose.
    if (last.manifest.base === null) return
    const behindSince = sightings.get(key)?.behindSince ?? now
    const isDue = now - behindSince >= behindForMs
    if (isDue) {
      if (servesLast) events.routerLacksParts(graph, instance, shown(committed))
      else events.routerBehind(graph, instance, shown({ epoch, revision }), shown(committed))
      distributor.repair(true)
    }
    sightings.hear(key, { behindSince: isDue ? now : behindSince, ahead: 0 })
  }
  return hearRouters({
    subscribe: (subject, handler) => announcer.subscribe(subject, handler),
    fleetKey,
    logger,
    onHeartbeat,
  })
}

function shown({ epoch, revision }: ManifestVersion): string {
  return `revision ${revision} of epoch ${epoch}`
}
