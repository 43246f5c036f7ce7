/** One composition as plain data, so that it can be sent to a worker thread. */
import type { CompositionMessage } from '@switchyard/contracts'
import { MAX_INLINE_ERRORS } from '@switchyard/contracts/limits'
import {
  buildArtifact,
  compose,
  type CompositionMemory,
  type IsStopped,
  toCompositionMessage,
} from '@switchyard/composition'
import { bytesOf, inlineMessages, isCut } from './inline-messages.ts'

export type TaskSubgraph = {
  readonly name: string
  readonly routingUrl: string
  /** The subgraph that a feature subgraph replaces. Null for any other subgraph. */
  readonly baseName: string | null
  readonly sdl: string
}

/** The settings of a graph that change its compositions. */
export type CompositionOptions = { readonly allowUnenforcedAuthorization: boolean }

export type ComposeTask = {
  readonly subgraphs: readonly TaskSubgraph[]
  readonly options: CompositionOptions
  /** The memory of earlier compositions of the graph. */
  readonly memory?: CompositionMemory
  readonly isStopped?: IsStopped
}

/**
 * The result of a composition, with at most as many messages as a record carries. The thread that makes them
 * drops the rest, since there may be tens of thousands.
 */
export type ComposeOutcome =
  | {
      readonly kind: 'composed'
      readonly artifact: Uint8Array<ArrayBuffer>
      readonly hints: CompositionMessage[]
    }
  | {
      readonly kind: 'failed'
      readonly errors: CompositionMessage[]
      readonly errorCount: number
      /** The content of the blob with all errors, if `errors` does not hold all of them. */
      readonly allErrors: Uint8Array<ArrayBuffer> | null
      readonly hints: CompositionMessage[]
    }

/** Throws a CompositionStoppedError if it is told to stop. */
export function runTask({ subgraphs, options, memory, isStopped }: ComposeTask): ComposeOutcome {
  const result = compose({ subgraphs, ...options }, memory, isStopped)
  const hints = inlineMessages(result.hints.slice(0, MAX_INLINE_ERRORS).map(toCompositionMessage))
  if (result.kind === 'failed') return failedWith(result.errors.map(toCompositionMessage), hints)
  const artifact = buildArtifact(result.supergraphSdl, subgraphs, options)
  return { kind: 'composed', artifact: new TextEncoder().encode(JSON.stringify(artifact)), hints }
}

export function failedWith(
  errors: readonly CompositionMessage[],
  hints: CompositionMessage[] = [],
): ComposeOutcome {
  return {
    kind: 'failed',
    errors: inlineMessages(errors),
    errorCount: errors.length,
    allErrors: isCut(errors) ? bytesOf(errors) : null,
    hints,
  }
}
