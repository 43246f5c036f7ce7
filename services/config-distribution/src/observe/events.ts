/**
 * Log lines and metrics of config distribution: one function per event. Event names never change, and ids are
 * fields of the line.
 */
import { metrics } from '@opentelemetry/api'
import type { GraphName } from '@switchyard/contracts'
import { declareCounter, logEvent, type Logger } from '@switchyard/service-kit'
import { messageOf } from '@switchyard/values'
import type { Revision } from '../log/config-log.ts'

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

/** The log events of this file. */
export const LOGGED = {
  published: logEvent('config.published', {
    level: 'info',
    fields: ['epoch', 'revision', 'reason', 'registrySequence', 'flags', 'traceparent'],
    says: 'A revision was written to the log, and is published.',
  }),
  signedByAnotherKey: logEvent('config.signed-by-another-key', {
    level: 'warn',
    fields: ['revision'],
    says: 'the newest revision was signed with another key (before an import, or before the key was replaced): the same content is signed again',
    advice: 'Nothing after an import or a change of keys. Routers must know the new key',
  }),
  epochBegan: logEvent('config.epoch-began', {
    level: 'warn',
    fields: ['epoch', 'revision', 'reason'],
    says: 'The log was imported or set back, or somebody asked for it: the content is published once more, in an epoch that is newer than what any router has.',
    advice: 'Nothing, if you restored something; otherwise find out what set the log back',
  }),
  pinUnknown: logEvent('config.pin-unknown', {
    level: 'error',
    fields: ['revision'],
    says: 'the graph is held on a revision that is not in the log: routers keep what they serve now',
    advice: '`switchyard config history`, then `rollback` or `release`',
  }),
  projectionRepaired: logEvent('config.projection-repaired', {
    level: 'warn',
    fields: ['revision', 'how'],
    says: 'The config store had lost the newest manifest, or had one that is not in the log. The manifest was written again from the log.',
    advice: 'Nothing if it happens once, after Redis was lost. Otherwise find out who writes to the store',
  }),
  artifactsRepaired: logEvent('config.artifacts-repaired', {
    level: 'warn',
    fields: ['artifacts', 'count'],
    says: 'Artifacts of the config store, or pieces of them, were missing or damaged; they were written again. Looked for every 25 s, and by their bytes every ten minutes.',
    advice:
      'Once after Redis was lost: nothing. Otherwise find out who writes to the store, and look at its memory',
  }),
  piecesLeftOut: logEvent('config.pieces-left-out', {
    level: 'warn',
    fields: ['err'],
    rareFields: ['pieces', 'count'],
    says: 'Artifacts cannot be put into the config store in pieces: a list of chunks, or a chunk, is missing or damaged, or a store cannot be used. Routers read these artifacts as a whole, which takes them longer. It is tried again every 25 s.',
    advice:
      'Look at `err`. If the bucket `switchyard-pieces` was lost: nothing, the next compositions bring pieces again',
  }),
  attemptFailed: logEvent('config.attempt-failed', {
    level: 'warn',
    fields: ['step', 'err'],
    says: 'A step of a publication failed and is tried again.',
    advice: 'Look at NATS if `step` is `commit`, and at Redis if it is `projection`',
  }),
  routerBehind: logEvent('config.router-behind', {
    level: 'warn',
    fields: ['instance', 'served', 'committed'],
    says: 'A router still serves an older revision than the log has (`committed`). Config store and log are compared, and the newest revision is announced again; `config.attempt-failed` follows if the store cannot be written.',
    advice: "Look at that router's `config.rejected`",
  }),
  routerLacksParts: logEvent('config.router-lacks-parts', {
    level: 'warn',
    fields: ['instance', 'served'],
    says: 'A router has said for 30 s that it serves the newest revision without what it found damaged in the config store. Its artifacts are compared with the log, and written again.',
    advice: "Look at that router's `config.damaged`; find out who else writes to the store",
  }),
  routerAhead: logEvent('config.router-ahead', {
    level: 'error',
    fields: ['instance', 'served', 'committed'],
    says: 'A router serves a revision that is not in the log.',
    advice:
      'The log was restored to an earlier state. With a fleet key nothing: a new epoch begins. Without one: `switchyard config republish <graph>`',
  }),
  logUnavailable: logEvent('config.log-unavailable', {
    level: 'warn',
    fields: ['err'],
    says: 'Config-distribution cannot reach the log, and publishes nothing until it can. Routers keep serving.',
    advice: 'Look at NATS',
  }),
  readerStopped: logEvent('config.reader-stopped', {
    level: 'error',
    fields: ['err'],
    says: 'Reading a log stopped for good; the service is not ready.',
    advice: 'If the log has a record of a newer version, upgrade config-distribution. Otherwise report it',
  }),
  artifactsSwept: logEvent('config.artifacts-swept', {
    level: 'info',
    fields: ['count'],
    says: 'Artifacts that no revision needs, or pieces of them, were removed from the config store.',
  }),
  sweepFailed: logEvent('config.sweep-failed', {
    level: 'warn',
    fields: ['err'],
    says: 'Artifacts that no revision needs, or pieces of them, could not be removed from the config store. It is tried again.',
    advice: 'Look at Redis, and at `err`: pieces stay as long as a list of recent revisions cannot be read',
  }),
}

/** Revisions that are signed and written to the log. */
function revisionEvents(logger: Logger) {
  const meter = metrics.getMeter('@switchyard/config-distribution')
  const published = meter.createCounter(PUBLISHED.name, PUBLISHED.options)
  return {
    revisionPublished(graph: GraphName, { record, manifest }: Revision): void {
      published.add(1, { reason: record.cause.reason })
      LOGGED.published.write(
        logger,
        {
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
      LOGGED.signedByAnotherKey.write(logger, { ...graph, revision: record.revision })
    },
    epochBegan(graph: GraphName, before: Revision, first: Revision): void {
      const { epoch, revision } = first.record
      LOGGED.epochBegan.write(
        logger,
        { ...graph, epoch, revision, reason: first.record.cause.reason },
        `revision ${revision} of ${graph.namespace}/${graph.graph} begins epoch ${epoch}, so that routers take it, whatever they serve; the last one of the log was revision ${before.record.revision} of epoch ${before.record.epoch}`,
      )
    },
    pinUnknown(graph: GraphName, revision: number): void {
      LOGGED.pinUnknown.write(logger, { ...graph, revision })
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
      LOGGED.projectionRepaired.write(
        logger,
        { ...graph, revision: record.revision, how },
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
      LOGGED.artifactsRepaired.write(
        logger,
        { ...graph, artifacts: artifacts.slice(0, 20), count: artifacts.length },
        `${artifacts.length} artifacts of the config store were missing or damaged: they were written again from the blob store`,
      )
    },
    /** `pieces` are hashes of lists and chunks. */
    piecesRepaired(graph: GraphName, pieces: readonly string[]): void {
      repaired.add(pieces.length, { how: 'artifact' })
      LOGGED.artifactsRepaired.write(
        logger,
        { ...graph, artifacts: pieces.slice(0, 20), count: pieces.length },
        `${pieces.length} pieces of artifacts of the config store were missing or damaged: they were written again from the blob store`,
      )
    },
    /** `lists` are their hashes; none where it is not about single ones. */
    piecesLeftOut(graph: GraphName, lists: readonly string[], error: unknown): void {
      const about = lists.length === 0 ? {} : { pieces: lists.slice(0, 20), count: lists.length }
      LOGGED.piecesLeftOut.write(
        logger,
        { ...graph, ...about, err: error },
        `artifacts cannot be put into the config store in pieces, so that routers read them as a whole: ${messageOf(error)}`,
      )
    },
    attemptFailed(graph: GraphName, step: PublicationStep, error: unknown): void {
      LOGGED.attemptFailed.write(
        logger,
        { ...graph, step, err: error },
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
      LOGGED.routerBehind.write(
        logger,
        { ...graph, instance, served, committed },
        `router ${instance} still serves ${served}, and the log ends at ${committed}: the config store is compared with the log, and the newest revision is announced again as soon as the store holds it`,
      )
    },
    routerLacksParts(graph: GraphName, instance: string, served: string): void {
      behind.add(1)
      LOGGED.routerLacksParts.write(
        logger,
        { ...graph, instance, served },
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
      LOGGED.routerAhead.write(
        logger,
        { ...graph, instance, served, committed },
        `router ${instance} serves ${served}, which is not in the log; the log ends at ${committed}, so it was restored to an earlier state: ${next}`,
      )
    },
  }
}

/** The logs that are read, and artifacts that nobody uses any more. */
function upkeepEvents(logger: Logger) {
  return {
    logUnavailable(error: unknown): void {
      LOGGED.logUnavailable.write(
        logger,
        { err: error },
        `nothing is published until the event log can be reached; routers keep serving: ${messageOf(error)}`,
      )
    },
    readerStopped(error: unknown): void {
      LOGGED.readerStopped.write(
        logger,
        { err: error },
        `reading a log stopped for good, and nothing is published until the service is restarted: ${messageOf(error)}`,
      )
    },
    artifactsSwept(graph: GraphName, count: number): void {
      LOGGED.artifactsSwept.write(
        logger,
        { ...graph, count },
        `removed ${count} artifacts that no revision needs from the config store`,
      )
    },
    piecesSwept(graph: GraphName, count: number): void {
      LOGGED.artifactsSwept.write(
        logger,
        { ...graph, count },
        `removed ${count} pieces of artifacts that no revision needs from the config store`,
      )
    },
    sweepFailed(graph: GraphName, what: 'artifacts' | 'pieces of artifacts', error: unknown): void {
      LOGGED.sweepFailed.write(
        logger,
        { ...graph, err: error },
        `${what} that no revision needs could not be removed, which is tried again: ${messageOf(error)}`,
      )
    },
  }
}

export type ConfigDistributionEvents = ReturnType<typeof createConfigDistributionEvents>
