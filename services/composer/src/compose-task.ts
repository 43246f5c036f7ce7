/** One composition as plain data, so that it can be sent to a worker thread. */
import type { CompositionMessage } from '@switchyard/contracts'
import { buildArtifact, compose, toCompositionMessage } from '@switchyard/composition'

export type TaskSubgraph = {
  readonly name: string
  readonly routingUrl: string
  /** Of a feature subgraph: the subgraph in whose place it stands. */
  readonly baseName: string | null
  readonly sdl: string
}

/** What a graph says about how its compositions are made. */
export type CompositionOptions = { readonly allowUnenforcedAuthorization: boolean }

export type ComposeTask = {
  readonly subgraphs: readonly TaskSubgraph[]
  readonly options: CompositionOptions
}

export type ComposeOutcome =
  | {
      readonly kind: 'composed'
      readonly artifact: Uint8Array<ArrayBuffer>
      readonly hints: CompositionMessage[]
    }
  | { readonly kind: 'failed'; readonly errors: CompositionMessage[]; readonly hints: CompositionMessage[] }

export function runTask({ subgraphs, options }: ComposeTask): ComposeOutcome {
  const result = compose({ subgraphs, ...options })
  const hints = result.hints.map(toCompositionMessage)
  if (result.kind === 'failed')
    return { kind: 'failed', errors: result.errors.map(toCompositionMessage), hints }
  const artifact = buildArtifact(result.supergraphSdl, subgraphs, options)
  return { kind: 'composed', artifact: new TextEncoder().encode(JSON.stringify(artifact)), hints }
}
