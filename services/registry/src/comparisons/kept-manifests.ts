import type { PublishedManifest } from '@switchyard/schema-checks'
import { z } from 'zod'

/** A manifest of persisted documents, as its blob is kept. */
export type KeptManifest = {
  readonly name: string
  readonly clients: readonly string[] | null
  readonly bytes: Uint8Array
}

const Kept = z.record(z.string(), z.string())

export function manifestsOf(kept: readonly KeptManifest[]): readonly PublishedManifest[] {
  return kept.map(({ name, clients, bytes }) => ({
    name,
    ...(clients === null ? {} : { clients }),
    manifest: Kept.parse(JSON.parse(Buffer.from(bytes).toString('utf8'))),
  }))
}
