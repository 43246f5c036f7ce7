import { encodeToken } from '@switchyard/contracts'
import type { GraphKey } from '../store/config-store.ts'
import { InvalidGraphKeyError } from '../store/errors.ts'

/** The keys of gzipped values that are named by hash: artifacts, or pieces of them. */
export type PackedKeys = {
  readonly value: (sha256: string) => string
  /** Sorted set: the hashes by the time at which their values were stored. */
  readonly times: string
}

/**
 * All keys of a graph share one hash tag, so that a cluster keeps them on one node and one script may use
 * them.
 */
export type GraphKeys = {
  readonly manifest: string
  readonly head: string
  readonly history: string
  readonly artifacts: PackedKeys
  /** Apart from the artifacts, so that versions of before do not sweep pieces, which they do not know. */
  readonly pieces: PackedKeys
}

export function graphKeys({ namespace, graph }: GraphKey): GraphKeys {
  if (namespace === '' || graph === '') throw new InvalidGraphKeyError(namespace, graph)
  const prefix = `switchyard:{${encodeToken(namespace)}/${encodeToken(graph)}}`
  return {
    manifest: `${prefix}:manifest`,
    head: `${prefix}:head`,
    history: `${prefix}:history`,
    artifacts: { value: (sha256) => `${prefix}:artifact:${sha256}`, times: `${prefix}:artifacts` },
    pieces: { value: (sha256) => `${prefix}:piece:${sha256}`, times: `${prefix}:pieces` },
  }
}
