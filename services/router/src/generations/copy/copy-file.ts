/** The file of a last-known-good copy, and back. */
import type { StoredManifest } from '@switchyard/config-store'
import { z } from 'zod'
import { ManifestRejectedError } from '../../errors/http-error.ts'

const CopyFile = z.object({
  formatVersion: z.literal(2),
  version: z.object({ epoch: z.int(), revision: z.int() }),
  manifest: z.string(),
  signature: z.string(),
  /** Hashes of the artifacts in the folder beside the file. */
  artifacts: z.array(z.string()),
})

/** The content of the file of a last-known-good copy. */
export type CopyContent = {
  readonly signed: StoredManifest
  /** Hashes of artifacts in the folder that this file needs. */
  readonly names: readonly string[]
}

/** The bytes of the file of a last-known-good copy. `names` are the hashes of the artifacts that it needs. */
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
  const { version, manifest, signature, artifacts } = parsed(bytes)
  return { signed: { version, manifest: Buffer.from(manifest, 'utf8'), signature }, names: artifacts }
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
