/**
 * A composed supergraph as the artifact that routers load, and messages in the form that records and reports
 * carry.
 */
import type { Artifact, CompositionMessage } from '@switchyard/contracts'
import { EXECUTION_CONFIG_FORMAT } from '@switchyard/contracts/limits'
import type { CompositionError, CompositionInput } from './contract/composition-result.ts'

/** The description of a subgraph in an artifact: its name and the URL that routers call. */
export type ArtifactSubgraph = {
  readonly name: string
  readonly routingUrl: string
  /** The name of the subgraph that a feature subgraph replaces. */
  readonly baseName?: string | null | undefined
  /** True if it belongs to a preview. */
  readonly preview?: true | undefined
}

/**
 * Builds the artifact of a graph. Keys are in the order of the contract and subgraphs sorted by name, so
 * equal graphs have equal bytes, and hence one blob.
 */
export function buildArtifact(
  supergraphSdl: string,
  subgraphs: readonly ArtifactSubgraph[],
  { allowUnenforcedAuthorization = false }: Pick<CompositionInput, 'allowUnenforcedAuthorization'> = {},
): Artifact {
  return {
    formatVersion: EXECUTION_CONFIG_FORMAT,
    supergraphSdl,
    subgraphs: [...subgraphs]
      .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
      .map(({ name, routingUrl, baseName, preview }) => ({
        name,
        routingUrl,
        ...(baseName === undefined || baseName === null ? {} : { baseName }),
        ...(preview === undefined ? {} : { preview }),
      })),
    compatibilityVersion: joinVersion(supergraphSdl),
    ...(allowUnenforcedAuthorization ? { allowUnenforcedAuthorization } : {}),
  }
}

/** The error as records and reports carry it: plain data that the contracts describe. */
export function toCompositionMessage(error: CompositionError): CompositionMessage {
  const { code, message, subgraphs, locations, operation, path, reasons } = error
  return {
    code,
    message,
    subgraphs: [...subgraphs],
    locations: locations.map((at) => ({ ...at })),
    ...(operation === undefined ? {} : { operation }),
    ...(path === undefined ? {} : { path: path.map((step) => ({ ...step })) }),
    ...(reasons === undefined ? {} : { reasons: reasons.map((one) => ({ ...one })) }),
  }
}

function joinVersion(supergraphSdl: string): string {
  return /specs\.apollo\.dev\/join\/(v\d+\.\d+)/.exec(supergraphSdl)?.[1] ?? 'unknown'
}
