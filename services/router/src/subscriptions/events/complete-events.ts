/** Completes the events of one subscription on one composition, by what other subgraphs add to them. */
import {
  executeEvent,
  type ExecuteOptions,
  type ExecutionResult,
  ExecutionLimitError,
  type ExecutionWork,
  type FetchFunction,
  type Graph,
  type ResponseError,
} from '@switchyard/engine'
import { bodyText } from '../../http/body-text.ts'
import { isLargeWeight, printInTurns } from '../../http/print-in-turns.ts'
import { BOUNDARY_ESCAPE } from '../../http/boundary.ts'
import type { WaitingEvent } from './event-queue.ts'
import type { CompletedEvent, CompleteEvent } from './subscription.ts'

/** The calls of subgraphs for one event. */
export type EventCalls = { readonly fetch: FetchFunction; cancel(): void }

/** The parts by which events are completed. */
export type CompletingParts = {
  readonly graph: Graph
  /** Returns the options of the execution for one event. */
  readonly execution: () => Pick<ExecuteOptions, 'plan' | 'variables' | 'cost'>
  /** Makes the turns and the budget for one event. */
  readonly work: () => ExecutionWork
  /** Opens what calls subgraphs for one event. */
  readonly calls: (work: ExecutionWork) => EventCalls
  /** Returns the event without what clients must not see of the errors of its source. */
  readonly filtered: (body: unknown) => unknown
  /** Returns errors as clients see them. */
  readonly shown: (errors: readonly ResponseError[]) => readonly ResponseError[]
  readonly isGone: () => boolean
  readonly onDefect: (error: unknown) => void
}

const FAILED: ResponseError = {
  message: 'The router failed to complete this event.',
  extensions: { code: 'INTERNAL_SERVER_ERROR' },
}

/** Makes the function that completes each event. */
export function completeEvents(parts: CompletingParts): CompleteEvent {
  return (event, done) => {
    const work = parts.work()
    const calls = parts.calls(work)
    const finish = (result: ExecutionResult, weight: number, cost: number | null): void => {
      const shown = { ...result, errors: parts.shown(result.errors) }
      const counted = { errors: shown.errors.length, cost }
      const body = bodyOf(shown, event)
      if (!isLargeWeight(weight)) return done({ printed: bodyText(body), ...counted })
      void printLarge(body, counted, work, parts, done)
    }
    const execution = executeEvent(
      parts.graph,
      {
        ...parts.execution(),
        fetch: calls.fetch,
        work,
        onDefect: (error, isOver) => {
          if (isOver) finish({ data: null, errors: [errorOf(error, parts)] }, 0, null)
          else parts.onDefect(error)
        },
      },
      parts.filtered(event.body),
      finish,
    )
    return {
      abort: () => {
        execution.abort()
        calls.cancel()
      },
    }
  }
}

function errorOf(error: unknown, { onDefect }: CompletingParts): ResponseError {
  if (error instanceof ExecutionLimitError)
    return { message: error.message, extensions: { code: error.code } }
  onDefect(error)
  return FAILED
}

type EventBody = Partial<ExecutionResult> & { readonly extensions?: object }

/** `extensions.missed` says how many events before this one the client did not get. */
function bodyOf({ data, errors }: ExecutionResult, { missed }: WaitingEvent): EventBody {
  return {
    ...(errors.length === 0 ? {} : { errors }),
    data,
    ...(missed === 0 ? {} : { extensions: { missed } }),
  }
}

/** `done` gets null if nobody waits for the result any more. */
async function printLarge(
  body: EventBody,
  counted: Omit<CompletedEvent, 'printed'>,
  work: ExecutionWork,
  parts: CompletingParts,
  done: (completed: CompletedEvent | null) => void,
): Promise<void> {
  const { isGone } = parts
  let printed: CompletedEvent['printed'] | null
  try {
    printed = await printInTurns(body, { work, size: NOT_COUNTED, isGone, escape: BOUNDARY_ESCAPE })
  } catch (error) {
    printed = bodyText({ errors: [errorOf(error, parts)], data: null })
  }
  done(printed === null ? null : { printed, ...counted })
}

/** The bytes of an event count where it waits: results are sent as soon as they are printed. */
const NOT_COUNTED = { printed: () => {} }
