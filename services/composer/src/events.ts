/** One helper per thing worth knowing: stable event names, ids as fields. */
import type { CompositionRecord, CompositionResult, GraphName } from '@switchyard/contracts'
import { reasonOf } from '@switchyard/service-kit'
import type { Logger } from '@switchyard/service-kit'

export function createEvents(logger: Logger) {
  return {
    passCompleted(graph: GraphName, record: CompositionRecord, milliseconds: number): void {
      const results =
        record.type === 'graph.removed'
          ? []
          : [record.base, ...record.featureFlags.map(({ result }) => result)]
      const count = (status: string) => results.filter((result) => result.status === status).length
      logger.info(
        {
          event: 'composition.completed',
          ...graph,
          registrySequence: record.registrySequence,
          removed: record.type === 'graph.removed',
          composed: count('composed'),
          reused: count('reused'),
          failed: count('failed'),
          /** What had to be worked out: everything else was known, or is the same twice. */
          computed: new Set(results.filter(isNew).map(({ inputHash }) => inputHash)).size,
          milliseconds: Math.round(milliseconds),
          traceparent: record.traceparent,
        },
        record.type === 'graph.removed'
          ? `${graph.namespace}/${graph.graph} was removed`
          : `composed ${graph.namespace}/${graph.graph} at registry sequence ${record.registrySequence}`,
      )
    },
    passDropped(graph: GraphName, registrySequence: number): void {
      logger.debug(
        { event: 'composition.dropped', ...graph, registrySequence },
        'another composer wrote to the graph first',
      )
    },
    passFailed(graph: GraphName, error: unknown): void {
      logger.warn(
        { event: 'composition.attempt-failed', ...graph, err: error },
        `the pass is tried again: ${reasonOf(error)}`,
      )
    },
    takenOver(graph: GraphName): void {
      logger.info(
        { event: 'composition.taken-over', ...graph },
        'the composer whose turn it was did not deliver in time',
      )
    },
    logUnavailable(error: unknown): void {
      logger.warn(
        { event: 'composer.log-unavailable', err: error },
        `waiting for the log: ${reasonOf(error)}`,
      )
    },
    readerStopped(error: unknown): void {
      logger.error({ event: 'composer.reader-stopped', err: error }, reasonOf(error))
    },
  }
}

export type Events = ReturnType<typeof createEvents>

type Computed = Extract<CompositionResult, { status: 'composed' | 'failed' }>

function isNew(result: CompositionResult): result is Computed {
  return result.status === 'composed' || (result.status === 'failed' && !result.unchanged)
}
