/**
 * Log lines and metrics of a composer: one function per event. Event names never change, and ids are fields
 * of the line.
 */
import { metrics } from '@opentelemetry/api'
import { variantsOf } from '@switchyard/contracts'
import type { CompositionRecord, RecordedResult, GraphName } from '@switchyard/contracts'
import { declareCounter, declareHistogram, logEvent, type Logger } from '@switchyard/service-kit'
import { messageOf } from '@switchyard/values'
import type { LaneEvent } from './lanes/composition-lanes.ts'

/** Why a pass ended before its time: a newer command for the graph, or a record of another composer. */
export type Interruption = 'superseded' | 'covered'

/** Buckets for the seconds from a change to the record of its compositions. */
const PASSES = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]

/** Returns the functions that log and count the events of a composer. */
export function createComposerEvents(logger: Logger) {
  return {
    ...passEvents(logger),
    ...interruptionEvents(logger),
    ...readingEvents(logger),
  }
}

export const PASS_DURATION = declareHistogram('switchyard.composer.pass_duration', {
  unit: 's',
  description: 'How long it took to compose a graph with its flags, by the outcome of its base',
  boundaries: PASSES,
  labels: { outcome: ['composed', 'reused', 'failed', 'empty', 'removed'] },
})

export const RESULTS = declareCounter('switchyard.composer.results', {
  description: 'Compositions in the records of passes, by their outcome',
  labels: { status: ['composed', 'reused', 'failed', 'empty'] },
})

const LANE_FIELDS = ['namespace', 'subject', 'thread', 'cpuMilliseconds'] as const

/** The log events of this file. */
export const LOGGED = {
  completed: logEvent('composition.completed', {
    level: 'info',
    fields: [
      'registrySequence',
      'removed',
      'composed',
      'reused',
      'failed',
      'computed',
      'milliseconds',
      'traceparent',
    ],
    says: 'A graph was composed with its flags; `failed` says how many compositions have errors.',
    advice: '`switchyard graph get` shows them',
  }),
  baseRecorded: logEvent('composition.base-recorded', {
    level: 'info',
    fields: ['namespace', 'graph', 'registrySequence', 'pending', 'milliseconds', 'traceparent'],
    says: 'The base of a graph is composed and published, while so many of its flags (`pending`) are still being composed; routers serve these as before.',
  }),
  takenOver: logEvent('composition.taken-over', {
    level: 'info',
    says: 'the composer that was responsible for this graph did not deliver in time: this one composes it',
    advice: 'If it happens again and again: look at that composer',
  }),
  dropped: logEvent('composition.dropped', {
    level: 'info',
    fields: ['registrySequence'],
    rareFields: ['computed'],
    says: 'another composer recorded its result first: this one is discarded',
  }),
  superseded: logEvent('composition.superseded', {
    level: 'info',
    fields: ['registrySequence'],
    says: 'the graph was changed again: compositions that the change made useless are stopped',
  }),
  attemptFailed: logEvent('composition.attempt-failed', {
    level: 'warn',
    fields: ['err'],
    says: 'Composing a graph failed and is tried again.',
    advice: 'Act on the reason. Mostly it is NATS',
  }),
  started: logEvent('composition.started', {
    level: 'debug',
    fields: LANE_FIELDS,
    says: 'A thread began a composition.',
  }),
  moved: logEvent('composition.moved', {
    level: 'info',
    fields: LANE_FIELDS,
    says: 'a composition that was taken for a small one is large: it starts again among the large ones',
  }),
  ended: logEvent('composition.ended', {
    level: 'debug',
    fields: LANE_FIELDS,
    rareFields: ['memory'],
    says: 'A thread ended a composition. `memory` is `warm` where it remembered the graph from an earlier composition, `cold` where it had not composed it before, and `forgotten` where it had to make room for other graphs.',
  }),
  piecesNotStored: logEvent('composition.pieces-not-stored', {
    level: 'warn',
    fields: ['err'],
    says: 'A composition could not be stored in pieces, and is stored as a whole only: routers read and compile all of it.',
    advice:
      'Mostly the composer may not create or write the bucket `switchyard-pieces`: see the permissions in [NATS and Redis](nats-and-redis.md)',
  }),
  wholeNeeded: logEvent('composition.whole-needed', {
    level: 'warn',
    fields: ['routers'],
    says: 'Compositions are stored as a whole as well, although `SWITCHYARD_COMPOSER_ARTIFACT_FORM` is `pieces`: routers live that read no pieces. Told once, until none lives any more.',
    advice: 'Upgrade these routers',
  }),
  logUnavailable: logEvent('composer.log-unavailable', {
    level: 'warn',
    fields: ['err'],
    says: 'The composer cannot reach the log, and composes nothing until it can.',
    advice: 'Look at NATS',
  }),
  readerStopped: logEvent('composer.reader-stopped', {
    level: 'error',
    fields: ['err'],
    says: 'Reading the log stopped for good; the composer is not ready.',
    advice: 'If the log has a record of a newer version, upgrade the composer. Otherwise report it',
  }),
}

/** Passes: each composes one graph with all its feature flags and writes one record. */
function passEvents(logger: Logger) {
  const meter = metrics.getMeter('@switchyard/composer')
  const passes = meter.createHistogram(PASS_DURATION.name, PASS_DURATION.options)
  const results = meter.createCounter(RESULTS.name, RESULTS.options)
  return {
    passCompleted(graph: GraphName, record: CompositionRecord, milliseconds: number): void {
      const composed = resultsOf(record)
      const count = (status: string) => composed.filter((result) => result.status === status).length
      for (const { status } of composed) results.add(1, { status })
      const outcome = record.type === 'graph.removed' ? 'removed' : record.base.status
      passes.record(milliseconds / 1000, { outcome })
      LOGGED.completed.write(
        logger,
        {
          ...graph,
          registrySequence: record.registrySequence,
          removed: record.type === 'graph.removed',
          composed: count('composed'),
          reused: count('reused'),
          failed: count('failed'),
          computed: computedIn(record),
          milliseconds: Math.round(milliseconds),
          traceparent: record.traceparent,
        },
        record.type === 'graph.removed'
          ? `${graph.namespace}/${graph.graph} was removed`
          : `composed ${graph.namespace}/${graph.graph} at registry sequence ${record.registrySequence}`,
      )
    },
    /** The pass goes on: nothing is counted before its flags are composed, too. */
    baseRecorded(
      graph: GraphName,
      { registrySequence, traceparent }: CompositionRecord,
      { pending, milliseconds }: { readonly pending: number; readonly milliseconds: number },
    ): void {
      LOGGED.baseRecorded.write(
        logger,
        { ...graph, registrySequence, pending, milliseconds: Math.round(milliseconds), traceparent },
        `recorded the base of ${graph.namespace}/${graph.graph} at registry sequence ${registrySequence}: ${pending} of its feature flags are still being composed`,
      )
    },
    takenOver(graph: GraphName): void {
      LOGGED.takenOver.write(logger, { ...graph })
    },
  }
}

export const INTERRUPTED_PASSES = declareCounter('switchyard.composer.interrupted_passes', {
  description: 'Passes that ended without a record, by the reason',
  labels: { reason: ['superseded', 'dropped', 'failed'] },
})

/** Passes that end without a record. */
function interruptionEvents(logger: Logger) {
  const meter = metrics.getMeter('@switchyard/composer')
  const interrupted = meter.createCounter(INTERRUPTED_PASSES.name, INTERRUPTED_PASSES.options)
  return {
    /** Several composers may do the same work, which only costs time; this counts how often it happens. */
    passDropped(graph: GraphName, record: CompositionRecord): void {
      interrupted.add(1, { reason: 'dropped' })
      const { registrySequence } = record
      LOGGED.dropped.write(logger, { ...graph, registrySequence, computed: computedIn(record) })
    },
    passInterrupted(graph: GraphName, registrySequence: number, by: Interruption): void {
      interrupted.add(1, { reason: by === 'superseded' ? by : 'dropped' })
      const event = by === 'superseded' ? LOGGED.superseded : LOGGED.dropped
      event.write(logger, { ...graph, registrySequence })
    },
    passFailed(graph: GraphName, error: unknown): void {
      interrupted.add(1, { reason: 'failed' })
      LOGGED.attemptFailed.write(
        logger,
        { ...graph, err: error },
        `composing the graph failed and is tried again: ${messageOf(error)}`,
      )
    },
  }
}

export const COMPUTING_TIME = declareCounter('switchyard.composer.computing_time', {
  unit: 's',
  description: 'Computing time of the threads that compose, by the thread and how the work ended',
  labels: { thread: ['small', 'common'], ended: ['ended', 'moved'] },
})

/** The threads that compute, and the logs that are read. */
function readingEvents(logger: Logger) {
  const meter = metrics.getMeter('@switchyard/composer')
  const threads = meter.createCounter(COMPUTING_TIME.name, COMPUTING_TIME.options)
  return {
    /**
     * Logs the work of the threads, and which namespaces send large compositions to the lane for small ones.
     */
    ofLane({ kind, thread, namespace, subject, cpuMs, memory }: LaneEvent): void {
      if (kind !== 'started') threads.add(cpuMs / 1000, { thread, ended: kind })
      const fields = {
        namespace,
        subject,
        thread,
        cpuMilliseconds: Math.round(cpuMs),
        ...(memory === null ? {} : { memory }),
      }
      if (kind === 'moved') LOGGED.moved.write(logger, fields)
      else (kind === 'started' ? LOGGED.started : LOGGED.ended).write(logger, fields, `a composition ${kind}`)
    },
    piecesNotStored(error: unknown): void {
      LOGGED.piecesNotStored.write(
        logger,
        { err: error },
        `a composition is stored as a whole only, and not in pieces: ${messageOf(error)}`,
      )
    },
    wholeNeeded(routers: readonly string[]): void {
      LOGGED.wholeNeeded.write(
        logger,
        { routers },
        `compositions are stored as a whole as well, since these routers read no pieces: ${routers.join(', ')}`,
      )
    },
    logUnavailable(error: unknown): void {
      LOGGED.logUnavailable.write(
        logger,
        { err: error },
        `nothing is composed until the event log can be reached: ${messageOf(error)}`,
      )
    },
    readerStopped(error: unknown): void {
      LOGGED.readerStopped.write(
        logger,
        { err: error },
        `reading a log stopped for good, and nothing is composed until the composer is restarted: ${messageOf(error)}`,
      )
    },
  }
}

export type ComposerEvents = ReturnType<typeof createComposerEvents>

function resultsOf(record: CompositionRecord): readonly RecordedResult[] {
  return record.type === 'graph.removed'
    ? []
    : [record.base, ...variantsOf(record).map(({ result }) => result)]
}

/** How many compositions had to be computed. The others were known before, or occur twice. */
function computedIn(record: CompositionRecord): number {
  return new Set(
    resultsOf(record)
      .filter(isNew)
      .map(({ inputHash }) => inputHash),
  ).size
}

type Computed = Extract<RecordedResult, { status: 'composed' | 'failed' }>

function isNew(result: RecordedResult): result is Computed {
  return result.status === 'composed' || (result.status === 'failed' && !result.unchanged)
}
