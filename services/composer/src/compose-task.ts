/** One composition as plain data, so that it can be sent to a worker thread. */
import { EXECUTION_CONFIG_FORMAT } from '@switchyard/contracts'
import type { Artifact, CompositionMessage } from '@switchyard/contracts'
import { compose } from '@switchyard/composition'
import type { CompositionError } from '@switchyard/composition'

export type TaskSubgraph = {
  readonly name: string
  readonly routingUrl: string
  /** Of a feature subgraph: the subgraph in whose place it stands. */
  readonly baseName: string | null
  readonly sdl: string
}

export type ComposeTask = { readonly subgraphs: readonly TaskSubgraph[] }

export type ComposeOutcome =
  | {
      readonly kind: 'composed'
      readonly artifact: Uint8Array<ArrayBuffer>
      readonly hints: CompositionMessage[]
    }
  | { readonly kind: 'failed'; readonly errors: CompositionMessage[]; readonly hints: CompositionMessage[] }

export function runTask({ subgraphs }: ComposeTask): ComposeOutcome {
  const result = compose({
    subgraphs: subgraphs.map(({ name, routingUrl, sdl }) => ({ name, routingUrl, sdl })),
  })
  const hints = result.hints.map(toMessage)
  return result.kind === 'composed'
    ? { kind: 'composed', artifact: artifactBytes(result.supergraphSdl, subgraphs), hints }
    : { kind: 'failed', errors: result.errors.map(toMessage), hints }
}

/** Keys in the order of the contract and subgraphs by name: equal graphs are equal bytes, hence one blob. */
function artifactBytes(supergraphSdl: string, subgraphs: readonly TaskSubgraph[]): Uint8Array<ArrayBuffer> {
  const artifact: Artifact = {
    formatVersion: EXECUTION_CONFIG_FORMAT,
    supergraphSdl,
    subgraphs: [...subgraphs]
      .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
      .map(({ name, routingUrl, baseName }) =>
        baseName === null ? { name, routingUrl } : { name, routingUrl, baseName },
      ),
    compatibilityVersion: joinVersion(supergraphSdl),
  }
  return new TextEncoder().encode(JSON.stringify(artifact))
}

function joinVersion(supergraphSdl: string): string {
  return /specs\.apollo\.dev\/join\/(v\d+\.\d+)/.exec(supergraphSdl)?.[1] ?? 'unknown'
}

function toMessage({ code, message, subgraphs, locations }: CompositionError): CompositionMessage {
  return { code, message, subgraphs: [...subgraphs], locations: locations.map((at) => ({ ...at })) }
}
