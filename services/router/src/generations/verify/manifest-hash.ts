/** The hash of the manifest that is served: of many megabytes with many flags, so that it is made once. */
import { createHash } from 'node:crypto'
import type { StoredManifest } from '@switchyard/config-store'

export class ManifestHash {
  #hashed: { readonly manifest: StoredManifest; readonly sha256: string } | null = null

  /** SHA-256 as lower-case hexadecimal digits. */
  of(manifest: StoredManifest): string {
    if (this.#hashed?.manifest !== manifest) {
      const sha256 = createHash('sha256').update(manifest.manifest).digest('hex')
      this.#hashed = { manifest, sha256 }
    }
    return this.#hashed.sha256
  }
}
