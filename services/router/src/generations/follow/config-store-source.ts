import type { ConfigStore, GraphKey, StoredManifest } from '@switchyard/config-store'
import type { NewestConfirmation } from './confirm-newest.ts'
import type { OfferedConfig } from '../offered-config.ts'
import { type ManifestVerifier, offerOf } from '../verify/verify-manifest.ts'

/** The signed manifest as it stands in the store, and the head beside it, both unchecked. */
export type StoredConfig = StoredManifest & { readonly head: string | null }

/** Reads and verifies the configs of a config store. */
export type ConfigStoreSource = {
  /** null when there is no manifest. */
  read(graph: GraphKey): Promise<StoredConfig | null>
  /** Throws ManifestRejectedError. */
  offer(graph: GraphKey, stored: StoredConfig): Promise<OfferedConfig>
}

/** Without `confirm` the store is trusted to offer the newest manifest, and no head is read. */
export function createConfigStoreSource(
  store: ConfigStore,
  verify: ManifestVerifier,
  confirm: NewestConfirmation | null = null,
): ConfigStoreSource {
  return {
    async read(graph) {
      // The head is read first: if something is published in between, the manifest is newer than the head,
      // never older.
      const head = confirm === null ? null : await store.getHead(graph)
      const stored = await store.getManifest(graph)
      return stored === null ? null : { ...stored, head }
    },
    async offer(graph, { head, ...stored }) {
      const manifest = await verify(stored, graph)
      const { epoch, revision } = manifest
      return offerOf(manifest, stored, 'config store', {
        confirm: async () => confirm?.(graph, { epoch, revision }, head),
        readArtifact: (sha256) => store.getArtifact(graph, sha256),
        readPiece: (sha256) => store.getPiece(graph, sha256),
      })
    },
  }
}
