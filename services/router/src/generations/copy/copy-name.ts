/** Names of files and folders for one graph among the last-known-good copies. */
import { createHash } from 'node:crypto'
import type { GraphKey } from '@switchyard/config-store'
import { encodeToken } from '@switchyard/contracts'

/** File systems allow 255 bytes per name, and temporary files have longer ones. */
const LONGEST_NAME = 200

/** The beginning of all names of files that belong to the copy of a graph. */
export function copyNameOf({ namespace, graph }: GraphKey): string {
  const name = `${encodeToken(namespace)}.${encodeToken(graph)}`
  return name.length <= LONGEST_NAME ? name : createHash('sha256').update(name).digest('hex')
}
