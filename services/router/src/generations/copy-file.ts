/** The file of a last-known-good copy, and back. */
import type { StoredManifest } from '@switchyard/config-store'
import { z } from 'zod'
import { ManifestRejectedError } from '../errors/http-error.ts'

const common = {
  version: z.object({ epoch: z.int(), revision: z.int() }),
  manifest: z.string(),
  signature: z.string(),
}
const CopyFile = z.discriminatedUnion('formatVersion', [
  /** Of routers that kept everything in one file: gzipped artifacts in base64, by hash. Read, and never written. */
  z.object({ formatVersion: z.literal(1), ...common, artifacts: z.record(z.string(), z.string()) }),
  /** Hashes of the artifacts in the folder beside it. */
  z.object({ formatVersion: z.literal(2), ...common, artifacts: z.array(z.string()) }),
])

export type CopyContent = {
  readonly signed: StoredManifest
  /** Hashes of artifacts in the folder that this file needs. */
  readonly names: readonly string[]
  /** In base64, by hash; null when they are in the folder. */
  readonly inlined: ReadonlyMap<string, string> | null
}

export function formatCopy(signed: StoredManifest, names: readonly string[]): Buffer {
  const file: z.infer<typeof CopyFile> = {
    formatVersion: 2,
    version: signed.version,
    manifest: Buffer.from(signed.manifest).toString('utf8'),
    signature: signed.signature,
    artifacts: [...names],
  }
  return Buffer.from(JSON.stringify(file))
}

/** Throws ManifestRejectedError. */
export function parseCopy(bytes: Buffer): CopyContent {
  const file = parsed(bytes)
  const signed = {
    version: file.version,
    manifest: Buffer.from(file.manifest, 'utf8'),
    signature: file.signature,
  }
  switch (file.formatVersion) {
    case 1:
      return { signed, names: [], inlined: new Map(Object.entries(file.artifacts)) }
    case 2:
      return { signed, names: file.artifacts, inlined: null }
    default:
      return file satisfies never
  }
}

function parsed(bytes: Buffer): z.infer<typeof CopyFile> {
  try {
    return CopyFile.parse(JSON.parse(bytes.toString('utf8')))
  } catch (error) {
    throw new ManifestRejectedError(
      'MANIFEST_INVALID',
      'The file is damaged (not the JSON that a router writes).',
      error,
    )
  }
}
