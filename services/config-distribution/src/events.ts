/**
 * Log lines and metrics of config distribution: one function per event. Event names never change, and ids are
 * fields of the line.
 */
import { metrics } from '@opentelemetry/api'
import type { GraphName } from '@switchyard/contracts'
import { declareCounter, type Logger } from '@switchyard/service-kit'
import { messageOf } from '@switchyard/values'
import type { Revision } from './config-log.ts'

/** The steps that publish a revision, in this order. */
export type PublicationStep = keyof typeof STEPS

const STEPS = {
  commit: 'writing a revision to the log',
  projection: 'copying a revision to the config store',
} as const

/** Returns the functions that log and count the events of config distribution. */
export function createConfigDistributionEvents(logger: Logger) {
  return {
    ...revisionEvents(logger),
    ...projectionEvents(logger),
    ...routerEvents(logger),
    ...upkeepEvents(logger),
  }
}

export const PUBLISHED = declareCounter('switchyard.config_distribution.published', {
  description: 'Revisions of graphs that were published, by what caused them',
  labels: { reason: '' },
})

/** Revisions that are signed and written to the log. */
function revisionEvents(logger: Logger) {
  const meter = metrics.getMeter('@switchyard/config-distribution')
  const published = meter.createCounter(PUBLISHED.name, PUBLISHED.options)
  return {
    revisionPublished(graph: GraphName, { record, manifest }: Revision): void {
      published.add(1, { reason: record.cause.reason })
      logger.info(
        {
          event: 'config.published',
          ...graph,
          epoch: record.epoch,
          revision: record.revision,
          reason: record.cause.reason,
          registrySequence: manifest.registrySequence,
          flags: Object.keys(manifest.featureFlags).length,
          traceparent: record.cause.traceparent,
        },
        `published revision ${record.revision} of ${graph.namespace}/${graph.graph}`,
      )
    },
    signedByAnother(graph: GraphName, { record }: Revision): void {
      logger.warn(
        { event: 'config.signed-by-another-key', ...graph, revision: record.revision },
        'the newest revision was signed with another key (before an import, or before the key was replaced): the same content is signed again',
      )
    },
    epochBegan(graph: GraphName, before: Revision, first: Revision): void {
      const { epoch, revision } = first.record
      logger.warn(
        { event: 'config.epoch-began', ...graph, epoch, revision, reason: first.record.cause.reason },
        `revision ${revision} of ${graph.namespace}/${graph.graph} begins epoch ${epoch}, so that routers take it, whatever they serve; the last one of the log was revision ${before.record.revision} of epoch ${before.record.epoch}`,
      )
    },
    pinUnknown(graph: GraphName, revision: number): void {
      logger.error(
        { event: 'config.pin-unknown', ...graph, revision },
        'the graph is held on a revision that is not in the log: routers keep what they serve now',
      )
    },
  }
}

export const REPAIRS = declareCounter('switchyard.config_distribution.repairs', {
  description: 'Manifests and artifacts of the config store that were written again from the log',
  labels: { how: ['written', 'replaced', 'artifact'] },
})

export const FAILED_ATTEMPTS = declareCounter('switchyard.config_distribution.failed_attempts', {
  description: 'Attempts of a step of a publication that failed; each is tried again',
  labels: { step: ['commit', 'projection'] },
})

/** Steps that are tried again, and a config store that differs from the log. */
function projectionEvents(logger: Logger) {
  const meter = metrics.getMeter('@switchyard/config-distribution')
  const repaired = meter.createCounter(REPAIRS.name, REPAIRS.options)
  const failed = meter.createCounter(FAILED_ATTEMPTS.name, FAILED_ATTEMPTS.options)
  return {
    manifestRepaired(graph: GraphName, { record }: Revision, how: 'written' | 'replaced'): void {
      repaired.add(1, { how })
      logger.warn(
        { event: 'config.projection-repaired', ...graph, revision: record.revision, how },
        how === 'written'
          ? 'the config store had lost the newest manifest: it was written again from the log'
          : 'the config store held a manifest that is not in the log: it was replaced from the log',
      )
    },
    /** Each attempt; the first one of an outage is told as well. */
    attemptCounted(step: PublicationStep): void {
      failed.add(1, { step })
    },
    artifactsRepaired(graph: GraphName, artifacts: readonly string[]): void {
      repaired.add(artifacts.length, { how: 'artifact' })
      logger.warn(
        {
          event: 'config.artifacts-repaired',
          ...graph,
          artifacts: artifacts.slice(0, 20),
          count: artifacts.length,
        },
        `${artifacts.length} artifacts of the config store were missing or damaged: they were written again from the blob store`,
      )
    },
    attemptFailed(graph: GraphName, step: PublicationStep, error: unknown): void {
      logger.warn(
        { event: 'config.attempt-failed', ...graph, step, err: error },
        `${STEPS[step]} failed and is tried again: ${messageOf(error)}`,
      )
    },
  }
}

export const ROUTERS_BEHIND = declareCounter('switchyard.config_distribution.routers_behind', {
  description:
    'Times that a router was found not to get beyond an older revision, or not to serve all of the newest',
})

/** Routers whose heartbeats name another revision than the newest one. */
function routerEvents(logger: Logger) {
  const meter = metrics.getMeter('@switchyard/config-distribution')
  const behind = meter.createCounter(ROUTERS_BEHIND.name, ROUTERS_BEHIND.options)
  return {
    /** Told before the store is written to: whether that succeeds is told by `attemptFailed`. */
    routerBehind(graph: GraphName, instance: string, served: string, committed: string): void {
      behind.add(1)
      logger.warn(
        { event: 'config.router-behind', ...graph, instance, served, committed },
        `router ${instance} still serves ${served}, and the log ends at ${committed}: the config store is compared with the log, and the newest revision is announced again as soon as the store holds it`,
      )
    },
    routerLacksParts(graph: GraphName, instance: string, served: string): void {
      behind.add(1)
      logger.warn(
        { event: 'config.router-lacks-parts', ...graph, instance, served },
        `router ${instance} serves ${served} without what it found damaged in the config store, which is compared with the log`,
      )
    },
    routerAhead(
      graph: GraphName,
      instance: string,
      served: string,
      committed: string,
      believed: boolean,
    ): void {
      const next = believed
        ? 'a new epoch is begun, which routers take'
        : `routers do not sign what they say (SWITCHYARD_FLEET_KEY), so nothing is done about it: "switchyard config republish ${graph.graph} -n ${graph.namespace}" has them take what the log has`
      logger.error(
        { event: 'config.router-ahead', ...graph, instance, served, committed },
        `router ${instance} serves ${served}, which is not in the log; the log ends at ${committed}, so it was restored to an earlier state: ${next}`,
      )
    },
  }
}

/** The logs that are read, and artifacts that nobody uses any more. */
function upkeepEvents(logger: Logger) {
  return {
    logUnavailable(error: unknown): void {
      logger.warn(
        { event: 'config.log-unavailable', err: error },
        `nothing is published until the event log can be reached; routers keep serving: ${messageOf(error)}`,
      )
    },
    readerStopped(error: unknown): void {
      logger.error(
        { event: 'config.reader-stopped', err: error },
        `reading a log stopped for good, and nothing is published until the service is restarted: ${messageOf(error)}`,
      )
    },
    artifactsSwept(graph: GraphName, count: number): void {
      logger.info(
        { event: 'config.artifacts-swept', ...graph, count },
        `removed ${count} artifacts that no revision needs from the config store`,
      )
    },
    sweepFailed(graph: GraphName, error: unknown): void {
      logger.warn(
        { event: 'config.sweep-failed', ...graph, err: error },
        `artifacts that no revision needs could not be removed, which is tried again: ${messageOf(error)}`,
      )
    },
  }
}

export type ConfigDistributionEvents = ReturnType<typeof createConfigDistributionEvents>
