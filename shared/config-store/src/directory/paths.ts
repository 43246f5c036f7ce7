import { join } from 'node:path'
import { encodeToken } from '@switchyard/contracts'
import type { GraphKey } from '../store/config-store.ts'
import { InvalidGraphKeyError } from '../store/errors.ts'

/** File systems allow 255 bytes per name; a token of 100 escaped characters is longer. */
const LONGEST_SEGMENT = 200

export type GraphPaths = {
  readonly directory: string
  readonly manifest: string
  readonly head: string
  readonly history: string
  readonly artifacts: string
  readonly pieces: string
}

export function graphPaths(root: string, { namespace, graph }: GraphKey): GraphPaths {
  if (namespace === '' || graph === '') throw new InvalidGraphKeyError(namespace, graph)
  const directory = join(root, ...segments(encodeToken(namespace)), ...segments(encodeToken(graph)))
  return {
    directory,
    manifest: join(directory, 'manifest.json'),
    head: join(directory, 'head.jwt'),
    history: join(directory, 'history.json'),
    artifacts: join(directory, 'artifacts'),
    pieces: join(directory, 'pieces'),
  }
}

/** A long token becomes nested directories; `~`, which no token has, marks those that go on. */
function segments(token: string): readonly string[] {
  if (token.length <= LONGEST_SEGMENT) return [token]
  return [`${token.slice(0, LONGEST_SEGMENT)}~`, ...segments(token.slice(LONGEST_SEGMENT))]
}
