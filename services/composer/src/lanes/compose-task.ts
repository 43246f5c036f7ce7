/** One composition as plain data, so that it can be sent to a worker thread. */
import { createHash } from 'node:crypto'
import type { Artifact, CompositionMessage } from '@switchyard/contracts'
import { MAX_INLINE_ERRORS } from '@switchyard/contracts/limits'
import {
  type ArtifactPieces,
  buildArtifact,
  compose,
  cutArtifact,
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
  readonly preview?: true
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
      /** The same in pieces; null if it is stored as a whole only. */
      readonly pieces: ArtifactPieces | null
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

/** Characters of a text that is cut. A smaller one is read as a whole as fast, and in fewer steps. */
const LEAST_CUT = 128 * 1024

/** Throws a CompositionStoppedError if it is told to stop. */
export function runTask({ subgraphs, options, memory, isStopped }: ComposeTask): ComposeOutcome {
  const result = compose({ subgraphs, ...options }, memory, isStopped)
  const hints = inlineMessages(result.hints.slice(0, MAX_INLINE_ERRORS).map(toCompositionMessage))
  if (result.kind === 'failed') return failedWith(result.errors.map(toCompositionMessage), hints)
  const artifact = buildArtifact(result.supergraphSdl, subgraphs, options)
  const bytes = new TextEncoder().encode(JSON.stringify(artifact))
  return { kind: 'composed', artifact: bytes, pieces: cut(artifact, bytes), hints }
}

function cut(artifact: Artifact, bytes: Uint8Array): ArtifactPieces | null {
  if (artifact.supergraphSdl.length < LEAST_CUT) return null
  return cutArtifact(artifact, createHash('sha256').update(bytes).digest('hex'))
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
