import { encodeToken } from '@switchyard/contracts'
import type { GraphKey } from '../store/config-store.ts'
import { InvalidGraphKeyError } from '../store/errors.ts'

/**
 * All keys of a graph share one hash tag, so that a cluster keeps them on one node and one script may use
 * them.
 */
export type GraphKeys = {
  readonly manifest: string
  readonly head: string
  readonly history: string
  /** Sorted set: the hashes of the artifacts by the time they were stored. */
  readonly artifacts: string
  readonly artifact: (sha256: string) => string
}

export function graphKeys({ namespace, graph }: GraphKey): GraphKeys {
  if (namespace === '' || graph === '') throw new InvalidGraphKeyError(namespace, graph)
  const prefix = `switchyard:{${encodeToken(namespace)}/${encodeToken(graph)}}`
  return {
    manifest: `${prefix}:manifest`,
    head: `${prefix}:head`,
    history: `${prefix}:history`,
    artifacts: `${prefix}:artifacts`,
    artifact: (sha256) => `${prefix}:artifact:${sha256}`,
  }
}
